import { type Campaign, defaultSettings, type Step } from '@overture/contract/campaigns/campaigns.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Executor } from '../platform/db/database.ts'
import { answerList, byId, type PageQuery } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  type CampaignFilter,
  type CampaignRow,
  countCampaigns,
  findCampaignRow,
  findCampaignWithSequence,
  listCampaignRows,
} from './campaigns.sql.ts'
import { getLeadPath } from './paths/lead-path.queries.ts'
import { presentLead, type LeadRow } from './leads/lead.ts'
import { readSurroundings } from './leads/surroundings.queries.ts'
import { countLeads, findLeadRow, listLeadRows, type LeadFilter, type LeadKey } from './leads/leads.sql.ts'
import { listSteps, toSequence } from './sequence/sequence.sql.ts'

export function presentCampaign(row: CampaignRow, steps: Step[]): Campaign {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    statusReason: row.statusReason,
    steps,
    schedule: row.schedule,
    sendingAccountIds: row.sendingAccountIds,
    entry: row.entry,
    ownerId: row.ownerId,
    tagIds: row.tagIds,
    // A setting that is newer than the stored settings has its default.
    settings: { ...defaultSettings, ...row.settings },
    leadCount: row.leadCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    launchedAt: row.launchedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}

/** The campaign with its sequence. Throws 404 if it is missing or belongs to another account. */
export async function getCampaign(db: Executor, tenant: Tenant, id: string): Promise<Campaign> {
  const row = await findCampaignWithSequence(db, tenant, id)
  if (!row) throw notFound()
  return presentCampaign(row, toSequence(row.sequence))
}

export async function listCampaigns(db: Executor, tenant: Tenant, query: CampaignFilter & PageQuery) {
  return answerList(query, {
    key: byId,
    list: (range) => listCampaignRows(db, tenant, query, range),
    count: () => countCampaigns(db, tenant, query),
    async present(rows) {
      const ids = rows.map((row) => row.id)
      const steps = await listSteps(db, tenant, ids)
      return rows.map((row) => presentCampaign(row, steps.get(row.id) ?? []))
    },
  })
}

export async function listCampaignLeads(db: Executor, tenant: Tenant, query: LeadFilter & PageQuery & { now: Date }) {
  const campaign = await findCampaignRow(db, tenant, query.campaignId)
  if (!campaign) throw notFound()
  const filtered = [
    query.status,
    query.interest,
    query.blockedReason,
    query.verification,
    query.email,
    query.q,
    query.tagId,
  ].some((value) => value !== undefined)
  return answerList(query, {
    key: byId,
    list: (range) => listLeadRows(db, tenant, query, range),
    // Without a filter the stored count is used, so the first page of a million leads costs as much as that of ten.
    count: (seen) => (filtered ? (seen ?? countLeads(db, tenant, query)) : campaign.leadCount),
    async present(rows) {
      const around = await readSurroundings(campaign, query.now)
      return rows.map((row) => presentLead(row, around))
    },
  })
}

export async function getCampaignLead(db: Executor, tenant: Tenant, key: LeadKey & { now: Date }) {
  const campaign = await findCampaignRow(db, tenant, key.campaignId)
  const row = campaign && (await findLeadRow(db, tenant, key))
  if (!campaign || !row) throw notFound()
  const lead = presentLead(row, await readSurroundings(campaign, key.now))
  return { ...lead, path: await getLeadPath(db, tenant, key) }
}

/** A lead and its campaign, for other features. Undefined if either is missing, deleted or belongs to another account. */
export async function findLeadWithCampaign(
  db: Executor,
  tenant: Tenant,
  key: LeadKey,
): Promise<{ campaign: CampaignRow; lead: LeadRow } | undefined> {
  const campaign = await findCampaignRow(db, tenant, key.campaignId)
  const lead = campaign && (await findLeadRow(db, tenant, key))
  return campaign && lead ? { campaign, lead } : undefined
}
