import { pathEnd } from '@overture/contract/vocabularies.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { insertDecisions, type LeadDecision } from '../paths/decisions.sql.ts'
import { completeFinishedCampaigns } from './lead-moves.commands.ts'

/** Makes decisions for good, tells the log, and completes campaigns whose last leads they end; answers how many leads moved. */
export async function recordDecisions(
  tx: Transaction,
  tenant: Tenant,
  decisions: readonly LeadDecision[],
  now: Date,
): Promise<number> {
  if (decisions.length === 0) return 0
  const moved = await insertDecisions(tx, tenant, decisions, now)
  const leads = new Map(moved.map((lead) => [lead.leadId, lead]))
  const events = decisions.flatMap((decision) => {
    const lead = leads.get(decision.leadId)
    return lead === undefined ? [] : eventsOf(decision, lead, now)
  })
  await appendEvents(tx, tenant, events)
  const ended = new Set(moved.flatMap((lead) => (lead.after === 'completed' ? [lead.campaignId] : [])))
  if (ended.size > 0) await completeFinishedCampaigns(tx, tenant, [...ended], now)
  return moved.length
}

function eventsOf(
  decision: LeadDecision,
  { email, before, after }: Awaited<ReturnType<typeof insertDecisions>>[number],
  now: Date,
): NewEvent[] {
  const { campaignId, leadId, stepId, branchId, label, goesTo, evidence, immediate, again } = decision
  const common = { occurredAt: now, campaignId, leadId, leadEmail: email }
  const events: NewEvent[] = []
  if (!again) {
    const data = { branchId, label, goesTo: goesTo ?? pathEnd, evidence, immediate, reason: 'decided' as const }
    events.push({ ...common, type: 'branch.decided', stepId, data })
  }
  if (before !== after)
    events.push({ ...common, type: 'lead.status_changed', data: { from: before, to: after, reason: 'decided' } })
  return events
}
