import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { upsertSetAside } from '@overture/server/inbox/mailboxes/set-aside.sql.ts'
import { createSender } from '@overture/server/sending-accounts/index.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { OpenSearchStub } from '@overture/testing/lead-finder/open-search-stub.server.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { commands } from '../commands.ts'

// Each test runs commands of the operator as programs.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** The commands that work on the database. Commands that call a server are recorded in the server's log. */
const source = readFileSync(new URL('../commands.ts', import.meta.url), 'utf8')
const operators = [...source.matchAll(/'?([a-z-]+)'?: \{[^}]*import\('\.\/operator\//g)].map(([, name]) => name!)
/** Commands that need no entry in the log. Migrations are recorded in `schema_migrations`, and the server records its own start. */
const reading = [
  'accounts list',
  'users list',
  'audit verify',
  'inbox set-aside list',
  'migrate',
  'distribute',
  'start',
  'doctor',
  'config',
  'mail inspect',
]

const [oldKey, newKey] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string]
let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-operator-'))
  database = await createTestDatabase()
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('OVERTURE_DATA_DIR', folder)
  vi.stubEnv('OVERTURE_ENCRYPTION_KEY', oldKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

let exitCode: typeof process.exitCode

/** Runs a command and returns its output, which is JSON if the command supports it. */
async function overture(words: readonly string[]): Promise<Record<string, string>> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(((_text: unknown, ...rest: unknown[]) => {
    for (const done of rest) if (typeof done === 'function') done()
    return true
  }) as typeof process.stdout.write)
  try {
    const program = new Command('overture').exitOverride()
    ;(await commands[words[0]!]!.load())(program)
    await program.parseAsync([...words], { from: 'user' })
  } finally {
    log.mockRestore()
    out.mockRestore()
    exitCode = process.exitCode
    process.exitCode = undefined
  }
  return JSON.parse(printed.join('\n') || '{}') as Record<string, string>
}

const newest = async () =>
  (
    await database.db.query<{ position: number }>('select coalesce(max(position), 0) as position from audit_entries')
  )[0]!.position
const since = (position: number) =>
  database.db.query<{ action: string; accountId: string; actorType: string; targetId: string | null }>(
    'select action, account_id, actor_type, target_id from audit_entries where position > $1 order by position',
    [position],
  )

/** Runs a command. Returns its output and its entries in the log. */
async function acting(
  text: string,
): Promise<{ told: Record<string, string>; entries: Awaited<ReturnType<typeof since>> }> {
  const before = await newest()
  const words = text.split(' ')
  const output = await overture(words[1] === 'export' ? words : [...words, '--json'])
  return { told: output, entries: await since(before) }
}

const seen = new Set<string>()
async function leaves(text: string, action: string, ofAccount: string): Promise<Record<string, string>> {
  const { told, entries } = await acting(text)
  const own = entries.filter(({ actorType }) => actorType === 'operator')
  expect([text, own.map((entry) => [entry.action, entry.accountId])]).toEqual([
    text,
    [[`operator.${action}`, ofAccount]],
  ])
  seen.add(action)
  return told
}

test('each writing command adds one entry, and a command without a change adds none', async () => {
  const first = await acting('accounts create --name One')
  const account = first.told['id']!
  expect(first.entries).toMatchObject([
    { action: 'operator.accounts.create', actorType: 'operator', accountId: account, targetId: account },
  ])
  const of = `--account ${account}`
  await leaves(`accounts set ${account} --max-api-keys 7`, 'accounts.set', account)
  const key = await leaves(`keys create ${of} --scopes read --environment live`, 'keys.create', account)
  await leaves(`keys revoke ${key['id']!}`, 'keys.revoke', account)
  await leaves(`users create ${of} --email ada@example.com --role owner`, 'users.create', account)
  await database.db.execute(
    `insert into users (account_id, id, email, name, role, status, created_at)
     select $1, 'usr_' || n, n || '@example.com', n, 'owner', 'active', now() from unnest('{a,b}'::text[]) n`,
    [account],
  )
  await leaves('users reset-password usr_a', 'users.reset-password', account)
  await leaves('users disable usr_a', 'users.disable', account)
  await leaves(`credits grant ${account} --amount 5 --reason x`, 'credits.change', account)
  await leaves(`credits set ${account} --balance 5`, 'credits.change', account)
  await leaves(`audit export ${of}`, 'audit.export', account)
  await leaves('audit export', 'audit.export', '')
  const people = join(folder, 'people.csv')
  await writeFile(people, 'id,firstName,lastName,companyName\nper_1,Ada,Lovelace,Example\n')
  await leaves(`finder load ${people}`, 'finder.load', '')
  await leaves('finder demo', 'finder.demo', '')
  expect((await acting('finder demo')).entries).toEqual([])
  const cluster = new OpenSearchStub()
  vi.stubEnv('OVERTURE_FINDER_OPENSEARCH_URL', await cluster.start())
  await leaves('finder reload', 'finder.reload', '')
  await cluster.stop()
  await setAside(account)
  await leaves('inbox set-aside retry --all', 'inbox.set-aside.retry', '')
  await database.db.execute(
    `insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, queued_at, failure)
     select $1, 'live', 'msg_' || n, 'snd_1', 'outbound', 'manual', 'bounced', now(),
       '{"type": "block", "code": "5.7.705", "reason": "550 5.7.705 Access denied, tenant has exceeded threshold"}'
     from generate_series(1, 2) n`,
    [account],
  )
  expect((await acting('repair returned --dry-run')).entries).toEqual([])
  await leaves('repair returned', 'repair.returned', account)
  expect((await acting('repair returned')).entries).toEqual([])
  await leaves('hold-sending', 'sending.hold', '')
  expect((await acting('hold-sending')).entries).toEqual([])
  await leaves('resume-after-restore', 'sending.resume', '')
  await leaves(`backup ${join(folder, 'backup.tar')}`, 'backup', '')
  vi.stubEnv('OVERTURE_ENCRYPTION_KEY', `${newKey},${oldKey}`)
  await leaves('secrets rotate', 'secrets.rotate', '')
  expect((await acting('secrets rotate')).entries).toEqual([])
  await leaves(`accounts delete ${account} --yes`, 'accounts.delete', '')
  for (const text of ['accounts list', 'users list', 'audit verify', 'inbox set-aside list', 'doctor'])
    expect([text, (await acting(text)).entries]).toEqual([text, []])
})

/** Stores a message of a mailbox that could not be read. */
async function setAside(accountId: string): Promise<void> {
  const app = createTestApp(database, { environment: { OVERTURE_ENCRYPTION_KEY: oldKey } })
  const tenant = { accountId, environment: 'live' } as const
  const login = { host: '127.0.0.1', port: 143, security: 'none' as const, username: 'a', password: 'secret' }
  await database.db.transaction(async (tx) => {
    const input = { email: 'a@example.com', fromName: 'A', provider: 'smtp' as const, smtp: login, imap: login }
    const { id } = await createSender(app, tx, tenant, { input, now: app.clock.now() })
    await tx.execute('update sending_accounts set secrets = null where account_id = $1 and id = $2', [accountId, id])
    const times = { now: app.clock.now(), since: new Date(0) }
    const place = { sendingAccountId: id, folder: 'INBOX', uidValidity: '1', sizeBytes: 10, uid: 1 }
    await upsertSetAside(tx, tenant, { ...place, ...times, retryAt: null, id: 'sam_1', reason: 'too_slow' })
  })
}

test('audit verify names a changed entry, also in the log without an account', async () => {
  const verify = async () =>
    (await overture(['audit', 'verify', '--json'])) as unknown as { ok: boolean; results: object[] }
  expect([(await verify()).ok, exitCode]).toEqual([true, undefined])
  const [entry] = await database.db.query<{ id: string }>(
    `select id from audit_entries where account_id = '' and action = 'operator.finder.load'`,
  )
  const change = `update audit_entries set action = 'operator.finder.demo' where id = $1`
  await expect(database.db.execute(change, [entry!.id])).rejects.toThrow(/not changed/)
  await database.db.execute('alter table audit_entries disable trigger user')
  await database.db.execute(change, [entry!.id])
  await database.db.execute('alter table audit_entries enable trigger user')
  expect(await verify()).toMatchObject({
    ok: false,
    results: [{ accountId: '', touched: { id: entry!.id, reason: 'changed' } }],
  })
  expect(exitCode).toBe(1)
})

test('every command is listed as read-only or recorded', async () => {
  const found: string[] = []
  const visit = (command: Command, path: string): void => {
    if (command.commands.length === 0) found.push(path)
    for (const inner of command.commands) visit(inner, `${path} ${inner.name()}`.trim())
  }
  for (const name of operators) {
    const program = new Command()
    ;(await commands[name]!.load())(program)
    visit(program, '')
  }
  const recorded = {
    'credits grant': 'credits.change',
    'credits set': 'credits.change',
    'hold-sending': 'sending.hold',
    'resume-after-restore': 'sending.resume',
  } as Record<string, string>
  seen.add('accounts.create')
  // `restore` only works on an empty database. Its entry is tested in backup.test.ts.
  seen.add('restore')
  const unknown = found
    .filter((path) => !reading.includes(path))
    .filter((path) => !seen.has(recorded[path] ?? path.replaceAll(' ', '.')))
  expect(unknown).toEqual([])
  expect(operators).toEqual(expect.arrayContaining(['accounts', 'keys', 'hold-sending', 'secrets']))
})
