import { z } from 'zod'
import { facts, refusal, tool, type Desk } from '../tool.ts'

const historyMax = 20

export const explainLead = tool({
  name: 'explain_lead',
  title: 'Why a lead was or was not mailed',
  description: 'Every gate between a lead and its next message, passed or not, and what happened so far.',
  needs: 'read',
  input: z.strictObject({
    campaignId: z.string(),
    leadId: z.string().optional(),
    email: z.string().max(320).optional().describe('in place of leadId'),
  }),
  async run({ overture }, { campaignId, leadId, email }) {
    const id = leadId ?? (email === undefined ? undefined : await idOf(overture, campaignId, email))
    if (id === undefined) return refusal('leadId: none given, and no lead of this campaign has that email.')
    const [explanation, { path }] = await Promise.all([
      overture.campaigns.leads.explain(campaignId, id),
      overture.campaigns.leads.get(campaignId, id),
    ])
    const { history } = explanation
    return facts({
      ...explanation,
      // Steps that are behind it, and where branches led.
      path,
      history: history.slice(-historyMax),
      earlier: Math.max(0, history.length - historyMax),
    })
  },
})

async function idOf(overture: Desk['overture'], campaignId: string, email: string): Promise<string | undefined> {
  const { results } = await overture.campaigns.leads.list(campaignId, { email, limit: 1 })
  return results[0]?.id
}
