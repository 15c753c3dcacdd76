import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import type { App } from '../../platform/app.ts'
import { system } from '../../platform/events/actors.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { runPlanning } from '../plan/plan-tenant.shell.ts'
import { composeClaims, type ReadyMessage } from '../write/compose.shell.ts'
import type { AdvancedLead } from './record.sql.ts'
import { passGate } from '../send/gate.sql.ts'
import { departureEvents, recordOutcomes, type DepartedMessage } from './record.shell.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const step = { subject: 'Hello', body: 'Hello', waitDays: 0 }

let database: TestDatabase
let app: App
let tenant: Tenant

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
})
afterAll(() => database.drop())
beforeEach(async () => {
  tenant = await insertTestAccount(app.db)
})

/** Creates messages that have passed their gate, of a campaign with this many steps. */
async function gated(count: number, steps: number): Promise<ReadyMessage[]> {
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, {
    senderIds: [senderId],
    steps: Array.from({ length: steps }, (_, at) => ({ ...step, waitDays: at })),
  })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  const tools = toolsOver(app, { send: () => Promise.reject(new Error('Nothing is sent here.')) })
  const { token } = await runPlanning(tools, tenant, start)
  const { ready } = await composeClaims(tools, tenant, { token, now: start })
  expect(ready).toHaveLength(count)
  const requests = ready.map(({ row, token: of }) => ({ id: row.id, token: of, recipients: [] }))
  await passGate(app.db, tenant, { requests, now: start })
  return ready
}

type Outcome = DepartedMessage['outcome']
const sent: Outcome = { kind: 'sent', answer: '250 ok', refused: [] }

const record = (finished: readonly DepartedMessage[]) =>
  app.db.transaction((tx) => recordOutcomes(tx, tenant, app.secrets, finished))

/** The log in order, without the numbers that PostgreSQL assigns. */
const log = () =>
  app.db.query<{ id: string; type: string; messageId: string | null; data: unknown }>(
    `select id, type, occurred_at, campaign_id, lead_id, lead_email, message_id, step_id, variant_id, sending_account_id, data,
       actor_type, actor_id, actor_name from events where account_id = $1 and environment = $2 order by tx_id, position`,
    [tenant.accountId, tenant.environment],
  )

/** The events of a message as the log must contain them. */
function loggedOf(item: DepartedMessage, lead: AdvancedLead | null): unknown[] {
  const nothing = { messageId: null, stepId: null, variantId: null, sendingAccountId: null }
  return departureEvents(item, lead).map((event) => ({
    ...nothing,
    ...event,
    id: expect.stringMatching(/^evt_/) as string,
    actorType: system.type,
    actorId: null,
    actorName: null,
  }))
}

const setLead = (message: ReadyMessage, set: string) =>
  app.db.execute(
    `update lead_progress set ${set} where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4`,
    [tenant.accountId, tenant.environment, message.row.campaignId, message.row.leadId],
  )

const asManual = (message: ReadyMessage): ReadyMessage => ({
  ...message,
  row: { ...message.row, kind: 'manual', stepId: null },
  step: null,
})
const asNotification = (message: ReadyMessage): ReadyMessage => ({
  ...message,
  row: { ...message.row, kind: 'notification', stepId: null, campaignId: null, leadId: null, lead: null },
  step: null,
})

interface Case {
  steps?: number
  set?: string
  outcome?: Outcome
  as?: (message: ReadyMessage) => ReadyMessage
  /** The old and new status of the message's lead, or null if the status stayed the same. */
  lead: Omit<AdvancedLead, 'campaignId'> | null
  data: readonly object[]
}

