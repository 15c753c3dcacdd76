import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { contactKeys } from './contact-keys.ts'
import { deleteContacts, insertContacts, listCompanyContacts } from './contacts.sql.ts'

const at = new Date('2027-02-01T10:00:00.000Z')
let database: TestDatabase
let app: App
beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
})
afterAll(() => database.drop())

const hash = Buffer.alloc(32, 1)
const companies = ['acme.example']

/** Counts a message to a person of acme.example. */
async function count(tenant: Tenant, messageId: string): Promise<void> {
  const row = `select $3::bytea as address_hash, $4::text as message_id, 'camp_1' as campaign_id, 'lead_1' as lead_id,
    'acme.example' as company, $5::timestamptz as at`
  await app.db.execute(insertContacts(row), [tenant.accountId, tenant.environment, hash, messageId, at])
}

async function peopleOf(tenant: Tenant): Promise<number> {
  return (await listCompanyContacts(app.db, tenant, { companies, limit: 10 })).length
}

test('a company still counts a person whose first message was not sent but whose second one was', async () => {
  const tenant = await insertTestAccount(app.db)
  for (const id of ['msg_1', 'msg_2', 'msg_3']) await count(tenant, id)
  expect(await peopleOf(tenant)).toBe(1)
  const counts = []
  for (const messageIds of [['msg_2'], ['msg_1'], ['msg_1'], ['msg_3']]) {
    const deleted = await deleteContacts(app.db, tenant, { hashes: [hash], messageIds })
    counts.push([deleted, await peopleOf(tenant)])
  }
  expect(counts).toEqual([
    [1, 1],
    [1, 1],
    [0, 1],
    [1, 0],
  ])
})

test.each([
  ['ada@gmail.com', null, null],
  ['ada@gmail.com', 'gmail.com', null],
  ['ada@gmail.com', 'GMail.com', null],
  ['ada@gmail.com', 'Acme.example', 'acme.example'],
  ['ada@acme.example', 'gmail.com', 'acme.example'],
  ['ada@acme.example', '', 'acme.example'],
])('the company of %s with the company domain %j is %j', (email, companyDomain, company) => {
  expect(contactKeys({ email, companyDomain, emailDomain: email.split('@')[1]! }).company).toBe(company)
})
