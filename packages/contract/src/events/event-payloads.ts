import { z } from 'zod'
import { deliverabilityReasons, deliverabilityState } from '../sending-accounts/deliverability.ts'
import { actor } from '../team/audit.ts'
import { role } from '../team/users.ts'
import { interest, leadStatus } from '../campaigns/leads.ts'
import { environment, namedObject, timestamp } from '../common.ts'
import { messageKind, refusedRecipient } from '../delivery/delivery.ts'
import { returnedBecause } from '../delivery/returned.ts'
import { triage } from '../inbox/triage.ts'
import { taskChannels, taskOutcomes } from '../vocabularies.ts'
import { meetingSource, meetingStatus } from '../meetings/meetings.ts'
import type { EventType } from './events.ts'

const text = z.string().nullable()
const count = z.number().int()

/** The `data` fields of every event. The other fields depend on the type. Source: docs/contract.md, "Events and webhooks". */
export const eventIds = {
  campaignId: text,
  leadId: text,
  leadEmail: text,
  messageId: text,
  stepId: text,
  variantId: text,
  sendingAccountId: text,
  /** Present in samples that `POST /v2/webhooks/:id/test` sends. */
  test: z.literal(true).optional(),
}

function payload<const Shape extends z.core.$ZodLooseShape>(name: string, fields: Shape) {
  return namedObject(`${name}Data`, { ...eventIds, ...fields })
}

const plain = payload('PlainEvent', {})
const named = payload('CampaignName', { name: z.string() })
const meeting = payload('MeetingEvent', {
  meetingId: z.string(),
  source: meetingSource,
  status: meetingStatus,
  startAt: timestamp,
  endAt: timestamp,
})
const hit = { machine: z.boolean(), reason: z.string(), unique: z.boolean(), userAgent: z.string() }
const credits = payload('CreditsEvent', { balance: count, threshold: count })
const { at: _at, ...classified } = triage.shape
/** False if nothing proves who wrote the mail. Branches ignore such an event. */
const unproven = z.literal(false).optional()

/** Title and instructions may name a person, so events have neither. */
const taskEvent = {
  taskId: z.string(),
  channel: z.enum(taskChannels),
  assigneeId: text,
  dueAt: timestamp,
}
const apiKeyEvent = { apiKeyId: z.string(), userId: z.string().nullable() }

