import { jumpTo, sendsNothing } from '@overture/ground/paths/path.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import {
  completeFinishedCampaigns,
  dueAfter,
  pauseStrandedCampaigns,
  wakePlanner,
  type LeadAdvance,
} from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  holdSender,
  recordProviderRefusal,
  recordSenderFailure,
  recordSenderSent,
  recordSenderWorks,
} from '../../sending-accounts/index.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { applyBounce } from './bounce.commands.ts'
import { parseDeliveredId } from './delivered-id.ts'
import type { ReadyMessage } from '../write/compose.shell.ts'
import { recordDeferral } from './deferral.shell.ts'
import type { Outcome } from './outcome.ts'
import { recordLeftMessages, type AdvancedLead, type LeftMessage } from './record.sql.ts'
import { giveBack } from './give-back.commands.ts'
import { releaseMessages } from './release.sql.ts'
import { recordUncertain } from './uncertain.shell.ts'
import { bounceForLead, bounceOfLead, describeFailure, listRefused } from './refused.commands.ts'

const manualRetryMs = minuteMs

export interface FinishedMessage {
  message: ReadyMessage
  outcome: Outcome
  /** The tenant's time when the reply was read. */
  at: Date
}

export type DepartedMessage = FinishedMessage & { outcome: Extract<Outcome, { kind: 'sent' | 'bounced' }> }

/** Records the outcomes of messages and their consequences in the caller's transaction. */
export async function recordOutcomes(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  finished: readonly FinishedMessage[],
): Promise<void> {
  const departed = finished.filter(
    (item): item is DepartedMessage => item.outcome.kind === 'sent' || item.outcome.kind === 'bounced',
  )
  if (departed.length > 0) await recordLeft(tx, tenant, secrets, departed)
  for (const item of finished) {
    switch (item.outcome.kind) {
      case 'sent':
      case 'bounced':
        break
      case 'retry':
        if (await release(tx, tenant, item, { attempted: true, retryAt: item.outcome.at, forgetSender: false }))
          await recordDeferral(tx, tenant, { ...item, outcome: item.outcome })
        break
      case 'not_sent':
        await release(tx, tenant, item, { attempted: false, retryAt: item.at, forgetSender: false })
        break
      case 'sender_failed':
        await release(tx, tenant, item, { attempted: false, retryAt: item.at, forgetSender: true })
        await recordFailedSender(tx, tenant, item.message.sender.id, { ...item.outcome, now: item.at })
        break
      case 'sender_held':
        await release(tx, tenant, item, { attempted: false, retryAt: item.at, forgetSender: false })
        await recordHeldSender(tx, tenant, item.message.sender.id, { ...item.outcome, now: item.at })
        break
      case 'uncertain':
        await recordUncertain(tx, tenant, {
          id: item.message.row.id,
          token: item.message.token,
          campaignId: item.message.row.campaignId,
          leadId: item.message.row.leadId,
          leadEmail: item.message.row.lead?.email ?? null,
          stepId: item.message.row.stepId,
          sendingAccountId: item.message.sender.id,
          answer: item.outcome.answer,
          now: item.at,
        })
        break
    }
  }
}

async function recordFailedSender(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  failure: Extract<Outcome, { kind: 'sender_failed' }> & { now: Date },
): Promise<void> {
  const { status, answer, fault, now } = failure
  let lost = status === 'connection_error' ? [] : [id]
  if (fault === null) await recordSenderFailure(tx, tenant, id, { status, error: answer, now })
  else lost = await recordProviderRefusal(tx, tenant, id, { fault, words: answer, now })
  for (const sendingAccountId of lost) await pauseStrandedCampaigns(tx, tenant, { sendingAccountId, now })
}

async function recordHeldSender(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  { answer, fault, now }: Extract<Outcome, { kind: 'sender_held' }> & { now: Date },
): Promise<void> {
  if (fault === null) await holdSender(tx, tenant, id, { now, reason: answer })
  else await recordProviderRefusal(tx, tenant, id, { fault, words: answer, now })
}

async function recordLeft(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  items: readonly DepartedMessage[],
): Promise<void> {
  const now = items[0]?.at
  if (now === undefined) return
  const recorded = await recordLeftMessages(tx, tenant, {
    messages: lastWordsOnce(items.map(toLeft)),
    toldMessages: items.map((item) => ({
      messageId: item.message.row.id,
      events: departureEvents(item, supposedLead(item)),
    })),
  })
  const ids = new Set(recorded.map(({ id }) => id))
  const recordedItems = items.filter((item) => ids.has(item.message.row.id))
  for (const item of recordedItems) await followUp(tx, tenant, secrets, item)
  for (const id of new Set(recordedItems.map((item) => item.message.sender))) await refreshSender(tx, tenant, id, now)
  const completed = recorded.flatMap(({ lead }) => (lead?.after === 'completed' ? [lead.campaignId] : []))
  if (completed.length > 0) await completeFinishedCampaigns(tx, tenant, [...new Set(completed)], now)
  const dueTimes = recordedItems.flatMap((item) => toLeadAdvance(item)?.dueAt?.getTime() ?? [])
  if (dueTimes.length > 0) wakePlanner(tx, tenant, new Date(Math.min(...dueTimes)), now)
}

export function toLeft({ message, outcome, at }: DepartedMessage): LeftMessage {
  return {
    id: message.row.id,
    token: message.token,
    status: outcome.kind,
    at,
    recordedAt: at,
    answer: outcome.answer,
    deliveredMessageId: findDeliveredId({ message, outcome }),
    failure: describeFailure(outcome, message.row),
    // A conversation that this message begins has no row before the first reply.
    threadId:
      message.row.lead?.threadId === message.threadId || message.row.threadId !== null ? message.threadId : null,
    snippet: message.snippet,
    move: toLeadAdvance({ message, at }),
  }
}

