import { describe, expect, test } from 'vitest'
import { deliverDue, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  type TestCampaign,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import { listStoredContents, type StoredContent } from '@overture/testing/delivery/stored-contents.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { replaceInMessages } from '../../sending-accounts/sender-users.sql.ts'
import { getLeadThread } from '../ask/explain.queries.ts'
import { previewMessage } from '../index.ts'
import { replyToLead } from '../messages/reply.commands.ts'
import { deleteOldContents, listOldContentsAcrossAccounts } from './retention.sql.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const body = `Hi {{ firstName }}, ${'a sentence of a text that many people get. '.repeat(11)}Bye, {{ sender.fromName }}`
const firstStep = { subject: 'Hello {{ firstName }}', body, waitDays: 0 }
const greylisted = { stage: 'end', action: { code: 451, text: '4.7.1 Greylisted' }, times: 1 } as const

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string

useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

async function launch(count: number, change: Partial<TestCampaign> = {}) {
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps: [firstStep], ...change })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  const [lead] = await listTestLeads(app.db, tenant)
  return { campaignId: campaign.id, leadId: lead?.id ?? '' }
}

const later = (ms: number) => new Date(start.getTime() + ms)
const work = (now = start): Promise<number> => deliverDue(delivery.tools, tenant, now)
const change = (statement: string, ...values: unknown[]) => app.db.execute(statement, [tenant.accountId, ...values])

/** Deletes contents as retention does. */
async function forgetBefore(before: Date): Promise<void> {
  const contents = await listOldContentsAcrossAccounts(app.db, before, 100)
  await deleteOldContents(app.db, tenant.accountId, contents, before)
}

/** Each stored message must have exactly the bytes that the server received, and no second copy of its texts. */
async function expectAsSent(count: number): Promise<StoredContent[]> {
  const stored = await listStoredContents(app.db, tenant)
  const { accepted } = delivery.smtp
  expect([stored.length, accepted.length]).toEqual([count, count])
  for (const { rfcMessageId, raw, isBytesAlone } of stored) {
    const sent = accepted.find(({ messageId }) => messageId === rfcMessageId)
    // SMTP adds a line end if the text doesn't end with one.
    expect(sent?.raw.toString()).toBe(raw?.toString().replace(/(?:\r\n)?$/, '\r\n'))
    expect(isBytesAlone).toBe(true)
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
  test.each(kinds)('%s is stored with the sent bytes and shown with the composed texts', async (_, campaign) => {
    const key = await launch(2, campaign)
    const meetingUrl = () => null
    const shown = await previewMessage(app, tenant, { ...key, now: start, meetingUrl, renderer: testRenderer })
    expect(await work()).toBe(2)
    await expectAsSent(2)
    const [message] = (await getLeadThread(app, tenant, key)).messages
    expect([message?.text, message?.html]).toEqual(withoutLinkTokens([shown.text, shown.html]))
  })

  test('is sent with the same bytes on retry, even if text, sender or lead changed', async () => {
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

  test('is composed again if its sender was replaced while it waits', async () => {
    await launch(1)
    delivery.smtp.faults = [greylisted]
    await work()
    const other = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
    await change('update message_heads set attempt_at = $2 where account_id = $1', start)
    await app.db.transaction((tx) => replaceInMessages(tx, tenant, senderId, other))
    expect(await listStoredContents(app.db, tenant)).toMatchObject([{ raw: null }])
    await change('update campaigns set sending_account_ids = $2 where account_id = $1', [other])
    await change('update lead_progress set sending_account_id = $2 where account_id = $1', other)
    await work(later(5 * minuteMs))
    await expectAsSent(1)
    expect(delivery.smtp.accepted[0]?.from).toBe(`${other}@sender.test`)
  })

  test('keeps its bytes while it waits, and retention deletes them after it was sent', async () => {
    await launch(2)
    delivery.smtp.faults = [greylisted]
    await work()
    await change('update message_contents set recorded_at = $2 where account_id = $1', start)
    await forgetBefore(later(dayMs))
    expect(await listStoredContents(app.db, tenant)).toMatchObject([{ raw: expect.any(Buffer) }])
    expect(await work(later(5 * minuteMs))).toBe(1)
    expect(delivery.smtp.accepted).toHaveLength(2)
    await forgetBefore(later(dayMs))
    expect(await listStoredContents(app.db, tenant)).toEqual([])
  })

  test('can be read with SQL alone', async () => {
    await launch(1)
    await work()
    const rows = await app.db.query<{ message: string }>(
      `select convert_from(raw, 'UTF8') as message from messages where account_id = $1`,
      [tenant.accountId],
    )
    expect(rows).toEqual([{ message: expect.stringContaining('Hi Person1, a sentence of a text') }])
  })
})

test("a person's reply is stored with the sent bytes", async () => {
  const key = await launch(1)
  await work()
  const reply = { text: 'Words of a person.', now: later(minuteMs), renderer: testRenderer }
  await app.db.transaction((tx) => replyToLead(tx, tenant, key, reply))
  await work(later(2 * minuteMs))
  await expectAsSent(2)
})
