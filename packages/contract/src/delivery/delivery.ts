import { z } from 'zod'
import { calendarDate, id, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { blockedReason, lead } from '../campaigns/leads.ts'
import { attachment } from '../inbox/attachments.ts'
import { messageCalendar } from '../inbox/message-calendar.ts'
import { triage } from '../inbox/triage.ts'
import { explanation } from './explanation.ts'
import { replyBytesMax, replyInput } from './reply.ts'
import { returnedBecause } from './returned.ts'

const nullableText = z.string().nullable()
const nullableTime = timestamp.nullable()

export const mailAddress = namedObject('MailAddress', { email: z.string(), name: nullableText })
export const messageStatus = z
  .enum(['queued', 'sending', 'sent', 'bounced', 'failed', 'uncertain', 'received', 'returned'])
  .meta({ id: 'MessageStatus' })
export const messageKind = z
  .enum(['campaign', 'reply', 'manual', 'auto_reply', 'bounce', 'unsubscribe', 'other'])
  .meta({ id: 'MessageKind' })

/** A recipient that the mail server refused, with the server's own message. */
export const refusedRecipient = namedObject('RefusedRecipient', {
  email: z.string(),
  code: nullableText,
  reason: z.string(),
})
export type RefusedRecipient = z.infer<typeof refusedRecipient>

/** A mail is proven by our Message-ID, by the authentication result of the mailbox's provider, or not at all. */
export const mailProof = z.enum(['message_id', 'authentication', 'none'])
export type MailProof = z.infer<typeof mailProof>

export const message = namedObject('Message', {
  id: z.string(),
  threadId: nullableText,
  direction: z.enum(['outbound', 'inbound']),
  kind: messageKind,
  stepId: nullableText,
  variantId: nullableText,
  from: mailAddress.nullable(),
  to: z.array(mailAddress),
  cc: z.array(mailAddress),
  subject: z.string(),
  /** For an inbound message only the new text, without quotes. */
  text: nullableText,
  /** For a received message, its signature and the text that it quotes. */
  quotedText: nullableText,
  signature: nullableText.meta({ description: 'The first lines of `quotedText`, if the writer signed with them.' }),
  html: nullableText,
  messageId: nullableText,
  rfcMessageId: nullableText.meta({
    description: 'The `Message-ID` header as it was written: the same as `messageId`.',
  }),
  deliveredMessageId: nullableText.meta({
    description:
      'The `Message-ID` that the recipient saw, if the mail server is known to have replaced ours. Replies name this id.',
  }),
  inReplyTo: nullableText,
  status: messageStatus,
  returnedBecause: returnedBecause.nullable().meta({
    description: 'Why the provider refused the message because of its sender; null if it did not.',
  }),
  sendAt: nullableTime.meta({ description: 'When a scheduled reply is sent; null for other messages.' }),
  heldAt: nullableTime.meta({
    description: 'When the lead wrote, so that a scheduled reply waits for a decision; else null.',
  }),
  sentAt: nullableTime,
  receivedAt: nullableTime,
  openedAt: nullableTime,
  refusedRecipients: z.array(refusedRecipient).meta({
    description:
      'Recipients who did not get a message that others got: the mail server refused them, or they are suppressed (`code` is null).',
  }),
  classification: z
    .looseObject({
      proof: mailProof.optional(),
      replyTo: z.array(mailAddress).optional(),
      triage: triage.optional(),
      calendar: messageCalendar.optional(),
    })
    .nullable()
    .meta({
      description:
        'The result of the rules and, in `triage`, that of the model that reads replies. `proof`: why the ' +
        'writer or the report is believed. With `none` a report has no effect, and any other mail only stops or delays mail ' +
        'to the lead. `replyTo`: the addresses of a reply, if they are not those in `from`. `calendar`: the invitation, response or ' +
        'cancellation in the message.',
    }),
  attachments: z.array(attachment),
})
export type Message = z.infer<typeof message>

export const thread = namedObject('LeadThread', {
  leadId: z.string(),
  campaignId: z.string(),
  messages: z.array(message),
})

export const previewInput = namedObject('PreviewMessageInput', {
  leadId: id,
  stepId: id.optional(),
  variantId: id.optional(),
})
export const preview = namedObject('MessagePreview', {
  stepId: z.string(),
  variantId: z.string(),
  sendingAccountId: nullableText,
  subject: z.string(),
  text: z.string(),
  html: nullableText,
  headers: z.record(z.string(), z.string()),
})
export type Preview = z.infer<typeof preview>

export const forecast = namedObject('Forecast', {
  days: z.array(
    namedObject('ForecastDay', {
      date: calendarDate,
      first: z.number().int(),
      followUp: z.number().int(),
      bySender: z.array(z.strictObject({ sendingAccountId: z.string(), count: z.number().int() })),
    }),
  ),
  finishesOn: calendarDate.nullable(),
  unscheduled: z.array(z.strictObject({ reason: z.string(), count: z.number().int() })),
  assumes: z.literal('leads_do_nothing').meta({
    description:
      'The forecast assumes that no lead opens, clicks, replies or books from now on. Fields and labels stay, and past acts count.',
  }),
  byBranch: z
    .array(
      namedObject('ForecastBranch', {
        stepId: z.string(),
        branchId: nullableText,
        count: z.number().int(),
      }),
    )
    .meta({
      description: 'How many leads each branch takes from now on. `branchId` is null for leads that match no branch.',
    }),
  handedOver: z.number().int().meta({ description: 'How many leads branches hand over to other campaigns.' }),
  arrivals: z.number().int().meta({
    description:
      'How many leads arrive through branches of other running campaigns. Their messages are counted in `days`.',
  }),
})
export type ForecastOutput = z.infer<typeof forecast>

export const followupStatus = namedObject('FollowupStatus', {
  campaignId: z.string(),
  status: z.string(),
  waiting: z.number().int(),
  due: z.number().int(),
  nextSendAt: nullableTime,
  byStep: z.array(
    namedObject('FollowupStep', {
      stepId: z.string(),
      position: z.number().int(),
      waiting: z.number().int(),
      due: z.number().int(),
      sent: z.number().int(),
    }),
  ),
  blocked: z.array(z.strictObject({ reason: blockedReason, count: z.number().int() })),
  lastSentAt: nullableTime,
})
export type FollowupStatus = z.infer<typeof followupStatus>

export const resolveInput = namedObject('ResolveDeliveryInput', { outcome: z.enum(['sent', 'not_sent']) })

export const deliveryEndpoints = {
  previewMessage: endpoint({
    operationId: 'previewMessage',
    call: 'campaigns.preview',
    method: 'POST',
    path: '/v2/campaigns/:id/preview',
    environment: 'both',
    scope: 'write',
    tag: 'Campaigns',
    summary: 'Preview a message',
    description:
      'Returns exactly the message that will be sent to this lead. A missing variable is a conflict that names it.',
    body: previewInput,
    success: [200],
    output: preview,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  getForecast: endpoint({
    operationId: 'getForecast',
    call: 'campaigns.forecast',
    method: 'GET',
    path: '/v2/campaigns/:id/forecast',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Forecast a campaign',
    description: 'Runs the planner that sends ahead on a copy. It assumes that leads do nothing.',
    success: [200],
    output: forecast,
    errors: ['NOT_FOUND'],
  }),
  getFollowupStatus: endpoint({
    operationId: 'getFollowupStatus',
    call: 'campaigns.followupStatus',
    method: 'GET',
    path: '/v2/campaigns/:id/followup-status',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get follow-up status',
    description:
      'How many leads are waiting and due per step, what blocks them, and when the next message is sent. Suppressed leads and ' +
      'leads that lack a value for a variable are only in `blocked`.',
    success: [200],
    output: followupStatus,
    errors: ['NOT_FOUND'],
  }),
  explainLead: endpoint({
    operationId: 'explainLead',
    call: 'campaigns.leads.explain',
    method: 'GET',
    path: '/v2/campaigns/:id/leads/:leadId/explain',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Explain a lead',
    description:
      'Every gate between the lead and its next message, open or closed, with its numbers and the time when it opens. ' +
      'Also contains the history of the lead, with the request that caused each entry.',
    success: [200],
    output: explanation,
    errors: ['NOT_FOUND'],
  }),
  getLeadThread: endpoint({
    operationId: 'getLeadThread',
    call: 'campaigns.leads.thread',
    method: 'GET',
    path: '/v2/campaigns/:id/leads/:leadId/thread',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get lead thread',
    description:
      'Everything that was sent to the lead and came from it, oldest first, by when each was sent or received.',
    success: [200],
    output: thread,
    errors: ['NOT_FOUND'],
  }),
  sendNow: endpoint({
    operationId: 'sendNow',
    call: 'campaigns.leads.sendNow',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/:leadId/send-now',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Send now',
    success: [202],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
    description:
      'Skips waiting time and window, never suppression, a stop rule or the daily cap of the sending account.',
  }),
  replyToLead: endpoint({
    operationId: 'replyToLead',
    call: 'campaigns.leads.reply',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/:leadId/reply',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Send reply',
    body: replyInput,
    bodyBytesMax: replyBytesMax,
    success: [202],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
    description: "Replies in the thread from the thread's own sending account, and stops the sequence.",
  }),
  resolveDelivery: endpoint({
    operationId: 'resolveDelivery',
    call: 'campaigns.leads.resolve',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/:leadId/resolve',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Resolve an uncertain delivery',
    body: resolveInput,
    success: [200],
    output: lead,
    errors: ['NOT_FOUND', 'CONFLICT'],
    description: '`not_sent` makes the step due again.',
  }),
}