/** The `data` of each event type. */
export const eventPayloads = {
  'campaign.created': named,
  'campaign.started': plain,
  'campaign.paused': payload('CampaignPaused', { reason: z.string() }),
  'campaign.resumed': payload('CampaignResumed', { reason: z.literal('reopened').optional() }),
  'campaign.completed': plain,
  'campaign.deleted': named,
  'lead.added': plain,
  'lead.status_changed': payload('LeadStatusChanged', {
    from: leadStatus,
    to: leadStatus,
    reason: z.string(),
    /** The name of the signal that caused it. */
    signal: z.string().optional(),
  }),
  'lead.interest_changed': payload('LeadInterestChanged', {
    from: interest.nullable(),
    to: interest.nullable(),
    source: z.enum(['person', 'machine', 'system']),
    /** For `interested`: whether it is the lead's first time. */
    unique: z.boolean().optional(),
  }),
  'lead.unsubscribed': payload('LeadUnsubscribed', { source: z.string() }),
  'lead.handed_over': payload('LeadHandedOver', {
    /** The campaign that took the lead over, and the lead there. */
    toCampaignId: z.string(),
    toLeadId: z.string(),
    /** Either a branch led there, or an event happened for which the other campaign waits. */
    by: z.enum(['branch', 'entry']),
    evidence: z.string(),
  }),
  'branch.decided': payload('BranchDecided', {
    /** The branch whose condition was true; null if none was. */
    branchId: text,
    label: text,
    /** The step with which the lead continues, the campaign that takes the lead over, or `end`. */
    goesTo: z.string(),
    /** The facts on which the decision was made. */
    evidence: z.string(),
    /** Whether an event made the decision before its time. */
    immediate: z.boolean(),
    reason: z.enum(['decided', 'target_removed', 'branch_removed']),
  }),
  'message.sent': payload('MessageSent', {
    kind: messageKind,
    /** Whether it is the campaign's first message to the lead. */
    first: z.boolean(),
    /** The `Message-ID` header as we wrote it. */
    rfcMessageId: text.optional(),
    /** The `Message-ID` that replaced ours, if the mail server named it in its reply. */
    deliveredMessageId: text.optional(),
    /** The proof that a message of uncertain delivery was sent. */
    settledBy: z.string().optional(),
    /** For several recipients, those that the mail server refused. They get nothing. */
    refusedRecipients: z.array(refusedRecipient).optional(),
  }),
  'message.opened': payload('MessageOpened', hit),
  'message.clicked': payload('MessageClicked', { ...hit, url: z.string() }),
  'message.deferred': payload('MessageDeferred', {
    kind: messageKind,
    reason: text,
    attempts: count,
    retryAt: timestamp,
  }),
  'message.bounced': payload('MessageBounced', {
    type: z.enum(['hard', 'soft', 'block']),
    code: text,
    reason: text,
    unique: z.boolean(),
    verified: z
      .literal(true)
      .optional()
      .meta({ description: 'The last verification of the address said deliverable.' }),
  }),
  'message.returned': payload('MessageReturned', {
    because: returnedBecause,
    code: text,
    reason: text,
    kind: z.string(),
    /** The message was counted as a bounce before, which this event reverts. Its time is that of the bounce. */
    bouncedBefore: z.literal(true).optional(),
  }),
  'message.failed': payload('MessageFailed', { reason: z.string() }),
  'message.uncertain': payload('MessageUncertain', { reason: text }),
  /** A person wrote to the lead from a sending account's mailbox, outside of campaigns. */
  'message.manual_sent': payload('MessageManualSent', { rfcMessageId: text, sentAt: timestamp }),
  /** A message in the sender's mailbox that could not be read. It stays in the mailbox. */
  'message.set_aside': payload('MessageSetAside', {
    reason: z.string(),
    folder: z.string(),
    uid: count,
    sizeBytes: count.nullable(),
  }),
  /** A user wrote a note in a conversation. `mentions` has the ids of the users that it is for. */
  'conversation.noted': payload('ConversationNoted', {
    conversationId: z.string(),
    noteId: z.string(),
    mentions: z.array(z.string()),
  }),
  'reply.received': payload('ReplyReceived', {
    unique: z.boolean(),
    kind: z.literal('reply'),
    rule: z.string(),
    proven: unproven,
  }),
  'reply.auto_received': payload('AutoReplyReceived', {
    rule: z.string(),
    awayUntil: text,
    deferredUntil: text,
    proven: unproven,
  }),
  /** A model drafted a reply, which waits for a person. The text is in the conversation. */
  'reply.classified': payload('ReplyClassified', { ...classified, proven: unproven }),
  'reply.drafted': payload('ReplyDrafted', {
    conversationId: z.string(),
    draftId: z.string(),
    modelId: z.string(),
    creditsCharged: count,
  }),
  'meeting.booked': meeting,
  'meeting.rescheduled': meeting,
  'meeting.canceled': meeting,
  'meeting.completed': meeting,
  'task.created': payload('TaskCreated', taskEvent),
  'task.completed': payload('TaskCompleted', { ...taskEvent, outcome: z.enum(taskOutcomes) }),
  'task.skipped': payload('TaskSkipped', { ...taskEvent, reason: z.enum(['user', 'expired', 'rejected']) }),
  'task.canceled': payload('TaskCanceled', { ...taskEvent, reason: z.string() }),
  'task.overdue': payload('TaskOverdue', taskEvent),
  'sending_account.error': payload('SendingAccountError', {
    status: z.string(),
    error: text,
    sent: count.optional(),
    bounced: count.optional(),
  }),
  'sending_account.recovered': payload('SendingAccountRecovered', { from: z.string() }),
  'sending_account.deliverability_changed': payload('SendingAccountDeliverabilityChanged', {
    from: deliverabilityState,
    to: deliverabilityState,
    reasons: deliverabilityReasons,
  }),
  'credits.low': credits,
  'credits.exhausted': credits,
  'import.completed': payload('ImportCompleted', { importId: z.string(), added: count, failed: count }),
  'verification.completed': payload('VerificationCompleted', {
    verificationId: z.string(),
    total: count,
    deliverable: count,
    risky: count,
    undeliverable: count,
    unknown: count,
    creditsCharged: count,
  }),
  /** A receiver's DMARC report about a domain of the account, from a mailbox or an upload. */
  'domain.report_received': payload('DomainReportReceived', {
    reportId: z.string(),
    domain: z.string(),
    orgName: z.string(),
    beginsAt: timestamp,
    endsAt: timestamp,
    messages: count,
    spfAligned: count,
    dkimAligned: count,
  }),
  /** All messages of a placement test were found, or given up. `unknown` are results that say nothing about the senders. */
  'placement_test.completed': payload('PlacementTestCompleted', {
    placementTestId: z.string(),
    inbox: count,
    tab: count,
    spam: count,
    missing: count,
    unknown: count,
  }),
  /** A scheduled report that was not mailed: `url` is its page in the console. `from` and `to` complete its query. */
  'report.ready': payload('ReportReady', {
    reportId: z.string(),
    name: z.string(),
    groupBy: z.string(),
    from: z.string(),
    to: z.string(),
    timezone: z.string(),
    /** The users who are its recipients. */
    recipients: z.array(z.string()),
    url: z.string(),
  }),
  'signal.received': payload('SignalReceived', {
    signalId: z.string(),
    signal: z.string(),
    domain: text,
    /** Present if a value was given and the person was not erased. */
    value: z.union([z.string(), z.number(), z.boolean()]).optional(),
    signaledAt: timestamp,
    matchedLeads: count,
  }),
  'webhook.disabled': payload('WebhookDisabled', { webhookId: z.string(), url: z.string(), reason: z.string() }),
  'user.joined': payload('UserJoined', { userId: z.string(), role }),
  'user.role_changed': payload('UserRoleChanged', { userId: z.string(), role, previousRole: role }),
  'user.removed': payload('UserRemoved', { userId: z.string(), reason: z.enum(['disabled', 'deleted']) }),
  'api_key.created': payload('ApiKeyCreated', apiKeyEvent),
  'api_key.revoked': payload('ApiKeyRevoked', apiKeyEvent),
} satisfies Record<EventType, z.ZodObject>

/** The fields of an event type besides the ids that all events have. */
export type EventDetails<Type extends EventType> = Omit<z.output<(typeof eventPayloads)[Type]>, keyof typeof eventIds>

/** The event of one type, as in the event log and in webhooks. */
export function eventSchema<const Type extends EventType>(type: Type) {
  const data: (typeof eventPayloads)[Type] = eventPayloads[type]
  return namedObject(eventName(type), {
    id: z.string(),
    type: z.literal(type),
    occurredAt: timestamp,
    environment,
    /** The user, key or process whose request caused it; null if it was written before actors were recorded. */
    actor: actor.nullable(),
    data,
  })
}

/** The name of the event model: `reply.auto_received` is `ReplyAutoReceivedEvent`. */
export function eventName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}
