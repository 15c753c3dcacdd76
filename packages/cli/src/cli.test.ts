import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { newUser } from '@overture/server/team/links.shell.ts'
import { insertUser } from '@overture/server/team/users.sql.ts'
import { upsertSetAside } from '@overture/server/inbox/mailboxes/set-aside.sql.ts'
import { createSender } from '@overture/server/sending-accounts/index.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'

// Each command is a process that loads the whole server, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const program = await builtCli()
let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-cli-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Result {
  code: number
  stdout: string
  stderr: string
}

function overture(
  words: string,
  environment: Record<string, string> = { DATABASE_URL: database.url },
): Promise<Result> {
  const env = {
    PATH: process.env.PATH,
    OVERTURE_DATA_DIR: folder,
    OVERTURE_ENCRYPTION_KEY: 'a'.repeat(64),
    ...environment,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words.split(' ')], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

async function answer(words: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await overture(`${words} --json`)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('messages that were set aside are listed and retried on request', async () => {
  const own = await createTestDatabase()
  const run = (words: string) => overture(words, { DATABASE_URL: own.url })
  const json = async (words: string) => JSON.parse((await run(`${words} --json`)).stdout) as Record<string, unknown>
  const app = createTestApp(own)
  const tenant = await insertTestAccount(own.db)
  const login = { host: '127.0.0.1', port: 143, security: 'none' as const, username: 'a', password: 'secret' }
  const ids = await own.db.transaction(async (tx) => {
    const input = { email: 'a@example.com', fromName: 'A', provider: 'smtp' as const, smtp: login, imap: login }
    const { id } = await createSender(app, tx, tenant, { input, now: app.clock.now() })
    const place = { sendingAccountId: id, folder: 'INBOX', uidValidity: '1', sizeBytes: 10 }
    const times = { now: app.clock.now(), since: new Date(0) }
    for (const uid of [1, 2])
      await upsertSetAside(tx, tenant, { ...place, ...times, retryAt: null, uid, id: `sam_${uid}`, reason: 'too_slow' })
    return ['sam_1', 'sam_2']
  })
  const listed = (await json('inbox set-aside list'))['results'] as { id: string }[]
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids)
  expect((await run('inbox set-aside list')).stdout).toMatch(/sam_1 .* INBOX 1 {2}too_slow {2}tried 1 time\n/)
  expect(await json('inbox set-aside retry sam_2')).toEqual({ count: 1 })
  expect((await run('inbox set-aside list')).stdout).toMatch(/sam_2 .* will be retried\n/)
  expect(await json('inbox set-aside retry --all')).toEqual({ count: 2 })
  expect((await run('inbox set-aside retry sam_3')).code).toBe(1)
  await own.drop()
})

test('accounts, keys and credits are printed as in the API', async () => {
  const account = await answer('accounts create --name Acme')
  expect(account).toMatchObject({
    name: 'Acme',
    plan: 'trial',
    credits: { balance: 100 },
    trial: { leadCreditCap: 50 },
  })
  const id = account.id as string
  const limits = { requestsPerMinute: 5, burstPerSecond: 2, monthlyRequests: 7, maxApiKeys: 1 }
  const set =
    'accounts set ' +
    id +
    ' --requests-per-minute 5 --burst-per-second 2 --monthly-requests 7 --max-api-keys 1 --api-access off --plan growth'
  expect(await answer(set)).toMatchObject({
    limits,
    apiAccessEnabled: false,
    plan: 'growth',
    credits: { balance: 5000 },
  })

  const key = await answer(`keys create --account ${id} --scopes read --environment live --expires-at 2999-01-01`)
  expect(key).toMatchObject({
    scopes: ['read'],
    environment: 'live',
    status: 'active',
    expiresAt: '2999-01-01T00:00:00.000Z',
  })
  expect(key.key).toMatch(/^ovt_live_/)
  const second = await overture(`keys create --account ${id} --scopes read --environment live`)
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
  expect(await answer(`keys revoke ${key.id as string}`)).toMatchObject({ id: key.id, status: 'revoked' })

  const entry = await answer(`credits grant ${id} --amount 25 --reason Thanks --environment test`)
  expect(entry).toMatchObject({ type: 'grant', amount: 25, balanceAfter: 1025, reason: 'Thanks' })
  expect(await answer(`credits set ${id} --balance 3`)).toMatchObject({ balanceAfter: 3 })
  expect(await answer('accounts list')).toMatchObject({ results: [{ id, credits: { balance: 3 } }], nextCursor: null })

  expect(await overture(`accounts delete ${id}`)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
  expect(await answer(`accounts delete ${id} --yes`)).toMatchObject({ accountId: id, deleted: { accounts: 1 } })
  expect(await answer('accounts list')).toMatchObject({ results: [] })
  const noted = await database.db.query(`select account_id, action from audit_entries where target_id = $1`, [id])
  expect(noted).toEqual([{ accountId: '', action: 'operator.accounts.delete' }])
  expect(await overture(`accounts delete ${id} --yes`)).toMatchObject({ code: 1, stderr: 'NOT_FOUND: Not found.\n' })
})

test('users are invited, listed, disabled and get password links', async () => {
  const { id } = await answer('accounts create --name Example')
  const invited = await answer(`users create --account ${id as string} --email Ada@Example.com --role owner`)
  expect(invited).toMatchObject({ email: 'ada@example.com', role: 'owner', invitedBy: null })
  expect(invited['url']).toMatch(/\/app\/accept#[\w-]{43}$/)
  const user = newUser({
    accountId: id as string,
    email: 'g@example.com',
    name: 'G',
    role: 'owner',
    passwordHash: null,
    now: new Date(),
  })
  await insertUser(database.db, user)
  const line = await overture(`users list --account ${id as string}`)
  expect(line.stdout).toBe(`${user.id}  ${id as string}  owner  active  g@example.com\n`)
  expect((await answer(`users reset-password ${user.id}`))['url']).toMatch(/\/app\/password#[\w-]{43}$/)
  const last = await overture(`users disable ${user.id}`)
  expect(last).toMatchObject({ code: 1, stderr: expect.stringContaining('last owner') })
  const role = await overture(`users create --account ${id as string} --email a@example.com --role king`)
  expect(role).toMatchObject({ code: 1, stderr: expect.stringContaining('--role') })
})

test('errors are printed with their code, and the exit code is 1', async () => {
  expect(await overture('keys revoke key_none')).toMatchObject({ code: 1, stderr: 'NOT_FOUND: Not found.\n' })
  const scopes = await overture('keys create --account a --scopes everything --environment live')
  expect(scopes).toMatchObject({ code: 1, stderr: expect.stringContaining('--scopes') })
  const port = await overture('accounts list', { PORT: 'x' })
  expect(port).toMatchObject({ code: 1, stderr: expect.stringContaining('PORT: ') })
  // A server on the same machine listens on the port of its own setting.
  const silent = await overture(`demo --key ovt_test_${'x'.repeat(30)}`, { PORT: '1' })
  expect(silent).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('http://127.0.0.1:1: is the server running?'),
  })
  const elsewhere = new URL(database.url)
  elsewhere.pathname = '/no_such_database'
  const lines = {
    'finder load /no/such/file': /^ENOENT: [^\n]*\n$/,
    [`demo --key ovt_test_${'x'.repeat(30)} --url http://127.0.0.1:1`]:
      /^No answer from http:\/\/127\.0\.0\.1:1: is the server running\?[^\n]*\n$/,
    'demo --key ovt_test_x': /^apiKey is not an API key[^\n]*\n$/,
    'api campaigns.lunch': /^Unknown operation campaigns\.lunch\. Is it one of [^\n]*campaigns\.launch[^\n]*\n$/,
    'api account.get': /^There is no API key\. Log in[^\n]*\n$/,
    'demo --key ovt_live_x': /^The demo runs only in the test environment[^\n]*\n$/,
    'accounts create --name=': /^error: option '--name <name>'/,
  }
  for (const [words, stderr] of Object.entries(lines))
    expect(await overture(words)).toMatchObject({ code: 1, stderr: expect.stringMatching(stderr) })
  const wrong = await overture('accounts list', { DATABASE_URL: elsewhere.href })
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL: [^\n]*no_such_database[^\n]*\n$/),
  })
})

