import { nextPosition } from '@overture/ground/paths/path.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'
import { AppError, conflict, notFound } from '@overture/contract/errors.ts'
import type { Message } from '@overture/contract/delivery/delivery.ts'
import {
  lockCampaign,
  lockLead,
  wakePlanner,
  type CampaignRow,
  type LeadRow,
  takeLeadForSending,
} from '../../campaigns/index.ts'
import { contactKeys, loadContactBook } from '../../contact-policy/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { type TemplateRenderer } from '../../templates/index.ts'
import { leadScope } from '../../templates/render.ts'
import { findFromAddress } from './from-address.queries.ts'
import {
  findMessage,
  hastenMessage,
  insertMessage,
  lockStepMessage,
  type MessageRow,
  type NewMessage,
} from './messages.sql.ts'
import type { Address } from '../write/message-bytes.ts'
import { firstClosedGate } from '@overture/planner/contact-policy.ts'
import { openSenders, readyMs } from '@overture/planner/pacing.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { listPlanSteps, type PlanStepRow } from '../plan/campaigns.sql.ts'
import { listVariants } from '../plan/texts.sql.ts'
import { listWrittenTexts, variantFor } from '../plan/written-texts.shell.ts'

interface ManualMessage {
  /** Null begins a new thread. */
  threadId: string | null
  campaignId?: string | null
  leadId?: string | null
  sendingAccountId: string
  to: readonly Address[]
  cc?: readonly Address[]
  bcc?: readonly Address[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  refs: readonly string[]
  attachments?: readonly { filename: string; contentType: string; content: Buffer }[]
  kind: 'manual' | 'notification'
  /** The recipient never wrote to us, so the message has opt-out headers, and a person's message has the limits of a campaign's. */
  toStranger?: boolean
  /** The message is sent at the earliest this long after `now`. */
  delayMs?: number
  /** When a person wants it to be sent; null for at once. */
  sendAt?: Date | null
  now: Date
}

/** Queues a person's message or one of our notices for the usual claim, gate and record. Returns its id. */
export async function queueManualMessage(tx: Transaction, tenant: Tenant, message: ManualMessage): Promise<string> {
  const id = newId('msg')
  const attemptAt = message.sendAt ?? new Date(message.now.getTime() + (message.delayMs ?? 0))
  await insertMessage(tx, tenant, {
    id,
    kind: message.kind,
    campaignId: message.campaignId ?? null,
    leadId: message.leadId ?? null,
    stepId: null,
    threadId: message.threadId,
    sendingAccountId: message.sendingAccountId,
    to: message.to,
    cc: message.cc ?? [],
    bcc: message.bcc ?? [],
    from: await findFromAddress(tx, tenant, message.sendingAccountId),
    subject: message.subject,
    text: message.text,
    html: message.html,
    inReplyTo: message.inReplyTo,
    refs: message.refs,
    attachments: toAttachments(message),
    toStranger: message.toStranger === true,
    attemptAt,
    sendAt: message.sendAt ?? null,
    now: message.now,
  })
  wakePlanner(tx, tenant, attemptAt)
  return id
}

function toAttachments({ attachments = [] }: ManualMessage): NewMessage['attachments'] {
  if (attachments.length === 0) return null
  return attachments.map((file) => ({ ...file, content: file.content.toString('base64') }))
}

/** Queues a lead's next step immediately (docs/contract.md, "Leads", send-now). */
export async function sendNow(
  tx: Transaction,
  tenant: Tenant,
  input: { campaignId: string; leadId: string; secrets: AddressHashes; renderer: TemplateRenderer; now: Date },
): Promise<Message> {
  const campaign = await lockCampaign(tx, tenant, input.campaignId)
  const lead = campaign && (await lockLead(tx, tenant, input))
  if (campaign === undefined || !lead) throw notFound()
  if (campaign.status !== 'active') throw conflict('The campaign is not active.', campaign.status)
  if (lead.status !== 'pending' && lead.status !== 'active')
    throw conflict('This lead has no next message.', lead.status)
  if (lead.blockedReason === 'delivery_uncertain')
    throw conflict('It is uncertain whether the last message to this lead was sent. Resolve it first.', lead.status)
  if (lead.blockedReason === 'returned')
    throw conflict('The last message was returned because of its sender. Resolve it first.', lead.status)
  if ((await findSuppressed(tx, tenant, { secrets: input.secrets, emails: [lead.email] })).size > 0)
    throw conflict('The address is suppressed.', lead.status)
  await assertContactAllowed(tx, tenant, { ...input, lead })
  const step = (await listPlanSteps(tx, tenant, [campaign.id])).find((row) => row.position === nextPosition(lead))
  if (step === undefined) throw conflict('This lead has no next message.', lead.status)
  if (step.type !== 'email')
    throw conflict(`The next step is a ${step.type}, which comes first. Send the message afterwards.`, lead.status)
  const existing = await lockStepMessage(tx, tenant, { ...input, stepId: step.id })
  if (existing !== undefined) return hasten(tx, tenant, { existing, lead, now: input.now })
  await assertWritable(tx, tenant, { lead, step, renderer: input.renderer })
  return queueStep(tx, tenant, { campaign, lead, step, now: input.now })
}

/** Sending now skips no gate of the contact policy. */
async function assertContactAllowed(
  tx: Transaction,
  tenant: Tenant,
  { lead, secrets, now }: { lead: LeadRow; secrets: AddressHashes; now: Date },
): Promise<void> {
  const book = await loadContactBook(tx, tenant, { secrets, leads: [lead] })
  const closed = book && firstClosedGate(book, { ...lead, ...contactKeys(lead) }, now.getTime())
  if (closed) throw conflict(closed.detail, closed.gate)
}

async function hasten(
  tx: Transaction,
  tenant: Tenant,
  { existing, lead, now }: { existing: MessageRow; lead: LeadRow; now: Date },
): Promise<Message> {
  if (existing.status !== 'queued') throw conflict(`The message is ${existing.status}.`, lead.status)
  if (!existing.claimed) {
    await hastenMessage(tx, tenant, { id: existing.id, now })
    await takeLeadForSending(tx, tenant, {
      campaignId: lead.campaignId,
      leadId: lead.id,
      sendingAccountId: existing.sendingAccountId,
      now,
    })
    wakePlanner(tx, tenant, now)
  }
  return presentMessage(existing)
}

async function assertWritable(
  tx: Transaction,
  tenant: Tenant,
  { lead, step, renderer }: { lead: LeadRow; step: PlanStepRow; renderer: TemplateRenderer },
): Promise<void> {
  const variants = await listVariants(tx, tenant, { campaignIds: [lead.campaignId], stepIds: [step.id] })
  const written = await listWrittenTexts(tx, tenant, { variants, leadIds: [lead.id] })
  const variant = variantFor(variants, written, { leadId: lead.id, stepId: step.id })
  if (variant === undefined) throw conflict('The step has no text to send.', lead.status)
  const scope = {
    ...leadScope(lead),
    meetingUrl: 'url',
    unsubscribeUrl: 'url',
    sender: { email: 'email', fromName: 'name', signature: 'signature' },
  }
  const texts = step.sameThread && lead.threadId !== null ? [variant.body] : [variant.subject, variant.body]
  const [names = []] = await renderer.missing(tenant, [{ texts, scope }])
  if (names.length > 0)
    throw conflict(`The lead has no value for ${names.join(', ')}, and there is no default.`, lead.status)
}

async function queueStep(
  tx: Transaction,
  tenant: Tenant,
  { campaign, lead, step, now }: { campaign: CampaignRow; lead: LeadRow; step: PlanStepRow; now: Date },
): Promise<Message> {
  const senderId =
    (lead.currentStep > 0 || lead.threadId !== null) && lead.sendingAccountId !== null
      ? lead.sendingAccountId
      : await pickSender(tx, tenant, campaign, now)
  const id = newId('msg')
  await insertMessage(tx, tenant, {
    id,
    kind: 'campaign',
    campaignId: campaign.id,
    leadId: lead.id,
    stepId: step.id,
    threadId: null,
    sendingAccountId: senderId,
    to: [{ email: lead.email, name: null }],
    cc: [],
    bcc: [],
    from: await findFromAddress(tx, tenant, senderId),
    subject: '',
    text: null,
    html: null,
    inReplyTo: null,
    refs: [],
    attachments: null,
    toStranger: false,
    sendAt: null,
    attemptAt: now,
    now,
  })
  await takeLeadForSending(tx, tenant, { campaignId: campaign.id, leadId: lead.id, sendingAccountId: senderId, now })
  wakePlanner(tx, tenant, now)
  const queued = await findMessage(tx, tenant, id)
  if (queued === undefined) throw new AppError('INTERNAL_ERROR', 'The message was not queued.')
  return presentMessage(queued)
}

async function pickSender(tx: Transaction, tenant: Tenant, campaign: CampaignRow, now: Date): Promise<string> {
  const senders = await loadSenders(tx, tenant, campaign.sendingAccountIds, now)
  const budgets = openSenders(senders, now.getTime())
  budgets.sort((a, b) => readyMs(a, now.getTime()) - readyMs(b, now.getTime()) || a.claimed - b.claimed)
  const first = budgets[0]
  if (first === undefined) throw conflict('The campaign has no sending account.', campaign.status)
  return first.sender.id
}

/** A message as the API shows it: with our links, but without tokens that act for its recipient. */
export function presentMessage(row: MessageRow): Message {
  return withoutLinkTokens({
    id: row.id,
    threadId: row.threadId,
    direction: row.direction,
    kind: row.kind === 'notification' || row.kind === 'test' ? 'other' : row.kind,
    stepId: row.stepId,
    variantId: row.variantId,
    from: row.fromAddress,
    to: row.toAddresses,
    cc: row.ccAddresses,
    subject: row.subject,
    text: row.text,
    quotedText: row.quotedText,
    signature: row.signature,
    html: row.html,
    messageId: row.rfcMessageId,
    rfcMessageId: row.rfcMessageId,
    deliveredMessageId: row.deliveredMessageId,
    inReplyTo: row.inReplyTo,
    status: row.status,
    returnedBecause: row.status === 'returned' ? (row.failure?.because ?? null) : null,
    sendAt: row.sendAt?.toISOString() ?? null,
    heldAt: row.heldAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    openedAt: row.openedAt?.toISOString() ?? null,
    refusedRecipients: row.failure?.refusedRecipients ?? [],
    classification: row.classification,
    attachments: (row.attachments ?? []).map((file, at) => ({ n: at + 1, ...file })),
  })
}
