import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestCampaign, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { pauseCampaign } from '../campaigns/index.ts'
import type { App } from '../platform/app.ts'
import { actAs } from '../platform/events/actors.ts'
import type { Tenant } from '../platform/tenant.ts'
import { pauseSender } from '../sending-accounts/index.ts'
import { prepareFirstStart, prepareSetupLink } from './first-start.commands.ts'

let database: TestDatabase
let app: App
let tenant: Tenant
beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
})
afterAll(() => database.drop())

const entries = () =>
  database.db.query<{ action: string; environment: string | null; targetId: string | null; accountId: string }>(
    `select action, environment, target_id, account_id from audit_entries where actor_type = 'system' order by position`,
  )

test('the first start is recorded: the account, its keys and each setup link', async () => {
  await prepareFirstStart(app)
  await prepareFirstStart(app)
  const [account] = await database.db.query<{ accountId: string }>('select account_id from accounts')
  tenant = { accountId: account!.accountId, environment: 'live' }
  const keys = await database.db.query<{ id: string; environment: string }>(
    'select id, environment from api_keys order by environment desc',
  )
  for (let start = 0; start < 2; start++) expect(await prepareSetupLink(app)).toContain('/app/setup#')
  const links = await database.db.query<{ id: string }>('select id from user_links order by id')
  const { accountId } = tenant
  expect(await entries()).toEqual([
    { action: 'system.accounts.create', environment: null, targetId: accountId, accountId },
    ...keys.map(({ id, environment }) => ({ action: 'system.keys.create', environment, targetId: id, accountId })),
    ...links.map(({ id }) => ({ action: 'system.setup-links.create', environment: null, targetId: id, accountId })),
  ])
})

test('automatic pauses are recorded as the system, and consequences of a request as that request', async () => {
  const now = app.clock.now()
  const before = (await entries()).length
  const senders = [
    await insertTestSender(database.db, tenant, { port: 25 }),
    await insertTestSender(database.db, tenant, { port: 25 }),
  ] as const
  const made = [
    await insertTestCampaign(database.db, tenant, { senderIds: [senders[0]] }),
    await insertTestCampaign(database.db, tenant, { senderIds: [senders[1]] }),
  ] as const
  const brake = (index: 0 | 1, asked: boolean) =>
    database.db.transaction(async (tx) => {
      if (asked) actAs(tx, { type: 'user', id: 'usr_1', name: 'Ada' })
      await pauseSender(tx, tenant, senders[index], { reason: 'bounce_rate', now })
      await pauseCampaign(tx, tenant, { campaignId: made[index].id, reason: 'bounce_protection', now })
    })
  for (let times = 0; times < 2; times++) await brake(0, false)
  await brake(1, true)
  expect((await entries()).slice(before).map(({ action, targetId }) => [action, targetId])).toEqual([
    ['system.sending-accounts.pause', senders[0]],
    ['system.campaigns.pause', made[0].id],
  ])
})