test('doctor accepts a healthy database and reports a wrong key', async () => {
  expect(await answer('doctor')).toMatchObject({ ok: true })
  const other = await overture('doctor --json', { DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: 'b'.repeat(64) })
  expect(other.code).toBe(1)
  expect(JSON.parse(other.stdout)).toMatchObject({ ok: false })
})

test('doctor reports a database from before the first release', async () => {
  const old = await createTestDatabase()
  await old.db.execute(`update schema_migrations set checksum = 'x'`)
  await old.db.execute(`insert into schema_migrations (name, checksum) values ('0343_proven_replies.sql', 'x')`)
  const { code, stdout } = await overture('doctor --json', { DATABASE_URL: old.url })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({
        name: 'migrations',
        status: 'broken',
        fix: "start with an empty database or data folder; this one can't be upgraded",
      }),
    ]),
  })
  await old.drop()
})

test('after secrets rotate the new key alone is enough', async () => {
  const keys = (text: string) => ({ DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: text })
  const [old, fresh] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string]
  expect(await overture('secrets rotate', keys(fresh))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not the key'),
  })
  const rotated = await overture('secrets rotate --json', keys(`${fresh},${old}`))
  expect(JSON.parse(rotated.stdout)).toMatchObject({ unreadable: 0 })
  expect((await overture('doctor', keys(fresh))).code).toBe(0)
  expect((await overture('doctor', keys(old))).code).toBe(1)
})

