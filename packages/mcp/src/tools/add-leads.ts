import type { LeadItem } from '@overture/sdk'
import { z } from 'zod'
import { runsByItself } from '../campaign-states.ts'
import { facts, refusal, tool, type ToolContext } from '../tool.ts'

const leadsMax = 200
const text = z.string().max(500).optional()

export const addLeads = tool({
  name: 'add_leads',
  title: 'Add leads',
  description: 'Adds leads to a campaign that is not running, or members to a list, also a new one. Sends nothing.',
  needs: 'write',
  input: z.strictObject({
    campaignId: z.string().optional(),
    listId: z.string().optional(),
    newList: z.string().max(200).optional().describe('Name'),
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
  async run(toolContext, { campaignId, listId, newList, leads }) {
    if ([campaignId, listId, newList].filter((one) => one !== undefined).length !== 1)
      return refusal('Give one of campaignId, listId and newList.')
    const items = leads as LeadItem[]
    if (campaignId !== undefined) return addToCampaign(toolContext, campaignId, items)
    return listId === undefined ? addToNewList(toolContext, newList!, items) : addToList(toolContext, listId, items)
  },
})

async function addToCampaign({ overture, access }: ToolContext, campaignId: string, leads: LeadItem[]) {
  const runs = runsByItself(await overture.campaigns.get(campaignId), access)
  if (runs !== null) return refusal(runs)
  const { results, ...counts } = await overture.campaigns.leads.add(campaignId, { leads })
  return facts({ ...counts, notAdded: results.filter(({ outcome }) => outcome !== 'added') })
}

/** A member of a list becomes a lead of the campaigns that follow it, so none of them may run. */
async function addToList({ overture, access }: ToolContext, listId: string, members: LeadItem[]) {
  for (const { campaignId } of (await overture.lists.get(listId)).followers) {
    const campaign = await overture.campaigns.get(campaignId)
    const runs = runsByItself(campaign, access)
    if (runs !== null) return refusal(`${campaign.name} follows the list. ${runs}`)
  }
  const { results, ...counts } = await overture.lists.members.add(listId, { members })
  return facts({ listId, ...counts, invalidItems: results.filter(({ outcome }) => outcome === 'invalid') })
}

/** A list with the same name is not used, because campaigns may follow it, and not doubled, because a call may be repeated. */
async function addToNewList(toolContext: ToolContext, given: string, members: LeadItem[]) {
  const { lists } = toolContext.overture
  const name = given.trim()
  for await (const one of lists.list({ q: name }))
    if (one.name.toLowerCase() === name.toLowerCase())
      return refusal(`There is a list "${one.name}" already. Its listId is ${one.id}.`)
  return addToList(toolContext, (await lists.create({ name })).id, members)
}