function findDeliveredId({ message, outcome }: Pick<DepartedMessage, 'message' | 'outcome'>): string | null {
  if (outcome.kind !== 'sent') return null
  return parseDeliveredId(outcome.answer, { own: message.rfcMessageId, smtpHost: message.sender.smtpHost })
}

/**
 * For several messages of one conversation, only the last one updates it. Leads are sorted, so that all transactions lock them in
 * the same order.
 */
function lastWordsOnce(messages: readonly LeftMessage[]): LeftMessage[] {
  const last = new Map(messages.map((message) => [message.threadId, message.id]))
  return messages
    .map((message) => (last.get(message.threadId) === message.id ? message : { ...message, threadId: null }))
    .sort((a, b) => compareText(a.move?.leadId ?? '', b.move?.leadId ?? ''))
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The next step's wait counts from the actual send (docs/contract.md, "Campaigns"). Null if the message belongs to no step. */
function toLeadAdvance({ message, at }: { message: ReadyMessage; at: Date }): LeadAdvance | null {
  const { row, step, nextStep, campaign } = message
  if (row.kind !== 'campaign' || row.campaignId === null || row.leadId === null || step === null || campaign === null)
    return null
  const wait = nextStep === null ? null : { value: nextStep.waitValue, unit: nextStep.waitUnit }
  return {
    campaignId: row.campaignId,
    leadId: row.leadId,
    position: step.position,
    stepId: step.id,
    at,
    threadId: message.threadId,
    senderId: message.sender.id,
    dueAt: wait === null ? null : dueAfter(at, wait, campaign.schedule, row.lead),
    nextStep: jumpTo(nextStep, step),
    deciding: sendsNothing(nextStep),
  }
}

/** A placeholder: the recording statement replaces the old and new status, and whether this was the first message. */
function supposedLead(item: DepartedMessage): AdvancedLead | null {
  const move = toLeadAdvance(item)
  return move === null ? null : { campaignId: move.campaignId, before: 'pending', after: 'active', first: false }
}

/** The events of a sent message. */
export function departureEvents(item: DepartedMessage, lead: AdvancedLead | null): NewEvent[] {
  const { message, outcome, at } = item
  const { row } = message
  if (row.kind === 'notification' || row.kind === 'test') return []
  const refused = listRefused(outcome, row.refusedBefore)
  const delivered = findDeliveredId(item)
  const common = { occurredAt: at, campaignId: row.campaignId, leadId: row.leadId, leadEmail: row.lead?.email ?? null }
  const events: NewEvent[] = [
    {
      ...common,
      type: 'message.sent',
      messageId: row.id,
      stepId: row.stepId,
      variantId: message.variantId,
      sendingAccountId: message.sender.id,
      data: {
        kind: row.kind,
        first: lead?.first ?? false,
        rfcMessageId: message.rfcMessageId,
        ...(delivered !== null && { deliveredMessageId: delivered }),
        ...(refused.length > 0 && { refusedRecipients: refused }),
      },
    },
  ]
  if (lead !== null && lead.before !== lead.after) {
    events.push({ ...common, type: 'lead.status_changed', data: { from: lead.before, to: lead.after, reason: 'sent' } })
  }
  return events
}

async function followUp(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  { message, outcome, at }: DepartedMessage,
): Promise<void> {
  const { row } = message
  if (outcome.kind === 'sent') return bounceForLead(tx, tenant, { message, refused: outcome.refused, secrets, at })
  if (row.kind === 'test') return
  const { type, status: code, answer: reason } = outcome
  const ofLead = bounceOfLead(row, outcome)
  await applyBounce(tx, tenant, {
    messageId: row.id,
    ...(ofLead ?? { type, code, reason }),
    secrets,
    now: at,
    campaignId: row.campaignId,
    leadId: ofLead === null ? null : row.leadId,
    leadEmail: ofLead === null ? null : (row.lead?.email ?? null),
    stepId: row.stepId,
    variantId: message.variantId,
    sendingAccountId: message.sender.id,
  })
}

async function refreshSender(
  tx: Transaction,
  tenant: Tenant,
  sender: ReadyMessage['sender'],
  now: Date,
): Promise<void> {
  if (sender.status !== 'active') await recordSenderWorks(tx, tenant, sender.id, now)
  if (sender.holdCount > 0) await recordSenderSent(tx, tenant, sender.id, now)
}

interface ReleaseHow {
  attempted: boolean
  retryAt: Date
  forgetSender: boolean
}

async function release(
  tx: Transaction,
  tenant: Tenant,
  { message, outcome, at }: FinishedMessage,
  how: ReleaseHow,
): Promise<boolean> {
  const answer = outcome.kind === 'not_sent' ? null : 'answer' in outcome ? outcome.answer : null
  const manualRetryAt = how.attempted ? how.retryAt : new Date(at.getTime() + manualRetryMs)
  const released = await releaseMessages(tx, tenant, {
    ids: [message.row.id],
    token: message.token,
    attempted: how.attempted,
    byPolicy: outcome.kind === 'retry' && outcome.byPolicy,
    answer,
    now: at,
    retryAt: manualRetryAt,
    discard: !how.attempted,
  })
  await giveBack(tx, tenant, released, { at: how.retryAt, forgetSender: how.forgetSender })
  if (message.row.stepId === null) wakePlanner(tx, tenant, manualRetryAt)
  return released.length > 0
}
