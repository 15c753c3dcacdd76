import type { SendTestMessageInput, TestMessage } from '@overture/contract/delivery/test-messages.ts'
import { testMessagesMax } from '@overture/contract/delivery/test-messages.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { lockAccount } from '../../accounts/index.ts'
import { findCampaign, wakePlanner } from '../../campaigns/index.ts'
import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { answerList, byId, type PageQuery } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { findText } from './preview.queries.ts'
import { composeTest, renderTest } from './test-copy.shell.ts'
import {
  countTestMessages,
  findOwnAddress,
  insertTestMessage,
  listTestMessages,
  listTestTimes,
  type NewTestMessage,
  type TestMessageRow,
} from './test-messages.sql.ts'

type TestInput = ExplainTools & SendTestMessageInput & { campaignId: string; now: Date }

/** Writes a lead's message for the tester's own address, with the code that writes and sends it to the lead. */
export async function writeTestMessage(app: App, tenant: Tenant, input: TestInput): Promise<NewTestMessage> {
  const found = await findText(app, tenant, input)
  if (!(await findOwnAddress(app.db, tenant, input.to))) {
    const message = 'Use the address of a user or of a sending account of this account.'
    throw invalid({ path: 'to', rule: 'own_address', message })
  }
  const text = await renderTest(app, tenant, input, found)
  return {
    ...composeTest(text, { id: newId('msg'), email: input.to }),
    campaignId: found.campaign.id,
    leadId: found.lead.id,
    stepId: found.step.id,
    variantId: found.variant.id,
    sendingAccountId: found.sender.id,
    now: input.now,
    askedAt: app.clock.now(),
  }
}

/** Queues it so that it passes the claim, the gate and the record of every message. The number per hour and day is limited. */
export async function queueTestMessage(tx: Transaction, tenant: Tenant, message: NewTestMessage): Promise<TestMessage> {
  await lockAccount(tx, tenant.accountId)
  await assertWithinLimits(tx, tenant, message.askedAt)
  await insertTestMessage(tx, tenant, message)
  wakePlanner(tx, tenant, message.now)
  const { id, campaignId, leadId, stepId, variantId, sendingAccountId, to, subject, now } = message
  const facts = { id, campaignId, leadId, stepId, variantId, sendingAccountId, to: to.email, subject }
  return presentTestMessage({ ...facts, status: 'queued', sentAt: null, createdAt: now })
}

export async function presentTests({ db }: App, tenant: Tenant, campaignId: string, listQuery: PageQuery) {
  if ((await findCampaign(db, tenant, campaignId)) === undefined) throw notFound()
  return answerList(listQuery, {
    key: byId,
    list: (at) => listTestMessages(db, tenant, campaignId, at),
    count: () => countTestMessages(db, tenant, campaignId),
    present: (rows) => Promise.resolve(rows.map(presentTestMessage)),
  })
}

async function assertWithinLimits(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  for (const [spanMs, limit] of [
    [hourMs, testMessagesMax.perHour],
    [dayMs, testMessagesMax.perDay],
  ] as const) {
    const times = await listTestTimes(tx, tenant, { since: new Date(now.getTime() - spanMs), limit })
    const [oldest] = times
    if (times.length < limit || oldest === undefined) continue
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + spanMs - now.getTime()) / 1_000))
    const message = `The limit is ${testMessagesMax.perHour} test messages per hour and ${testMessagesMax.perDay} per day. Try again later.`
    throw new AppError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds })
  }
}

function presentTestMessage({ createdAt, sentAt, ...row }: TestMessageRow): TestMessage {
  return { ...row, sentAt: sentAt?.toISOString() ?? null, createdAt: createdAt.toISOString() }
}
