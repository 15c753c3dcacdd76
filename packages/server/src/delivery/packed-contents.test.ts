import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { deliverDue, startDelivery, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
  type TestCampaign,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { listStoredContents, type StoredContent } from '@overture/testing/delivery/stored-contents.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { minuteMs } from '../ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { replaceInMessages } from '../sending-accounts/sender-users.sql.ts'
import { composeClaims } from './compose/compose.shell.ts'
import { getLeadThread } from './explain/explain.queries.ts'
import { previewMessage, runPlanning } from './index.ts'
import { replyToLead } from './messages/reply.commands.ts'
import { withoutLinkTokens } from '../ground/text/link-tokens.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const body = `Hi {{ firstName }}, ${'a sentence of a text that many people get. '.repeat(11)}Bye, {{ sender.fromName }}`
const firstStep = { subject: 'Hello {{ firstName }}', body, waitDays: 0 }
const greylisted = { stage: 'end', action: { code: 451, text: '4.7.1 Greylisted' }, times: 1 } as const

let database: TestDatabase
let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, {
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_PUBLIC_URL: 'https://mail.example.com' },
  })
})
afterAll(() => database.drop())

beforeEach(async () => {
  delivery = await startDelivery(app)
  tenant = await insertTestAccount(app.db)
  senderId = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
})
afterEach(() => delivery.stop())

async function launch(count: number, change: Partial<TestCampaign> = {}) {
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps: [firstStep], ...change })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  const [lead] = await listTestLeads(app.db, tenant)
  return { campaignId: campaign.id, leadId: lead?.id ?? '' }
}

const later = (ms: number) => new Date(start.getTime() + ms)
const work = (now = start): Promise<number> => deliverDue(delivery.tools, tenant, now)
const change = (statement: string, ...values: unknown[]) => app.db.execute(statement, [tenant.accountId, ...values])

/** Each stored message must be read back exactly as the server received it. */
async function expectAsSent(count: number): Promise<StoredContent[]> {
  const stored = await listStoredContents(app.db, tenant)
  const { accepted } = delivery.smtp
  expect([stored.length, accepted.length]).toEqual([count, count])
  for (const { rfcMessageId, bytes } of stored) {
    const sent = accepted.find(({ messageId }) => messageId === rfcMessageId)
    // SMTP adds a line end if the text doesn't end with one.
    expect(sent?.raw.toString()).toBe(bytes?.toString().replace(/(?:\r\n)?$/, '\r\n'))
  }
  return stored
}

