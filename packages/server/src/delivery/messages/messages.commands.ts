import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import type { Message } from '@overture/contract/delivery/delivery.ts'
import type { ReplyInput } from '@overture/contract/delivery/reply.ts'
import {
  findLeadWithCampaign,
  lockCampaign,
  lockLead,
  stopLead,
  wakePlanner,
  type CampaignRow,
  type LeadRow,
} from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { replySubject, textToHtml, type TemplateRenderer } from '../../templates/index.ts'
import { findFromAddress } from './from-address.queries.ts'
import {
  findMessage,
  hastenMessage,
  insertMessage,
  listLeadMessages,
  lockStepMessage,
  takeLeadForSending,
  type MessageRow,
} from '../messages.sql.ts'
import type { Address } from '../compose/message-bytes.ts'
import { budgetOf, readyMs } from '../planner/pacing.ts'
import { loadSenders } from '../claim/load-state.shell.ts'
import { listPlanSteps, type PlanStepRow } from '../planning.sql.ts'
import { listVariants } from '../texts/variants.queries.ts'
import { listWrittenTexts, variantFor } from '../texts/written-texts.shell.ts'

export interface ManualMessage {
  /** Null: a new thread. */
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
  /** To an address that its owner has not given us: a suppression holds it back. */
  toStranger?: boolean
  now: Date
}

/** Queues a person's message (or a notice of ours): it goes through the same claim, gate and record. Answers its id. */
export async function queueManualMessage(tx: Transaction, tenant: Tenant, message: ManualMessage): Promise<string> {
  const id = newId('msg')
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
    attachments: message.attachments?.map((file) => ({ ...file, content: file.content.toString('base64') })) ?? null,
    toStranger: message.toStranger === true,
    now: message.now,
  })
  await wakePlanner(tx, tenant, message.now)
  return id
}

/** Queues a lead's next step at once (docs/contract.md, "Leads", send-now). */
export async function sendNow(
  tx: Transaction,
  tenant: Tenant,
  input: { campaignId: string; leadId: string; secrets: AddressHashes; renderer: TemplateRenderer; now: Date },
): Promise<Message> {
  const campaign = await lockCampaign(tx, tenant, input.campaignId)
  const lead = campaign && (await lockLead(tx, tenant, input))
  if (campaign === undefined || !lead) throw notFound()
  if (campaign.status !== 'active') throw refuse('The campaign is not active.', campaign.status)
  if (lead.status !== 'pending' && lead.status !== 'active') throw refuse('Nothing is next for this lead.', lead.status)
  if (lead.blockedReason === 'delivery_uncertain')
    throw refuse('The last delivery to this lead is uncertain: resolve it first.', lead.status)
  if ((await findSuppressed(tx, tenant, { secrets: input.secrets, emails: [lead.email] })).size > 0)
    throw refuse('The address is suppressed.', lead.status)
  const step = (await listPlanSteps(tx, tenant, [campaign.id])).find((row) => row.position === lead.currentStep + 1)
  if (step === undefined) throw refuse('Nothing is next for this lead.', lead.status)
  const existing = await lockStepMessage(tx, tenant, { ...input, stepId: step.id })
  if (existing !== undefined) return hasten(tx, tenant, { existing, lead, now: input.now })
  await assertWritable(tx, tenant, { lead, step, renderer: input.renderer })
  return queueStep(tx, tenant, { campaign, lead, step, now: input.now })
}

function refuse(message: string, currentStatus: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus, allowedActions: [] })
}

async function hasten(
  tx: Transaction,
  tenant: Tenant,
  { existing, lead, now }: { existing: MessageRow; lead: LeadRow; now: Date },
): Promise<Message> {
  if (existing.status !== 'queued') throw refuse(`The message is ${existing.status}.`, lead.status)
  if (!existing.leased) {
    await hastenMessage(tx, tenant, { id: existing.id, now })
    await takeLeadForSending(tx, tenant, {
      campaignId: lead.campaignId,
      leadId: lead.id,
      sendingAccountId: existing.sendingAccountId,
      now,
    })
    await wakePlanner(tx, tenant, now)
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
  if (variant === undefined) throw refuse('The step has no text to send.', lead.status)
  const scope = {
    ...lead,
    meetingUrl: 'url',
    unsubscribeUrl: 'url',
    sender: { email: 'email', fromName: 'name', signature: 'signature' },
  }
  const texts = step.sameThread && lead.currentStep > 0 ? [variant.body] : [variant.subject, variant.body]
  const [names = []] = await renderer.missing(tenant, [{ texts, scope }])
  if (names.length > 0) throw refuse(`No value and no default for ${names.join(', ')}.`, lead.status)
}

async function queueStep(
  tx: Transaction,
  tenant: Tenant,
  { campaign, lead, step, now }: { campaign: CampaignRow; lead: LeadRow; step: PlanStepRow; now: Date },
): Promise<Message> {
  const senderId =
    lead.currentStep > 0 && lead.sendingAccountId !== null
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
    now,
  })
  await takeLeadForSending(tx, tenant, { campaignId: campaign.id, leadId: lead.id, sendingAccountId: senderId, now })
  await wakePlanner(tx, tenant, now)
  const queued = await findMessage(tx, tenant, id)
  if (queued === undefined) throw new AppError('INTERNAL_ERROR', 'The message was not queued.')
  return presentMessage(queued)
}