const refused = { recipient: 'bob@acme.test', code: 550, status: '5.1.1', answer: '550 no' }
const cases: Readonly<Record<string, Case>> = {
  'a first step': {
    lead: { before: 'pending', after: 'active', first: true },
    data: [
      { kind: 'campaign', first: true },
      { from: 'pending', to: 'active', reason: 'sent' },
    ],
  },
  'the last step': {
    steps: 1,
    lead: { before: 'pending', after: 'completed', first: true },
    data: [
      { kind: 'campaign', first: true },
      { from: 'pending', to: 'completed', reason: 'sent' },
    ],
  },
  'a step of a lead that was written to before': {
    set: `status = 'active', last_contacted_at = now()`,
    lead: { before: 'active', after: 'active', first: false },
    data: [{ kind: 'campaign', first: false }],
  },
  'a step of a lead that was stopped meanwhile': {
    set: `status = 'stopped'`,
    lead: { before: 'stopped', after: 'stopped', first: true },
    data: [{ kind: 'campaign', first: true }],
  },
  'a step of a lead that was paused meanwhile': {
    set: `status = 'paused'`,
    lead: { before: 'paused', after: 'paused', first: true },
    data: [{ kind: 'campaign', first: true }],
  },
  'a step with a refused copy recipient': {
    outcome: { ...sent, refused: [refused] },
    lead: { before: 'pending', after: 'active', first: true },
    data: [
      {
        kind: 'campaign',
        first: true,
        refusedRecipients: [{ email: 'bob@acme.test', code: '5.1.1', reason: '550 no' }],
      },
      { from: 'pending', to: 'active', reason: 'sent' },
    ],
  },
  'a message of a person': { as: asManual, lead: null, data: [{ kind: 'manual', first: false }] },
  'a notification': { as: asNotification, lead: null, data: [] },
}

describe('recorded events state what the lead became', () => {
  test.each(Object.entries(cases))(
    '%s',
    async (_, { steps = 2, set, outcome = sent, as = (one) => one, lead, data }) => {
      const [message] = await gated(1, steps)
      if (set !== undefined) await setLead(message!, set)
      const item = { message: as(message!), outcome, at: new Date(start.getTime() + 1_000) }
      await record([item])
      const rows = (await log()).filter(({ type }) => type !== 'campaign.completed')
      expect(rows.map((row) => ({ ...(row.data as object), rfcMessageId: undefined }))).toEqual(data)
      const named = rows.filter(({ type }) => type === 'message.sent').map((row) => row.data)
      for (const each of named) expect(each).toMatchObject({ rfcMessageId: `<${message!.row.id}@sender.test>` })
      const campaignId = message!.row.campaignId as string
      expect(rows).toEqual(loggedOf(item, lead === null ? null : { campaignId, ...lead }))
    },
  )

  test('events of many messages are in the order of the replies, once per id, and bounces last', async () => {
    const ready = await gated(12, 2)
    await setLead(ready[3]!, `status = 'stopped'`)
    const bounced: Outcome = { kind: 'bounced', type: 'hard', status: '5.1.1', answer: '550 no', refused: [] }
    const finished = ready
      .toReversed()
      .map((message, at) => ({ message, outcome: at === 5 ? bounced : sent, at: new Date(start.getTime() + at) }))
    await record(finished)
    const campaignId = ready[0]!.row.campaignId as string
    const expected = finished.flatMap((item) =>
      loggedOf(
        item,
        item.message === ready[3]
          ? { campaignId, before: 'stopped', after: 'stopped', first: true }
          : { campaignId, before: 'pending', after: 'active', first: true },
      ),
    )
    const rows = await log()
    expect(rows.slice(0, expected.length)).toEqual(expected)
    expect(rows.slice(expected.length).map(({ type }) => type)).toContain('message.bounced')
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  test('a message claimed by another process gets no events, and the others get all of theirs', async () => {
    const [first, second] = await gated(2, 2)
    await record([
      { message: { ...first!, token: '00000000-0000-4000-8000-000000000000' }, outcome: sent, at: start },
      { message: second!, outcome: sent, at: start },
    ])
    expect((await log()).map(({ messageId, type }) => [type, messageId])).toEqual([
      ['message.sent', second!.row.id],
      ['lead.status_changed', null],
    ])
  })

  test('recording for a deleted account fails and stores nothing', async () => {
    const [message] = await gated(1, 2)
    await app.db.execute(`delete from accounts where account_id = $1`, [tenant.accountId])
    await expect(record([{ message: message!, outcome: sent, at: start }])).rejects.toThrow('2 events of no account.')
    expect(await log()).toEqual([])
    expect((await listTestMessages(app.db, tenant)).map(({ status }) => status)).not.toContain('sent')
  })
})
