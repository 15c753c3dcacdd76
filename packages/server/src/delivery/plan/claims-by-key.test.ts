import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { explained } from '@overture/testing/explained.ts'
import type { App } from '../../platform/app.ts'
import type { NewEvent } from '../../platform/events/events.sql.ts'
import { createDatabase, type PoolDatabase } from '../../platform/db/pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { storeWritten, type WrittenRow } from '../write/written.sql.ts'
import { runPlanning, type Transport } from '../index.ts'
import { recordLeftMessages, type LeftMessage } from '../record/record.sql.ts'
import { passGate } from '../send/gate.sql.ts'
import { claimMessages, leaseMs } from './claims.sql.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const underWay = 400
/** The number of messages that are ready together. */
const together = 10
/**
 * The number of rows that PostgreSQL may read, summed over all nodes of a plan. It may read each of the four tables of claims
 * once while they are this small, as version 15 does, but never one of them per message. Messages that are ready together are
 * compared with each other.
 */
const rowsMax = 4 * underWay + 4 * together * together
const noTransport: Transport = { send: () => Promise.reject(new Error('Nothing is sent here.')) }

let database: TestDatabase
let app: App
/** A pool with the settings of the planning and sending pool. */
let engine: PoolDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
  engine = createDatabase({ url: database.url, log: app.log, connectionsMax: 1, plans: 'generic' })
  // Automatic statistics, of this process or of PostgreSQL, would change the plans.
  for (const table of ['claims', 'message_heads', 'message_contents', 'lead_progress'])
    await app.db.execute(`alter table ${table} set (autovacuum_enabled = false)`)
})
afterAll(async () => {
  await engine.close()
  await database.drop()
})

interface ClaimedMessage {
  id: string
  token: string
  campaignId: string
  leadId: string
  stepId: string
  senderId: string
}

async function claim(): Promise<{ tenant: Tenant; claims: ClaimedMessage[] }> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: underWay, dueAt: start })
  const tools = toolsOver(app, noTransport)
  let claimed = 0
  while (claimed < underWay) claimed += (await runPlanning(tools, tenant, start)).claimed
  const claims = await app.db.query<ClaimedMessage>(
    `select message_id as id, lease_token as token, campaign_id, lead_id, step_id, sending_account_id as sender_id from claims
     where account_id = $1 order by message_id`,
    [tenant.accountId],
  )
  return { tenant, claims }
}

function written({ id, token }: ClaimedMessage): WrittenRow {
  const raw = Buffer.from(`Message-ID: <${id}@sender.test>\r\n\r\nHello`)
  return {
    id,
    token,
    raw,
    sha256: createHash('sha256').update(raw).digest(),
    rfcMessageId: `<${id}@sender.test>`,
    subject: 'Hello',
    from: { email: 'eve@sender.test', name: null },
    to: [{ email: 'ada@prospects.test', name: null }],
    inReplyTo: null,
    refs: [],
    threadId: `thr_${id.slice(4)}`,
    variantId: null,
  }
}

function left({ id, token, campaignId, leadId, stepId, senderId }: ClaimedMessage): LeftMessage {
  const move = {
    campaignId,
    leadId,
    stepId,
    senderId,
    position: 1,
    at: start,
    threadId: `thr_${id.slice(4)}`,
    dueAt: null,
  }
  return {
    id,
    token,
    status: 'sent',
    at: start,
    recordedAt: start,
    answer: '250 ok',
    deliveredMessageId: null,
    failure: null,
    threadId: null,
    snippet: 'Hello',
    move: { ...move, nextStep: null, deciding: false },
  }
}

function eventsOf({ id, campaignId, leadId }: ClaimedMessage): NewEvent[] {
  const common = { occurredAt: start, campaignId, leadId }
  return [
    { ...common, type: 'message.sent', messageId: id, data: { kind: 'campaign', first: false } },
    { ...common, type: 'lead.status_changed', data: { from: 'pending', to: 'active', reason: 'sent' } },
  ]
}

async function countStatus({ accountId }: Tenant, status: string): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    'select count(*)::int as count from messages where account_id = $1 and status = $2',
    [accountId, status],
  )
  return row!.count
}

test('a claim does not compare the messages with each other', async () => {
  const tenant = await insertTestAccount(app.db)
  const sendingAccountId = await insertTestSender(app.db, tenant, { port: 1 })
  const { id: campaignId, stepIds } = await insertTestCampaign(app.db, tenant, { senderIds: [sendingAccountId] })
  await insertTestLeads(app.db, tenant, { campaignId, count: underWay, dueAt: start })
  const leads = await app.db.query<{ leadId: string; email: string }>(
    'select id as lead_id, email from leads where account_id = $1',
    [tenant.accountId],
  )
  const claims = leads.map(({ leadId, email }) => ({
    messageId: `msg_${leadId.slice(4)}`,
    replaces: null,
    campaignId,
    leadId,
    stepId: stepIds[0]!,
    sendingAccountId,
    at: start,
    counted: { senderDay: '2026-03-02', campaignDay: '2026-03-02', first: true, domain: 'a.test' },
    email,
    addressHash: Buffer.from(email),
    company: null,
  }))
  const { explaining, visited } = explained(engine)
  // PostgreSQL joins with nested loops if it expects one row.
  await engine.execute('set enable_hashjoin = off')
  await engine.execute('set enable_mergejoin = off')
  try {
    await claimMessages(explaining, tenant, claims, { token: randomUUID(), leaseMs })
  } finally {
    await engine.execute('reset enable_hashjoin')
    await engine.execute('reset enable_mergejoin')
  }
  const [contacts] = await app.db.query<{ count: number }>(
    'select count(*)::int as count from contacts where account_id = $1',
    [tenant.accountId],
  )
  expect(contacts?.count).toBe(underWay)
  expect(visited).toHaveLength(1)
  expect(visited[0]).toBeLessThan(40 * underWay)
})

const known = {
  'an empty table': () => app.db.execute('truncate claims').then(() => app.db.execute('analyze claims')),
  nothing: () => Promise.resolve(),
  'a table full of other messages': () => claim().then(() => app.db.execute('analyze')),
}

test.each(Object.entries(known))(
  'storing, gate and record read only their own messages by key, with statistics of %s',
  async (_, analyse) => {
    await analyse()
    const { tenant, claims } = await claim()
    const middle = claims.slice(underWay / 2, underWay / 2 + together)
    const { explaining, visited } = explained(engine)
    await storeWritten(explaining, tenant, middle.map(written))
    const requests = middle.map(({ id, token }) => ({
      id,
      token,
      recipients: [{ addressHash: Buffer.from(id), domain: 'a.test', wroteAt: null }],
    }))
    await passGate(explaining, tenant, { requests, now: start })
    const events = middle.map((claimed) => ({ messageId: claimed.id, events: eventsOf(claimed) }))
    await recordLeftMessages(explaining, tenant, { messages: middle.map(left), toldMessages: events })
    expect(await countStatus(tenant, 'sent')).toBe(together)
    expect(visited).toHaveLength(3)
    expect(Math.max(...visited), `rows looked at: ${visited.join(', ')}`).toBeLessThan(rowsMax)
  },
)