describe('a message of a step', () => {
  const step = (text: string) => ({ steps: [{ subject: 'Grüße', body: text, waitDays: 0 }] })
  const kinds: [string, Partial<TestCampaign>][] = [
    ['of words', {}],
    ['of text alone', { settings: { textOnly: true } }],
    ['with links and a pixel', { settings: { openTracking: true, linkTracking: true } }],
    ['of HTML', step(`<p>Für {{ firstName }}: <a href="https://a.test/b">${body}</a></p>`)],
    ['of 90,000 characters', step(`{{ firstName }} ${'Wörter '.repeat(12_000)}`)],
    ['of 20,000 braces', step(`{{ firstName }} ${'}'.repeat(20_000)}`)],
  ]
  test.each(kinds)(
    '%s is stored packed, goes out as it is read back, and is shown as it was composed',
    async (_, campaign) => {
      const key = await launch(2, campaign)
      const meetingUrl = () => null
      const shown = await previewMessage(app, tenant, { ...key, now: start, meetingUrl, renderer: testRenderer })
      expect(await work()).toBe(2)
      for (const { raw, packed, isBytesAlone, dictionaryId } of await expectAsSent(2))
        expect([raw, packed?.length, isBytesAlone, dictionaryId]).toEqual([
          null,
          expect.any(Number),
          true,
          expect.stringMatching(/^[0-9a-f]{16}$/),
        ])
      const [told] = (await getLeadThread(app, tenant, key)).messages
      expect([told?.text, told?.html]).toEqual(withoutLinkTokens([shown.text, shown.html]))
    },
  )

  test('without a postal address is stored packed, too', async () => {
    await change('update accounts set postal_address = null where account_id = $1')
    await launch(1)
    const { token } = await runPlanning(delivery.tools, tenant, start)
    const { ready } = await composeClaims(delivery.tools, tenant, { token, now: start })
    const stored = await listStoredContents(app.db, tenant)
    expect(stored.map(({ raw, bytes }) => [raw, bytes?.toString()])).toEqual([[null, ready[0]?.raw.toString()]])
  })

  test('that a model wrote for its lead alone has no word of that in a dictionary', async () => {
    await launch(2)
    const { token } = await runPlanning(delivery.tools, tenant, start)
    await change(
      `update variants set subject = '', body = '', ai = '{"presetId": "prs_1", "modelId": "model"}' where account_id = $1`,
    )
    await change(
      `insert into step_drafts (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, preset_id, model_id, status,
         subject, body, created_at, updated_at)
       select v.account_id, v.environment, 'dft_' || l.id, v.campaign_id, l.id, v.step_id, v.id, 'prs_1', 'model', 'approved',
         'Words for ' || l.id, 'Some words for you alone, ' || l.first_name || '.', $2::timestamptz, $2
       from variants v join lead_profiles l on l.account_id = v.account_id and l.campaign_id = v.campaign_id
       where v.account_id = $1`,
      start,
    )
    expect((await composeClaims(delivery.tools, tenant, { token, now: start })).ready).toHaveLength(2)
    const [one, other] = await listStoredContents(app.db, tenant)
    expect([one?.raw, one?.dictionaryId]).toEqual([null, other?.dictionaryId])
    expect(one?.bytes?.toString()).toContain('Some words for you alone, Person1.')
    const rows = await app.db.query<{ bytes: Buffer }>('select bytes from content_dictionaries where account_id = $1', [
      tenant.accountId,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]?.bytes.toString()).not.toMatch(/words|Person/i)
  })

  test('leaves with the same bytes on a second try, whatever has changed meanwhile', async () => {
    await launch(1)
    delivery.smtp.faults = [greylisted]
    await work()
    const [before] = await listStoredContents(app.db, tenant)
    await change(`update variants set body = 'Another text, {{ firstName }}.' where account_id = $1`)
    await change(`update sending_accounts set from_name = 'Another' where account_id = $1`)
    await change(`update lead_profiles set first_name = 'Other' where account_id = $1`)
    expect(await work(later(5 * minuteMs))).toBe(1)
    expect(await expectAsSent(1)).toEqual([before])
  })

  test('that waits is written anew by whoever replaces its sender, and packed again', async () => {
    await launch(1)
    delivery.smtp.faults = [greylisted]
    await work()
    const other = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
    await change('update message_heads set attempt_at = $2 where account_id = $1', start)
    await app.db.transaction((tx) => replaceInMessages(tx, tenant, senderId, other))
    expect(await listStoredContents(app.db, tenant)).toMatchObject([{ raw: null, packed: null, dictionaryId: null }])
    await change('update campaigns set sending_account_ids = $2 where account_id = $1', [other])
    await change('update lead_progress set sending_account_id = $2 where account_id = $1', other)
    await work(later(5 * minuteMs))
    const [row] = await expectAsSent(1)
    expect([row?.raw, row?.dictionaryId]).toEqual([null, expect.any(String)])
    expect(delivery.smtp.accepted[0]?.from).toBe(`${other}@sender.test`)
  })

  test.each([
    [
      'its dictionary is missing',
      `update message_contents set dictionary = 'other' where account_id = $1 and message_id = $2`,
    ],
    [
      'it was damaged',
      `update message_contents set packed = substring(packed for 40) where account_id = $1 and message_id = $2`,
    ],
  ])('is not sent, and not written again, where %s; the others of its batch are', async (_, damage) => {
    const { campaignId } = await launch(3)
    delivery.smtp.faults = Array.from({ length: 3 }, () => greylisted)
    await work()
    const [damaged, ...others] = await listTestMessages(app.db, tenant)
    await change(damage, damaged?.id)
    await work(later(5 * minuteMs))
    expect(delivery.smtp.accepted).toHaveLength(2)
    const now = await listTestMessages(app.db, tenant)
    expect(new Map(now.map(({ id, status }) => [id, status]))).toEqual(
      new Map([[damaged?.id, 'failed'], ...others.map(({ id }) => [id, 'sent'] as const)]),
    )
    const [told] = await app.db.query<{ failure: object; status: string; stoppedBy: object }>(
      `select m.failure, p.status, p.stopped_by from message_heads m join lead_progress p on p.account_id = m.account_id
         and p.campaign_id = m.campaign_id and p.lead_id = m.lead_id
       where m.account_id = $1 and m.id = $2`,
      [tenant.accountId, damaged?.id],
    )
    expect(told).toEqual({
      failure: { type: 'template', reason: "What was stored of the message can't be read." },
      status: 'failed',
      stoppedBy: expect.objectContaining({ rule: 'template_error' }),
    })
    const { messages } = await getLeadThread(app, tenant, { campaignId, leadId: damaged!.leadId })
    expect(messages.map(({ id, subject, text }) => [id, subject, text])).toEqual([
      [damaged?.id, damaged?.subject, null],
    ])
  })

  test('takes less than a quarter of its bytes, in fifty of one text of 500 characters', async () => {
    await launch(50)
    await work()
    const stored = await expectAsSent(50)
    const packedBytes = stored.reduce((sum, { packed }) => sum + (packed?.length ?? 0), 0)
    const rawBytes = stored.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)
    expect(packedBytes / rawBytes).toBeLessThan(1 / 4)
  })
})

test('what a person wrote is stored as it is', async () => {
  const key = await launch(1)
  await work()
  const reply = { text: 'Words of a person.', now: later(minuteMs), renderer: testRenderer }
  await app.db.transaction((tx) => replyToLead(tx, tenant, key, reply))
  await work(later(2 * minuteMs))
  const stored = await expectAsSent(2)
  expect(stored.map(({ raw, packed }) => [raw === null, packed === null])).toEqual([
    [true, false],
    [false, true],
  ])
})
