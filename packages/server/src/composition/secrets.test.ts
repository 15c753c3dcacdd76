import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../platform/config.ts'
import { createSecrets } from '../platform/crypto/secrets.shell.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { openSecrets } from './open-app.shell.ts'
import { rotateSecrets, sealedColumns } from './secrets.shell.ts'
import type { Tenant } from '../platform/tenant.ts'

const tenant: Tenant = { accountId: 'acc_1', environment: 'live' }
const [oldKey, newKey] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const many = 450

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const old = createSecrets([oldKey])
  const seal = (text: string, table: string, key: string[]) =>
    old.encrypt(text, sealedColumns.find((column) => column.table === table)!.getContext(tenant, key))
  await db.execute(
    `insert into accounts (account_id, name, plan, created_at) values ('acc_1', 'Example', 'self_hosted', now())`,
  )
  await db.execute(
    `insert into webhooks (account_id, environment, id, url, events, enabled, status, secret, previous_secret, created_at, updated_at)
     values ('acc_1', 'live', 'whk_1', 'https://example.com', '{*}', true, 'active', $1, $2, now(), now())`,
    [seal('now', 'webhooks', ['whk_1']), seal('before', 'webhooks', ['whk_1'])],
  )
  await db.execute(
    `insert into meeting_availability (account_id, environment, slug, settings, integrations, updated_at)
     values ('acc_1', 'live', 'ada', '{}', $1, now())`,
    [seal('{}', 'meeting_availability', [])],
  )
  await db.execute(
    `insert into sending_accounts (account_id, environment, id, email, from_name, provider, status, daily_limit,
       min_gap_seconds, max_gap_seconds, timezone, secrets, created_at, updated_at)
     values ('acc_1', 'live', 'snd_1', 'ada@example.com', 'Ada', 'smtp', 'active', 50, 0, 0, 'UTC', $1, now(), now())`,
    [seal('password', 'sending_accounts', ['snd_1'])],
  )
  await db.execute(
    `insert into tenant_connections (account_id, environment, id, provider, access, organization, client_id, secrets, created_at,
       updated_at)
     values ('acc_1', 'live', 'tnc_1', 'microsoft', 'application', 'contoso', 'client', $1, now(), now())`,
    [seal('client secret', 'tenant_connections', ['tnc_1'])],
  )
  await db.execute(
    `insert into idempotency_keys (account_id, environment, route, key, body_digest, status, headers, sealed_body, expires_at)
     values ('acc_1', 'live', 'POST /v2/campaigns', 'one', '\\x00', 200, '{}', $1, now())`,
    [seal('{"found":true}', 'idempotency_keys', ['POST /v2/campaigns', 'one'])],
  )
  for (let index = 0; index < many; index++) {
    await db.execute(
      `insert into finder_reveals (account_id, environment, person_id, field, value, credits_charged, revealed_at)
       values ('acc_1', 'live', $1, 'email', $2, 1, now())`,
      [`per_${index}`, seal(`${index}@example.com`, 'finder_reveals', [`per_${index}`, 'email'])],
    )
  }
})
afterAll(() => database.drop())

test('every binary column is known to the rotation or contains no secret', async () => {
  const rows = await database.db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' order by 1`,
  )
  const without = /digest|sha256|hash|\.raw$|_raw$|\.content$|\.previous$|^export_chunks\.packed$/
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map((row) => row.name).filter((name) => !without.test(name))).toEqual(sealed.toSorted())
})

