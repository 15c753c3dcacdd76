import { pathEnd } from '@overture/contract/vocabularies.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { insertDecisions, type LeadDecision } from '../paths/decisions.sql.ts'
import { isCampaign } from '@overture/ground/paths/path.ts'
import { handOver } from './hand-over.commands.ts'
import { completeFinishedCampaigns } from '../leads/lead-moves.commands.ts'

/** Stores decisions permanently, logs them, and completes campaigns whose last leads ended. Returns how many leads moved. */
export async function recordDecisions(
  tx: Transaction,
  tenant: Tenant,
  decisions: readonly LeadDecision[],
  now: Date,
): Promise<number> {
  if (decisions.length === 0) return 0
  const moved = await insertDecisions(tx, tenant, decisions, now)
  const leads = new Map(moved.map((lead) => [lead.leadId, lead]))
  const decided = decisions.flatMap((decision) => {
    const lead = leads.get(decision.leadId)
    return lead === undefined ? [] : [{ decision, lead }]
  })
  await appendEvents(
    tx,
    tenant,
    decided.flatMap(({ decision, lead }) => decidedEvents(decision, lead, now)),
  )
  const handed = await handOverDecided(tx, tenant, decided, now)
  await appendEvents(
    tx,
    tenant,
    decided.flatMap(({ decision, lead }) => (handed.has(decision.leadId) ? [] : statusEvents(decision, lead, now))),
  )
  const ended = new Set(moved.flatMap((lead) => (lead.after === 'completed' ? [lead.campaignId] : [])))
  if (ended.size > 0) await completeFinishedCampaigns(tx, tenant, [...ended], now)
  return moved.length
}

type MovedLead = Awaited<ReturnType<typeof insertDecisions>>[number]

interface DecidedLead {
  decision: LeadDecision
  lead: MovedLead
}

/** Hands leads over to the campaigns that the decisions name. Leads that can't be handed over have reached the end. */
async function handOverDecided(
  tx: Transaction,
  tenant: Tenant,
  decided: readonly DecidedLead[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const handed = new Set<string>()
  const leaving = decided.flatMap(({ decision, lead }) =>
    isCampaign(decision.goesTo) ? [{ toCampaignId: decision.goesTo, decision, lead }] : [],
  )
  for (const toCampaignId of [...new Set(leaving.map((one) => one.toCampaignId))].sort()) {
    const leads = leaving
      .filter((one) => one.toCampaignId === toCampaignId)
      .map(({ decision: { campaignId, leadId, evidence }, lead }) => {
        return { campaignId, leadId, evidence, by: 'branch' as const, at: now, before: lead.before }
      })
    for (const leadId of await handOver(tx, tenant, { toCampaignId, leads, now })) handed.add(leadId)
  }
  return handed
}

function decidedEvents(decision: LeadDecision, { email }: MovedLead, now: Date): NewEvent[] {
  const { campaignId, leadId, stepId, branchId, label, goesTo, evidence, immediate, again } = decision
  if (again) return []
  const data = { branchId, label, goesTo: goesTo ?? pathEnd, evidence, immediate, reason: 'decided' as const }
  return [{ type: 'branch.decided', occurredAt: now, campaignId, leadId, leadEmail: email, stepId, data }]
}

function statusEvents(
  { campaignId, leadId }: LeadDecision,
  { email, before, after }: MovedLead,
  now: Date,
): NewEvent[] {
  if (before === after) return []
  const data = { from: before, to: after, reason: 'decided' }
  return [{ type: 'lead.status_changed', occurredAt: now, campaignId, leadId, leadEmail: email, data }]
}