async function pickSender(tx: Transaction, tenant: Tenant, campaign: CampaignRow, now: Date): Promise<string> {
  const senders = await loadSenders(tx, tenant, campaign.sendingAccountIds, now)
  const budgets = senders.map((sender) => budgetOf(sender, now.getTime()))
  budgets.sort((a, b) => readyMs(a, now.getTime()) - readyMs(b, now.getTime()) || a.claimed - b.claimed)
  const first = budgets[0]
  if (first === undefined) throw refuse('The campaign has no sending account.', campaign.status)
  return first.sender.id
}

export type ReplyOptions = ReplyInput & { now: Date; renderer: TemplateRenderer }

/** A person's reply to a lead, in the lead's thread; ends the sequence (docs/contract.md, "Leads"). */
export async function replyToLead(
  tx: Transaction,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
  input: ReplyOptions,
): Promise<Message> {
  const found = await findLeadWithCampaign(tx, tenant, key)
  if (found === undefined) throw notFound()
  const messages = await listLeadMessages(tx, tenant, key)
  const id = await queueReply(tx, tenant, { messages, lead: found.lead, input })
  await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'manual_reply' }, now: input.now })
  return presentQueued(tx, tenant, id)
}

async function queueReply(
  tx: Transaction,
  tenant: Tenant,
  { messages, lead, input }: { messages: readonly MessageRow[]; lead: LeadRow | null; input: ReplyOptions },
): Promise<string> {
  const answered = answeredMessage(messages, input.replyToMessageId)
  if (answered === undefined) throw refuse('There is no message to answer.', lead?.status ?? 'open')
  const chain = messages.filter(
    (row) => row.threadId === answered.threadId && row.rfcMessageId !== null && row.status !== 'queued',
  )
  const to =
    answered.direction === 'inbound' && answered.fromAddress !== null ? [answered.fromAddress] : answered.toAddresses
  const address = (email: string): Address => ({ email, name: null })
  return queueManualMessage(tx, tenant, {
    threadId: answered.threadId,
    campaignId: answered.campaignId,
    leadId: answered.leadId,
    sendingAccountId: answered.sendingAccountId,
    to,
    cc: input.cc?.map(address) ?? [],
    bcc: input.bcc?.map(address) ?? [],
    subject: replySubject(answered.subject),
    text: input.text ?? (await textOfHtml(input.renderer, tenant, input.html ?? '')),
    html: input.html ?? textToHtml(input.text ?? ''),
    inReplyTo: answered.rfcMessageId,
    refs: chain.map((row) => row.rfcMessageId ?? ''),
    attachments: (input.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
    kind: 'manual',
    now: input.now,
  })
}

async function textOfHtml(renderer: TemplateRenderer, tenant: Tenant, html: string): Promise<string> {
  const text = await renderer.textOf(tenant, html)
  if (text === null) throw invalid({ path: 'html', rule: 'nesting', message: 'The HTML is nested too deeply.' })
  return text
}

function answeredMessage(messages: readonly MessageRow[], id: string | undefined): MessageRow | undefined {
  const answerable = messages.filter((row) => row.status === 'received' || row.status === 'sent')
  if (id !== undefined) return answerable.find((row) => row.id === id)
  return answerable.findLast((row) => row.direction === 'inbound' && row.kind !== 'bounce') ?? answerable.at(-1)
}

async function presentQueued(tx: Transaction, tenant: Tenant, id: string): Promise<Message> {
  const row = await findMessage(tx, tenant, id)
  if (row === undefined) throw new AppError('INTERNAL_ERROR', 'The message was not queued.')
  return presentMessage(row)
}

export function presentMessage(row: MessageRow): Message {
  return {
    id: row.id,
    threadId: row.threadId,
    direction: row.direction,
    kind: row.kind === 'notification' ? 'other' : row.kind,
    stepId: row.stepId,
    variantId: row.variantId,
    from: row.fromAddress,
    to: row.toAddresses,
    cc: row.ccAddresses,
    subject: row.subject,
    text: row.text,
    quotedText: row.quotedText,
    html: row.html,
    messageId: row.rfcMessageId,
    inReplyTo: row.inReplyTo,
    status: row.status,
    sentAt: row.sentAt?.toISOString() ?? null,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    openedAt: row.openedAt?.toISOString() ?? null,
    classification: row.classification,
  }
}
