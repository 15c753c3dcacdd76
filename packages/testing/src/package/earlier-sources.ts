import { execFile } from 'node:child_process'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../../..')
const migrations = 'packages/server/migrations'
const builder = 'packages/overture/build.ts'
const outputBytesMax = 64 * 1024 * 1024
/** Packages that aren't linked from this clone: workspaces, since they must be the earlier ones, and files of tools. */
const own = /^(?:@overture|overture|\..*)$/

export interface EarlierSources {
  commit: string
  folder: string
  /** Migrations that exist now and were missing in the earlier release. */
  lacks: string[]
}

/**
 * Unpacks the sources of the last release, that is of the newest tag. Without a tag, it takes the oldest commit that builds a package
 * and whose migrations all exist unchanged today, since no database can be older. Dependencies are linked from this clone. Returns
 * null without git history, as in an unpacked archive.
 */
export async function unpackEarlierSources(place: string): Promise<EarlierSources | null> {
  const commit = await findEarlier().catch(() => null)
  if (commit === null) return null
  const folder = join(place, 'earlier')
  await mkdir(folder)
  const archive = join(place, 'earlier.tar')
  await git(['archive', '--output', archive, commit])
  await promisify(execFile)('tar', ['-C', folder, '-xf', archive])
  await linkDependencies(folder)
  const [had, has] = await Promise.all([migrationsOf(commit), migrationsOf('HEAD')])
  return { commit, folder, lacks: [...has.keys()].filter((name) => !had.has(name)) }
}

async function findEarlier(): Promise<string | null> {
  const tag = await git(['describe', '--tags', '--abbrev=0', '--match', 'overture@*', 'HEAD^']).catch(() => '')
  if (tag !== '') return tag
  const [first] = (await git(['log', '--format=%H', '--diff-filter=A', 'HEAD', '--', builder])).split('\n').toReversed()
  if (!first) return null
  const has = await migrationsOf('HEAD')
  const since = (await git(['rev-list', '--reverse', '--first-parent', `${first}..HEAD`])).split('\n')
  for (const commit of [first, ...since]) {
    const had = await migrationsOf(commit)
    if ([...had].every(([name, content]) => has.get(name) === content)) return commit
  }
  return null
}

/** The file names of the migrations and the hashes of their contents. */
async function migrationsOf(commit: string): Promise<Map<string, string>> {
  const lines = (await git(['ls-tree', commit, `${migrations}/`])).split('\n')
  return new Map(
    lines
      .map((line) => /^\S+ blob (\S+)\t.*\/(\d{4}_\w+\.sql)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, hash, name]) => [name!, hash!]),
  )
}

async function linkDependencies(folder: string): Promise<void> {
  const installed = join(root, 'node_modules')
  const target = join(folder, 'node_modules')
  await mkdir(join(target, '@overture'), { recursive: true })
  for (const name of await readdir(installed))
    if (!own.test(name)) await symlink(join(installed, name), join(target, name))
  for (const name of await readdir(join(folder, 'packages')))
    await symlink(join(folder, 'packages', name), join(target, '@overture', name))
  await symlink(join(folder, 'docs/site'), join(target, '@overture/site'))
  await symlink(join(folder, 'packages/overture'), join(target, 'overture'))
}

async function git(words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', root, ...words], { maxBuffer: outputBytesMax })
  return stdout.trim()
}
