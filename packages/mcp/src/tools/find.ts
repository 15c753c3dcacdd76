import type { CampaignStatus, LeadStatus } from '@overture/sdk'
import { z } from 'zod'
import { facts, refusal, tool, type ToolContext } from '../tool.ts'

const foundMax = 50

const input = z.strictObject({
  what: z
    .enum(['campaigns', 'leads', 'people', 'lists', 'tags'])
    .describe('leads: in one campaign; people: across campaigns; lists: of people outside campaigns'),
  q: z.string().max(200).optional().describe('words in the name, address or company'),
  campaignId: z.string().optional(),
  status: z.string().optional(),
  tagId: z.string().optional(),
  limit: z.int().min(1).max(foundMax).default(20),
  cursor: z.string().optional().describe('nextCursor of the previous result'),
})

export const find = tool({
  name: 'find',
  title: 'Find',
  description: 'Find campaigns, leads, people, lists or tags.',
  needs: 'read',
  input,
  async run(toolContext, given) {
    if (given.what === 'campaigns') return findCampaigns(toolContext, given)
    if (given.what === 'people') return findPeople(toolContext, given)
    if (given.what === 'lists') return findLists(toolContext, given)
    if (given.what === 'tags') return findTags(toolContext, given)
    if (given.campaignId === undefined)
      return refusal('campaignId: required to find leads. Use people to search across campaigns.')
    return findLeads(toolContext, given, given.campaignId)
  },
})

type Asked = z.output<typeof input>

function place({ limit, cursor }: Asked) {
  return { limit, ...(cursor !== undefined && { cursor }) }
}

function filter(given: Asked) {
  const { q, tagId } = given
  return { ...place(given), ...(q !== undefined && { q }), ...(tagId !== undefined && { tagId }) }
}

async function findCampaigns({ overture }: ToolContext, given: Asked) {
  const page = await overture.campaigns.list({
    ...filter(given),
    ...(given.status !== undefined && { status: given.status as CampaignStatus }),
  })
  const results = page.results.map(({ id, name, status: is, leadCount, launchedAt }) => ({
    id,
    name,
    status: is,
    leadCount,
    launchedAt,
  }))
  return facts({ results, nextCursor: page.nextCursor })
}

async function findLeads({ overture }: ToolContext, given: Asked, campaignId: string) {
  const page = await overture.campaigns.leads.list(campaignId, {
    ...filter(given),
    ...(given.status !== undefined && { status: given.status as LeadStatus }),
  })
  const results = page.results.map((lead) => ({
    id: lead.id,
    email: lead.email,
    name: [lead.firstName, lead.lastName].filter(Boolean).join(' '),
    company: lead.company,
    status: lead.status,
    blockedReason: lead.blockedReason,
    interest: lead.interest,
    currentStep: lead.currentStep,
    nextSendAt: lead.nextSendAt,
  }))
  return facts({ campaignId, results, nextCursor: page.nextCursor })
}

async function findPeople({ overture }: ToolContext, given: Asked) {
  const page = await overture.leads.list({
    ...filter(given),
    ...(given.campaignId !== undefined && { campaignId: given.campaignId }),
    ...(given.status !== undefined && { status: given.status as LeadStatus }),
  })
  const results = page.results.map((person) => ({
    id: person.id,
    email: person.email,
    name: [person.firstName, person.lastName].filter(Boolean).join(' '),
    company: person.company,
    suppressed: person.suppressed,
    campaigns: person.campaigns,
    lastContactedAt: person.lastContactedAt,
  }))
  return facts({ results, nextCursor: page.nextCursor })
}

async function findLists({ overture }: ToolContext, given: Asked) {
  const page = await overture.lists.list({ ...place(given), ...(given.q !== undefined && { q: given.q }) })
  const results = page.results.map(({ id, name, memberCount, followers }) => ({ id, name, memberCount, followers }))
  return facts({ results, nextCursor: page.nextCursor })
}

async function findTags({ overture }: ToolContext, given: Asked) {
  const page = await overture.tags.list(place(given))
  return facts({ results: page.results.map(({ id, name }) => ({ id, name })), nextCursor: page.nextCursor })
}
