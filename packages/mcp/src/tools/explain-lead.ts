import type { Explanation } from '@overture/sdk'
import { z } from 'zod'
import { untrusted } from '../clean-text.ts'
import { facts, fromStrangers, refusal, tool, type ToolContext } from '../tool.ts'

const historyMax = 20

export const explainLead = tool({
  name: 'explain_lead',
  title: 'Explain a lead',
  description: 'Every gate between a lead and its next message, passed or blocked, and the history.',
  needs: 'read',
  input: z.strictObject({
    campaignId: z.string(),
    leadId: z.string().optional(),
    email: z.string().max(320).optional().describe('instead of leadId'),
  }),
  async run(toolContext, { campaignId, leadId, email }) {
    const { overture } = toolContext
    const id = leadId ?? (email === undefined ? undefined : await findLeadId(overture, campaignId, email))
    if (id === undefined) return refusal('leadId: missing, and no lead of this campaign has that email.')
    const [explanation, { path }] = await Promise.all([
      overture.campaigns.leads.explain(campaignId, id),
      overture.campaigns.leads.get(campaignId, id),
    ])
    const { history, ...now } = explanation
    const shown = history.slice(-historyMax)
    const own = { ...now, path, history: shown.map(withoutWords), earlier: history.length - shown.length }
    const words = toolContext.inbound ? describeHistory(shown) : []
    const answer = facts(own)
    if (words.length === 0) return answer
    return { ...answer, content: [...answer.content, fromStrangers({ words }, toolContext.nonce()).content[0]!] }
  },
})

type Decision = Explanation['history'][number]

/** A reason is either our own code or a text of a mail server. Only the form of the text distinguishes them. */
const ownCode = /^[a-z][a-z_.]{0,59}$/

function isForeign(reason: string | null): reason is string {
  return reason !== null && !ownCode.test(reason)
}

function withoutWords({ reason, ...decision }: Decision) {
  return isForeign(reason) ? { ...decision, reason: null, hasWords: true } : { ...decision, reason }
}

/** Texts that a mail server or a stranger may have written, by their index in the history. */
function describeHistory(history: readonly Decision[]) {
  return history.flatMap(({ reason }, index) =>
    isForeign(reason) ? [{ history: index, untrustedText: untrusted(reason) }] : [],
  )
}

async function findLeadId(
  overture: ToolContext['overture'],
  campaignId: string,
  email: string,
): Promise<string | undefined> {
  const { results } = await overture.campaigns.leads.list(campaignId, { email, limit: 1 })
  return results[0]?.id
}
