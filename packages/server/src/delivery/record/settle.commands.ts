import { jumpTo, sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Lead } from '@overture/contract/campaigns/leads.ts'
import {
  completeFinishedCampaigns,
  dueAfter,
  findLeadWithCampaign,
  presentLead,
  readSurroundings,
  wakePlanner,
  type LeadAdvance,
} from '../../campaigns/index.ts'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import { withHolidays } from '../../holidays/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listPlanSteps } from '../plan/campaigns.sql.ts'
import { giveBack } from './give-back.commands.ts'
import { recordLeftMessages } from './record.sql.ts'
import { releaseMessages } from './release.sql.ts'
import { lockUncertain, lockUncertainOfLead, type UncertainRow } from './settle.sql.ts'

const snippetLength = 140

/**
 * Settles an uncertain message: `sent` moves its lead to the next step, `not_sent` makes the step due again. Returns false if the
 * message is not uncertain.
 */
export async function settleMessage(
  tx: Transaction,
  tenant: Tenant,
  settled: {
    messageId: string
    outcome: 'sent' | 'not_sent'
    by: 'sent_folder' | 'delivery_report' | 'reply' | 'person'
    /** The Message-ID of the copy in the Sent folder, if it differs from ours. */
    deliveredMessageId?: string | null
    now: Date
  },
): Promise<boolean> {
  const row = await lockUncertain(tx, tenant, settled.messageId)
  if (row === undefined) return false
  if (settled.outcome === 'sent') await settleSent(tx, tenant, row, settled)
  else await settleNotSent(tx, tenant, row, settled.now)
  return true
}

/**
 * Applies a person's decision about a lead's uncertain message (docs/contract.md, "Never twice"). Throws 409 if no message is
 * uncertain.
 */
export async function resolveUncertain(
  tx: Transaction,
  tenant: Tenant,
  input: { campaignId: string; leadId: string; outcome: 'sent' | 'not_sent'; now: Date },
): Promise<Lead> {
  const found = await findLeadWithCampaign(tx, tenant, input)
  if (found === undefined) throw notFound()
  const row = await lockUncertainOfLead(tx, tenant, input)
  if (row === undefined)
    throw new AppError('CONFLICT', 'No delivery to this lead is uncertain.', {
      currentStatus: found.lead.status,
      allowedActions: [],
    })
  await settleMessage(tx, tenant, { messageId: row.id, outcome: input.outcome, by: 'person', now: input.now })
  const after = (await findLeadWithCampaign(tx, tenant, input)) ?? found
  return presentLead(after.lead, await readSurroundings(after.campaign, input.now))
}

async function settleSent(
  tx: Transaction,
  tenant: Tenant,
  row: UncertainRow,
  settled: { by: string; deliveredMessageId?: string | null; now: Date },
): Promise<void> {
  const at = row.gatedAt
  const recordedAt = settled.now
  const move = await findMove(tx, tenant, row)
  const snippet = row.raw === null ? '' : (readMessageTexts(row.raw).text ?? '').slice(0, snippetLength)
  const answer = `settled: ${settled.by}`
  const { id, token, threadId } = row
  const deliveredMessageId = settled.deliveredMessageId ?? null
  const [recorded] = await recordLeftMessages(tx, tenant, {
    messages: [
      { id, token, status: 'sent', at, recordedAt, answer, deliveredMessageId, failure: null, threadId, snippet, move },
    ],
    toldMessages: [],
  })
  const lead = recorded?.lead ?? null
  if (lead?.after === 'completed') await completeFinishedCampaigns(tx, tenant, [lead.campaignId], settled.now)
  if (move?.dueAt) wakePlanner(tx, tenant, move.dueAt)
  if (row.kind === 'notification' || row.kind === 'test') return
  await appendEvents(tx, tenant, [
    {
      type: 'message.sent',
      occurredAt: settled.now,
      campaignId: row.campaignId,
      leadId: row.leadId,
      leadEmail: row.leadEmail,
      messageId: row.id,
      stepId: row.stepId,
      variantId: row.variantId,
      sendingAccountId: row.sendingAccountId,
      data: {
        kind: row.kind,
        first: lead?.first ?? false,
        rfcMessageId: row.rfcMessageId,
        ...(deliveredMessageId !== null && { deliveredMessageId }),
        settledBy: settled.by,
      },
    },
  ])
}

async function findMove(tx: Transaction, tenant: Tenant, row: UncertainRow): Promise<LeadAdvance | null> {
  const { campaignId, leadId, stepId } = row
  if (campaignId === null || leadId === null || stepId === null || row.schedule === null) return null
  const steps = await listPlanSteps(tx, tenant, [campaignId])
  const step = steps.find((other) => other.id === stepId)
  if (step === undefined) return null
  const next = stepAfter(steps, step)
  const schedule = await withHolidays(row.schedule)
  const dueAt =
    next === null
      ? null
      : dueAfter(row.gatedAt, { value: next.waitValue, unit: next.waitUnit }, schedule, {
          timezone: row.leadTimezone,
          country: row.leadCountry,
        })
  return {
    campaignId,
    leadId,
    position: step.position,
    stepId,
    at: row.gatedAt,
    threadId: row.threadId,
    senderId: row.sendingAccountId,
    dueAt,
    nextStep: jumpTo(next, step),
    deciding: sendsNothing(next),
  }
}

async function settleNotSent(tx: Transaction, tenant: Tenant, row: UncertainRow, now: Date): Promise<void> {
  const released = await releaseMessages(tx, tenant, {
    ids: [row.id],
    token: row.token,
    attempted: true,
    retryAt: now,
    answer: null,
    now,
    discard: false,
  })
  await giveBack(tx, tenant, released, { at: now, forgetSender: false })
}
