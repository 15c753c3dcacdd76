import { z } from 'zod'
import { runsByItself } from '../campaign-states.ts'
import { facts, refusal, tool } from '../tool.ts'

const leadsMax = 200
const text = z.string().max(500).optional()

export const addLeads = tool({
  name: 'add_leads',
  title: 'Add leads',
  description: 'Adds leads to a campaign that is not running. Sends nothing.',
  needs: 'write',
  input: z.strictObject({
    campaignId: z.string(),
    leads: z
      .array(
        z.strictObject({
          email: z.string().max(320),
          firstName: text,
          lastName: text,
          jobTitle: text,
          company: text,
          companyDomain: text,
          country: text,
          city: text,
          timezone: text,
          customVariables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
        }),
      )
      .min(1)
      .max(leadsMax),
  }),
  async run({ overture, access }, { campaignId, leads }) {
    const runs = runsByItself(await overture.campaigns.get(campaignId), access)
    if (runs !== null) return refusal(runs)
    const { results, ...counts } = await overture.campaigns.leads.add(campaignId, {
      leads: leads as Parameters<typeof overture.campaigns.leads.add>[1]['leads'],
    })
    return facts({ ...counts, notAdded: results.filter(({ outcome }) => outcome !== 'added') })
  },
})