test('after a rotation everything is sealed with the new key, and the old one can be removed', async () => {
  const config = (keys: string) => parseConfig({ DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: keys }, '/tmp')
  const open = (keys: string) => openSecrets(config(keys), database.db)
  const before = await open(oldKey)
  const hash = before.addressHash('eve@example.com')
  const parts = { shown: 'acc_1', hidden: 'eve' }
  const link = before.sealToken('unsubscribe', parts)
  const token = before.signToken('click', ['acc_1', 'live'])
  await expect(open(newKey)).rejects.toThrow('not the key')
  const app = { ...createTestApp(database), secrets: await open(`${newKey},${oldKey}`) }
  expect(await rotateSecrets(app)).toEqual({ keyId: app.secrets.keyId, resealed: many + 7, unreadable: 0 })
  expect(await rotateSecrets(app)).toMatchObject({ resealed: 0 })
  const alone = await open(newKey)
  // Tokens in sent mail and hashes that can't be computed again stay valid with the new key.
  expect(alone.addressHash('eve@example.com')).toEqual(hash)
  expect(alone.openToken('unsubscribe', link)).toEqual(parts)
  expect(alone.verifyToken('click', token)).toEqual(['acc_1', 'live'])
  await expect(open(oldKey)).rejects.toThrow('not the key')
  const texts: Record<string, string[]> = {}
  for (const { table, column, key, getContext } of sealedColumns) {
    const rows = await database.db.query<{ key: string[]; sealed: Buffer }>(
      `select array[${key.join(', ')}]::text[] as key, ${column} as sealed from ${table}`,
    )
    texts[`${table}.${column}`] = rows.map((row) => alone.decrypt(row.sealed, getContext(tenant, row.key)))
  }
  expect(texts['finder_reveals.value']?.toSorted()).toEqual(
    Array.from({ length: many }, (_, index) => `${index}@example.com`).toSorted(),
  )
  expect(texts).toMatchObject({
    'sending_accounts.secrets': ['password'],
    'tenant_connections.secrets': ['client secret'],
    'webhooks.secret': ['now'],
    'webhooks.previous_secret': ['before'],
    'meeting_availability.integrations': ['{}'],
    'idempotency_keys.sealed_body': ['{"found":true}'],
  })
})

test('a rotation is recorded once, in the transaction of its first change', async () => {
  const fresh = Buffer.alloc(32, 4).toString('base64')
  const config = parseConfig({ DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: `${fresh},${newKey}` }, '/tmp')
  const app = { ...createTestApp(database), secrets: await openSecrets(config, database.db) }
  const [freshId, newId] = [fresh, newKey].map((key) => Buffer.from(createSecrets([key]).keyId, 'hex'))
  const sealedWith = async (keyId: Buffer | undefined) => {
    let count = 0
    for (const { table, column } of sealedColumns) {
      const from = `from ${table} where substring(${column} from 2 for 4) = $1`
      count += Number((await database.db.query<{ count: string }>(`select count(*) ${from}`, [keyId]))[0]!.count)
    }
    return count
  }
  const unwritable = () => Promise.reject(new Error('The log can not be written.'))
  await expect(rotateSecrets(app, { recorded: unwritable })).rejects.toThrow('The log')
  expect(await sealedWith(freshId)).toBe(0)
  const entries = () =>
    database.db.query(`select actor_type, action from audit_entries where action like '%secrets.rotate'`)
  const before = (await entries()).length
  await rotateSecrets(app)
  expect([await sealedWith(freshId), await sealedWith(newId)]).toEqual([many + 6, 0])
  await rotateSecrets(app)
  expect((await entries()).slice(before)).toEqual([{ actorType: 'system', action: 'system.secrets.rotate' }])
  const back = parseConfig({ DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: `${newKey},${fresh}` }, '/tmp')
  await rotateSecrets({ ...app, secrets: await openSecrets(back, database.db) })
})

test("links signed before a rotation with endOldLinks end, and others don't", async () => {
  const config = parseConfig({ DATABASE_URL: database.url, OVERTURE_ENCRYPTION_KEY: newKey }, '/tmp')
  const app = { ...createTestApp(database), secrets: await openSecrets(config, database.db) }
  const [before, now] = [createSecrets([oldKey]), app.secrets].map((secrets) => secrets.signToken('booking', ['acc_1']))
  const hash = app.secrets.addressHash('eve@example.com')
  expect(app.secrets.verifyToken('booking', before!)).toEqual(['acc_1'])
  await rotateSecrets(app, { endOldLinks: true })
  const ended = await openSecrets(config, database.db)
  expect([ended.verifyToken('booking', before!), ended.verifyToken('booking', now!)]).toEqual([null, ['acc_1']])
  expect(ended.addressHash('eve@example.com')).toEqual(hash)
})

test('values of unknown keys are counted and kept, and the stored key id stays', async () => {
  const third = Buffer.alloc(32, 3).toString('base64')
  const app = { ...createTestApp(database), secrets: createSecrets([third]) }
  expect(await rotateSecrets(app)).toEqual({ keyId: app.secrets.keyId, resealed: 0, unreadable: many + 7 })
  const [row] = await database.db.query<{ value: string }>(
    `select value from settings where name = 'encryption_key_id'`,
  )
  expect(row?.value).toBe(createSecrets([newKey]).keyId)
})
