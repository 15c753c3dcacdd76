import { z } from 'zod'
import { campaignSending, leadSending, replySending, type Sending } from '../sendings.ts'
import { facts, refusal, tool, type ToolContext } from '../tool.ts'

const textMax = 10_000

const input = z.strictObject({
  action: z.enum(['start', 'resume', 'send_now', 'reply']),
  campaignId: z.string().optional().describe('start, resume, send_now'),
  leadId: z.string().optional().describe('send_now'),
  conversationId: z.string().optional().describe('reply'),
  text: z.string().min(1).max(textMax).optional().describe('reply: plain text'),
})

/** The only tool that sends mail, and a person has to confirm it. */
export const send = tool({
  name: 'send',
  title: 'Send',
  description:
    'Starts or resumes a campaign, sends a lead its next message now, or replies. A person confirms each call.',
  needs: 'send',
  destructive: true,
  input,
  async run(toolContext, given, context) {
    const sending = await prepareSending(toolContext, given)
    if (typeof sending === 'string') return refusal(sending)
    const { content, message, act } = sending
    const confirmed = toolContext.confirmations.read(context, content)
    if (confirmed === 'declined') return refusal('The user declined. Nothing was sent.')
    if (confirmed === null)
      return toolContext.confirmations.ask(context, { content, message, nonce: toolContext.nonce() })
    return facts({ done: given.action, result: await act(confirmed) })
  },
})

function prepareSending(toolContext: ToolContext, given: z.output<typeof input>): Promise<Sending | string> | string {
  const { action, campaignId, leadId, conversationId, text } = given
  switch (action) {
    case 'start':
    case 'resume':
      return campaignId === undefined
        ? `campaignId: required for ${action}.`
        : campaignSending(toolContext, campaignId, action)
    case 'send_now':
      if (campaignId === undefined || leadId === undefined) return 'campaignId, leadId: both are required for send_now.'
      return leadSending(toolContext, campaignId, leadId)
    case 'reply':
      if (conversationId === undefined || text === undefined)
        return 'conversationId, text: both are required for reply.'
      return replySending(toolContext, conversationId, text)
  }
}
