import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The user that PostgreSQL runs as; it refuses to run as root, and initdb wants a name in passwd. */
export interface Identity {
  uid: number
  gid: number
  name: string
}

const preferredNames = ['postgres', 'overture', 'nobody']

/** Null: as the user who runs us. As root: the owner of the database folder, else the first fitting user. */
export function chooseIdentity(databaseFolder: string): Identity | null {
  if (process.getuid?.() !== 0) return null
  const users = parsePasswd(readFileSync('/etc/passwd', 'utf8'))
  const owner = statSync(databaseFolder, { throwIfNoEntry: false })?.uid ?? 0
  const found =
    users.find((user) => owner !== 0 && user.uid === owner) ??
    preferredNames.map((name) => users.find((user) => user.name === name)).find((user) => user !== undefined) ??
    users[0]
  if (found === undefined) throw new Error('PostgreSQL does not run as root and /etc/passwd names no other user.')
  return found
}

export function parsePasswd(text: string): Identity[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.name !== '' && user.uid > 0 && user.gid >= 0)
}

/** Whether a user may pass through every folder down to this one, by their mode bits. */
export function canEnter(folder: string, who: Identity | null): boolean {
  if (who === null) return true
  for (let path = folder; ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path)
    const bit = uid === who.uid ? 0o100 : gid === who.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (dirname(path) === path) return true
  }
}
