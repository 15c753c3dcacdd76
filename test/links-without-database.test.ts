import { afterAll, beforeAll, expect, test } from 'vitest'
import { signOptOut, signTrackingToken } from '@overture/server/delivery/index.ts'
import { newId } from '@overture/server/platform/ids.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { findSuppressed } from '@overture/server/suppressions/index.ts'
import { trackingRoutes } from '@overture/server/tracking/index.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { startPostgresProxy, type PostgresProxy } from './faults/postgres-proxy.ts'

let database: TestDatabase
let proxy: PostgresProxy
let server: TestServer
let sent: { campaignId: string; leadId: string; stepId: string }
const email = 'p1@acme.test'

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startPostgresProxy(database.url)
  const db = createDatabase({ url: proxy.url, log: createLogger('silent'), connectionsMax: 4 })
  server = await startTestServer({
    database: { ...database, db },
    publicRoutes: ({ app }) => trackingRoutes(app),
  })
  const { tenant } = server
  const senderId = await insertTestSender(database.db, tenant, { port: 25 })
  const campaign = await insertTestCampaign(database.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(database.db, tenant, { campaignId: campaign.id, count: 1, dueAt: new Date() })
  sent = { campaignId: campaign.id, leadId: 'led_p00000001', stepId: campaign.stepIds[0] ?? '' }
  await database.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, sending_account_id, direction, kind, status,
       queued_at, sent_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'outbound', 'campaign', 'sent', now(), now() - interval '1 hour')`,
    [tenant.accountId, tenant.environment, newId('msg'), sent.campaignId, sent.leadId, sent.stepId, senderId],
  )
})
afterAll(async () => {
  proxy.mode = 'pass'
  await server.stop()
  await proxy.stop()
  await database.drop()
})

function link(path: 'o' | 'c', purpose: 'open' | 'click', target: string | null): string {
  const sign = (name: string, fields: readonly string[]) => server.app.secrets.signToken(name, fields)
  return `${server.url}/${path}/${signTrackingToken(sign, purpose, { ...server.tenant, ...sent, target })}`
}

const hits = () =>
  database.db.query<{ type: string; occurredAt: Date }>(
    `select type, occurred_at from events where account_id = $1 and lead_id = $2 and type like 'message.%' order by type`,
    [server.tenant.accountId, sent.leadId],
  )

test('links redirect without a database, and are recorded later with their own time', async () => {
  proxy.mode = 'cut'
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' }
  const target = 'https://example.com/a'
  const click = await fetch(link('c', 'click', target), { redirect: 'manual', headers: agent })
  const open = await fetch(link('o', 'open', null), { headers: agent })
  const answeredAt = new Date()
  expect([click.status, click.headers.get('location'), open.status]).toEqual([302, target, 200])
  expect(await hits()).toEqual([])
  proxy.mode = 'pass'
  const recorded = await until(hits, (rows) => rows.length === 2)
  expect(recorded.map((row) => row.type)).toEqual(['message.clicked', 'message.opened'])
  expect(recorded.every(({ occurredAt }) => occurredAt <= answeredAt)).toBe(true)
})

test("an opt-out that can't be stored isn't confirmed until the same request succeeds later", async () => {
  const url = `${server.url}/u/${signOptOut(server.app.secrets, { ...server.tenant, ...sent, email })}`
  const post = async () => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    return { status: answer.status, text: await answer.text() }
  }
  const find = async () => {
    const { secrets } = server.app
    return (await findSuppressed(database.db, server.tenant, { secrets, emails: [email] })).get(email)
  }
  proxy.mode = 'cut'
  const refused = await post()
  expect([refused.status, refused.text.includes('You are unsubscribed')]).toEqual([503, false])
  expect(refused.text).toContain('You are not unsubscribed yet')
  expect((await fetch(url)).status).toBe(200)
  proxy.mode = 'pass'
  expect(await find()).toBeUndefined()
  const done = await until(post, ({ status }) => status === 200)
  expect(done.text).toContain('You are unsubscribed')
  expect(await find()).toMatchObject({ source: 'recipient', reason: 'one_click' })
})

test('an opt-out link with a token for something else does not work', async () => {
  const answer = await fetch(link('o', 'open', null).replace('/o/', '/u/'), { method: 'POST' })
  expect([answer.status, (await answer.text()).includes('This link does not work')]).toEqual([404, true])
})
