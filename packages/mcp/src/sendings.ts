import type { Campaign, Forecast } from '@overture/sdk'
import { readContent, shownEntry, shownSteps } from './campaign-content.ts'
import { hostsIn } from './clean-text.ts'
import type { ToolContext } from './tool.ts'

const shownRecipientsMax = 5
const ownTemplatesMax = 100

/** A message or campaign that is about to be sent: the content that the consent covers, the question to the person, and the call. */
export interface Sending {
  content: unknown
  message: string
  act(this: void, options: { idempotencyKey: string }): Promise<unknown>
}

/** Starts or resumes a campaign. */
export async function campaignSending(
  toolContext: ToolContext,
  id: string,
  action: 'start' | 'resume',
): Promise<Sending | string> {
  const { overture, access } = toolContext
  const campaign = await overture.campaigns.get(id)
  const [content, forecast, leads, senders] = await Promise.all([
    readContent(toolContext, campaign),
    overture.campaigns.forecast(id),
    overture.campaigns.leads.list(id, { limit: shownRecipientsMax }),
    senderEmails(toolContext, campaign),
  ])
  if (typeof content === 'string') return content
  const first = forecast.days.find(({ first: firsts, followUp }) => firsts + followUp > 0)
  const message = [
    `${action === 'start' ? 'Start' : 'Resume'} the campaign "${campaign.name}" in the ${access.environment} environment?`,
    `To ${campaign.leadCount} leads: ${listed(
      leads.results.map(({ email }) => email),
      campaign.leadCount,
    )}.`,
    `From ${senders.join(', ') || 'no sending account'}.`,
    `First message: ${first === undefined ? 'none in the forecast' : `on ${first.date}`}; ${messagesIn(forecast)} in all.`,
    ...shownEntry(campaign),
    ...shownSteps(campaign),
  ].join('\n')
  return {
    content: { action, ...content, environment: access.environment },
    message,
    act: (options) => overture.campaigns[action](id, options),
  }
}

/** Sends the next message of one lead at once. */
export async function leadSending(toolContext: ToolContext, campaignId: string, leadId: string): Promise<Sending> {
  const { overture, access } = toolContext
  const [lead, preview] = await Promise.all([
    overture.campaigns.leads.get(campaignId, leadId),
    overture.campaigns.preview(campaignId, { leadId }),
  ])
  const { subject, text, html, stepId, variantId, sendingAccountId } = preview
  return {
    content: { campaignId, leadId, email: lead.email, subject, text, html, stepId, variantId, sendingAccountId },
    message: `Send this now to ${lead.email} (${access.environment})?\nSubject: ${subject}\n\n${text}`,
    act: (options) => overture.campaigns.leads.sendNow(campaignId, leadId, options),
  }
}

/** Sends a reply in a conversation, only to its participants. */
export async function replySending(
  toolContext: ToolContext,
  conversationId: string,
  text: string,
): Promise<Sending | string> {
  const { overture, access } = toolContext
  const conversation = await overture.conversations.get(conversationId)
  const foreign = await foreignHosts(toolContext, conversation.campaignId, text)
  if (foreign.length > 0)
    return `text: links to ${foreign.join(', ')}, which is in no campaign, template or sender of this account. Remove the link.`
  const sender = await overture.sendingAccounts.get(conversation.sendingAccountId)
  const theirs = conversation.messages.findLast(({ direction }) => direction === 'inbound')
  const answered = theirs?.classification?.replyTo?.map(({ email }) => email)
  const to = answered ?? (theirs?.from ? [theirs.from.email] : [conversation.lead?.email ?? 'the lead'])
  return {
    content: { conversationId, to, from: sender.email, text, answers: theirs?.id ?? null },
    message: `Reply from ${sender.email} to ${to.join(', ')} (${access.environment})?\n\n${text}`,
    act: (options) =>
      overture.conversations.reply(
        conversationId,
        { text, ...(theirs !== undefined && { replyToMessageId: theirs.id }) },
        options,
      ),
  }
}

/** Hosts in a text that the account itself never used. A stranger who manipulates a model could use such links to get data out. */
async function foreignHosts({ overture }: ToolContext, campaignId: string | null, text: string): Promise<string[]> {
  const hosts = hostsIn(text)
  if (hosts.length === 0) return []
  const [campaign, templates, senders] = await Promise.all([
    campaignId === null ? null : overture.campaigns.get(campaignId),
    overture.templates.list({ limit: ownTemplatesMax }),
    overture.sendingAccounts.list({ limit: ownTemplatesMax }),
  ])
  const words = (campaign?.steps ?? []).flatMap(({ variants }) =>
    variants.flatMap(({ subject, body }) => [subject, body]),
  )
  const own = new Set([
    ...[...words, ...templates.results.flatMap(({ subject, body }) => [subject, body])].flatMap(hostsIn),
    ...senders.results.flatMap(({ email, signature }) => [email.split('@')[1] ?? '', ...hostsIn(signature ?? '')]),
  ])
  return hosts.filter((host) => !own.has(host))
}

async function senderEmails({ overture }: ToolContext, { sendingAccountIds }: Campaign): Promise<string[]> {
  const senders = await Promise.all(
    sendingAccountIds.slice(0, shownRecipientsMax).map((id) => overture.sendingAccounts.get(id)),
  )
  const more = sendingAccountIds.length - senders.length
  const shown = senders.map(({ email, signature }) =>
    signature ? `${email} with the signature "${signature}"` : email,
  )
  return [...shown, ...(more > 0 ? [`${more} more`] : [])]
}

function messagesIn({ days }: Forecast): number {
  return days.reduce((sum, { first, followUp }) => sum + first + followUp, 0)
}

function listed(emails: readonly string[], count: number): string {
  const more = count - emails.length
  return [...emails, ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none'
}
