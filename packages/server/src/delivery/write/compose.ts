import type { LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import { mayTrack, type PrivacyNoticeForm, type TrackingMode } from '@overture/contract/campaigns/privacy-settings.ts'
import {
  placeLinks,
  type LeadVariables,
  type RenderInput,
  type RenderResult,
  type SenderVariables,
} from '../../templates/render.ts'
import { needsNotice, type PrivacyNotice } from '../../templates/privacy-notice.ts'
import { seenMessageId } from './thread-order.ts'
import { headerFields, buildMessageId, type MimeInput } from './message-bytes.ts'
import { optOutMailto, signAddressToken, type OptOutSender } from './opt-out-mailto.ts'
import { optOutUrl, type TokenSeal } from './opt-out-link.ts'
import { signTrackingToken, trackedUrlLengthMax, type SignToken, type TrackingPurpose } from './tracking-token.ts'

/** The fields of a thread's messages that the next message needs, oldest first. */
export interface ThreadMessage {
  direction: 'outbound' | 'inbound'
  rfcMessageId: string | null
  /** The Message-ID with which a server replaced `rfcMessageId`. */
  deliveredMessageId?: string | null
}

export interface ComposeInput extends TokenSeal {
  messageId: string
  now: Date
  tenant: { accountId: string; environment: 'live' | 'test' }
  campaignId: string
  stepId: string
  lead: LeadVariables & Pick<LeadProfile, 'trackingConsent' | 'dataSource' | 'lawfulBasis'> & { id: string }
  sender: SenderVariables & OptOutSender & { replyTo: string | null; trackingDomain: string | null }
  template: { subject: string; body: string }
  settings: {
    textOnly: boolean
    unsubscribe: 'link' | 'header_only'
    tracking: TrackingMode
    privacyNotice: PrivacyNoticeForm
    openTracking: boolean
    linkTracking: boolean
  }
  /** Attempts before the message is written again. Absent if it is written for the first time. */
  writtenBefore?: number
  /** Null if the message begins a thread. */
  thread: { subject: string; messages: readonly ThreadMessage[] } | null
  footer: AccountFooter
  /** Whether it is the first message that the lead gets from its campaign. */
  isFirst: boolean
  publicUrl: string
  meetingUrl: string | null
  sign: SignToken
}

/** The facts about the account that messages name. */
export interface AccountFooter {
  /** Null if no user chose a name. */
  name: string | null
  postalAddress: string | null
  privacyContact: string | null
  privacyUrl: string | null
}

export type RenderedContent = Extract<RenderResult, { kind: 'rendered' }>

interface ComposedMessage {
  subject: string
  text: string
  html: string | null
  mime: MimeInput
}

/** The input from which a message is rendered: the same for preview and for sending. */
export function toRenderInput(input: ComposeInput): RenderInput {
  const { settings } = input
  const tracked = mayTrack(settings.tracking, input.lead.trackingConsent)
  return {
    seed: `${input.lead.id} ${input.stepId}`,
    template: input.template,
    lead: input.lead,
    sender: input.sender,
    unsubscribeUrl: optOutUrl(input, input.publicUrl, {
      ...input.tenant,
      leadId: input.lead.id,
      email: input.lead.email,
    }),
    meetingUrl: input.meetingUrl,
    textOnly: settings.textOnly,
    unsubscribe: settings.unsubscribe,
    postalAddress: input.footer.postalAddress,
    privacyNotice: choosePrivacyNotice(input),
    threadSubject: input.thread?.subject ?? null,
    openPixelUrl: tracked && settings.openTracking ? trackedLink(input, 'open', null) : null,
    trackLinks: tracked && settings.linkTracking,
  }
}

function choosePrivacyNotice({ settings, isFirst, lead, footer }: ComposeInput): PrivacyNotice | null {
  const { privacyNotice: form } = settings
  if (form === 'off' || !isFirst || !needsNotice(lead.country)) return null
  const { name: controller, privacyContact: contact, privacyUrl: url } = footer
  return { form, controller, source: lead.dataSource, basis: lead.lawfulBasis, contact, url }
}

/** Composes one campaign message from its rendered content, with tracked links, thread headers and RFC 8058 headers. */
export function composeCampaignMessage(
  input: ComposeInput,
  unsubscribeUrl: string,
  rendered: RenderedContent,
): ComposedMessage {
  const { subject, text } = rendered
  const html =
    rendered.html === null ? null : placeLinks(rendered.html, rendered.links, (url) => trackedUrl(input, url))
  const chain = (input.thread?.messages ?? []).filter((message) => message.rfcMessageId !== null)
  const answered = chain.findLast((message) => message.direction === 'outbound')
  const { campaignId, tenant } = input
  const mime: MimeInput = {
    messageId: buildMessageId(input.messageId, input.sender.email, input.writtenBefore),
    date: input.now,
    from: { email: input.sender.email, name: input.sender.fromName },
    replyTo: input.sender.replyTo,
    to: [{ email: input.lead.email, name: fullName(input.lead) }],
    cc: [],
    subject,
    text,
    html,
    inReplyTo: answered === undefined ? null : seenMessageId(answered),
    references: chain.flatMap((message) => seenMessageId(message) ?? []),
    unsubscribe: {
      url: unsubscribeUrl,
      mailto: optOutMailto(input.sender, unsubscribeUrl, signAddressToken(input.sign, input.lead.id)),
    },
    ref: messageRef(input.sign, input.messageId),
    feedbackId: buildFeedbackId({ campaignId, accountId: tenant.accountId, kind: 'campaign' }),
  }
  return { subject, text, html, mime }
}

/** The token in `X-Overture-Ref`, which survives a server that replaces the Message-ID. It says nothing about people. */
export function messageRef(sign: SignToken, messageId: string): string {
  return sign('message ref', [messageId])
}

/** The `Feedback-ID` header of Gmail's feedback loop: three ids, which are counted separately, and a constant for all our mail. */
function buildFeedbackId(ids: { campaignId: string | null; accountId: string; kind: string }): string {
  return `${ids.campaignId ?? ''}:${ids.accountId}:${ids.kind}:overture`
}

type ManualFields = 'to' | 'cc' | 'subject' | 'text' | 'html' | 'inReplyTo' | 'references'

interface ManualInput extends Pick<MimeInput, ManualFields> {
  messageId: string
  now: Date
  sender: SenderVariables & { replyTo: string | null }
  kind: 'manual' | 'notification'
  accountId: string
  campaignId: string | null
  sign: SignToken
  /** For a recipient who never wrote to us; null for everyone else. */
  unsubscribeUrl: string | null
}

/** A person's own message or a notice, without tracking. It has opt-out headers only with an `unsubscribeUrl`. */
export function manualMime(input: ManualInput): MimeInput {
  return {
    messageId: buildMessageId(input.messageId, input.sender.email),
    date: input.now,
    from: { email: input.sender.email, name: input.sender.fromName },
    replyTo: input.sender.replyTo,
    to: input.to,
    cc: input.cc,
    subject: input.subject,
    text: input.text,
    html: input.html,
    inReplyTo: input.inReplyTo,
    references: input.references,
    unsubscribe:
      input.unsubscribeUrl === null
        ? null
        : { url: input.unsubscribeUrl, mailto: optOutMailto(input.sender, input.unsubscribeUrl, null) },
    ...(input.kind === 'notification' ? { autoSubmitted: 'auto-generated' as const } : {}),
    ref: messageRef(input.sign, input.messageId),
    feedbackId: buildFeedbackId(input),
  }
}

const headersOfOneMessage = new Set(['Message-ID', 'Date', 'X-Overture-Ref'])

/** The headers that are known before the message exists: all except its ids and date. */
export function previewHeaders(mime: MimeInput): Record<string, string> {
  return Object.fromEntries(headerFields(mime).filter(([name]) => !headersOfOneMessage.has(name)))
}

function trackedUrl(input: ComposeInput, url: string): string {
  return url.length > trackedUrlLengthMax ? url : trackedLink(input, 'click', url)
}

function trackedLink(input: ComposeInput, purpose: TrackingPurpose, target: string | null): string {
  const token = signTrackingToken(input.sign, purpose, {
    ...input.tenant,
    campaignId: input.campaignId,
    leadId: input.lead.id,
    stepId: input.stepId,
    target,
  })
  const host = input.sender.trackingDomain === null ? input.publicUrl : `https://${input.sender.trackingDomain}`
  return `${host}/${purpose === 'open' ? 'o' : 'c'}/${token}`
}

function fullName(lead: LeadVariables): string | null {
  const name = [lead.firstName, lead.lastName].filter((part) => part !== null && part.trim() !== '').join(' ')
  return name === '' ? null : name
}