test('start accepts settings as flags and refuses unknown ones', async () => {
  const refused = await overture('start --role worker --prot 8080')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--prot: unknown; did you mean --port?')
  expect(refused.stderr).not.toContain('--role')
})

test('without a database URL it starts the embedded database', async () => {
  expect((await overture('doctor', {})).code).toBe(0)
  expect(JSON.parse((await overture('migrate --json', {})).stdout)).toMatchObject({
    applied: expect.arrayContaining(['0001_platform.sql']),
  })
  const both = await Promise.all([
    overture('accounts create --name One --json', {}),
    overture('accounts create --name Two --json', {}),
  ])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  const list = JSON.parse((await overture('accounts list --json', {})).stdout) as { results: unknown[] }
  expect(list.results).toHaveLength(2)
})

test('config shows values with their source, masks secrets, and lists all errors', async () => {
  const secret = 'hunter2hunter2hunter2'
  const environment = {
    DATABASE_URL: `postgres://user:${secret}@db.example.com/overture`,
    OVERTURE_ENCRYPTION_KEY: secret.repeat(3),
    PORT: '8080',
  }
  const { code, stdout } = await overture('config --json', environment)
  expect([code, stdout.includes(secret)]).toEqual([0, false])
  const shown = JSON.parse(stdout) as { ok: boolean; settings: { name: string; value: string | null; from: string }[] }
  const of = (name: string) => shown.settings.find((one) => one.name === name)
  expect(shown.ok).toBe(true)
  expect(of('PORT')).toEqual({ name: 'PORT', value: '8080', from: 'PORT' })
  expect(of('HOST')).toEqual({ name: 'HOST', value: '127.0.0.1', from: 'default' })
  expect(of('DATABASE_URL')?.value).toBe('postgres://***@db.example.com/overture')
  expect(of('OVERTURE_ENCRYPTION_KEY')?.value).toBe('***')
  const wrong = await overture('config', { ...environment, OVERTURE_ROL: 'api', PORT: 'x' })
  expect([wrong.code, wrong.stdout.includes(secret)]).toEqual([1, false])
  expect(wrong.stdout).toContain('OVERTURE_ROL: unknown; did you mean OVERTURE_ROLE?.')
  expect(wrong.stdout).toContain('PORT: a whole number')
  const refused = await overture('accounts list', { OVERTURE_ROL: 'api' })
  expect([refused.code, refused.stderr]).toEqual([1, 'OVERTURE_ROL: unknown; did you mean OVERTURE_ROLE?.\n'])
})
