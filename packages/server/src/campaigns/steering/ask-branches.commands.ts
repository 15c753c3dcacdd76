import { judge } from '@overture/ground/paths/condition.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listEntries, type EntryRow } from '../campaigns.sql.ts'
import { wakePlanner } from '../leads/lead-moves.commands.ts'
import { updateLeadsToDecideNow, type LeadKey } from '../paths/decisions.sql.ts'
import { listLeadFacts } from '../paths/lead-facts.queries.ts'
import { handOver, type HandOverLead } from './hand-over.commands.ts'
import { lockWaitingEntries, updateLeadsEntered, updateLeadsToEnter } from './hand-over.sql.ts'

/** The job in which a resumed campaign takes over the leads that waited for it. */
export const enterJobKind = 'campaigns.enter'
const enteredAtOnceMax = 500

/**
 * Called after something happened with these leads. Branches that decide immediately are checked at once, and so are the
 * entries of campaigns that take leads over.
 */
export async function askBranches(
  tx: Transaction,
  tenant: Tenant,
  input: { leads: readonly LeadKey[]; now: Date },
): Promise<void> {
  if (input.leads.length === 0) return
  const { woken, takesOver } = await updateLeadsToDecideNow(tx, tenant, input)
  if (woken > 0) wakePlanner(tx, tenant, input.now)
  if (takesOver) await enterCampaigns(tx, tenant, input)
}

/** If several campaigns would take a lead over, the oldest one does. */
async function enterCampaigns(
  tx: Transaction,
  tenant: Tenant,
  { leads, now }: { leads: readonly LeadKey[]; now: Date },
): Promise<void> {
  const entries = await listEntries(tx, tenant, [...new Set(leads.map((lead) => lead.campaignId))])
  if (entries.length === 0) return
  const facts = await listLeadFacts(tx, tenant, { leads, conditions: entries.map((entry) => entry.when) })
  const remaining = new Map(leads.map((lead) => [lead.leadId, lead]))
  for (const entry of entries) {
    const entering = [...remaining.values()].flatMap((lead): HandOverLead[] => {
      const known = comesFrom(entry, lead.campaignId) ? facts.get(lead.leadId) : undefined
      if (known === undefined) return []
      const { holds, detail } = judge(entry.when, known, { stepId: entry.id, now })
      return holds ? [{ ...lead, by: 'entry', evidence: detail, at: now }] : []
    })
    const taken = entering.length === 0 ? [] : await enter(tx, tenant, { entry, leads: entering, now })
    for (const leadId of taken) remaining.delete(leadId)
  }
}

/** Whether leads of a campaign can enter another campaign. */
export function comesFrom({ id, from }: Pick<EntryRow, 'id' | 'from'>, campaignId: string): boolean {
  return id !== campaignId && (from === 'any' || from.includes(campaignId))
}

function enter(
  tx: Transaction,
  tenant: Tenant,
  { entry, leads, now }: { entry: EntryRow; leads: readonly HandOverLead[]; now: Date },
): Promise<ReadonlySet<string>> {
  return entry.status === 'paused'
    ? updateLeadsToEnter(tx, tenant, { leads, toCampaignId: entry.id, at: now })
    : handOver(tx, tenant, { toCampaignId: entry.id, leads, now })
}

/** Lets a resumed campaign take over a batch of the leads that waited for it. Returns whether there may be more. */
export async function enterWaiting(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<boolean> {
  const [entry] = await listEntries(tx, tenant, [], campaignId)
  if (entry === undefined || entry.status === 'paused') return false
  const waiting = await lockWaitingEntries(tx, tenant, { campaignId, limit: enteredAtOnceMax })
  if (waiting.length === 0) return false
  const leads = waiting.map((lead) => ({
    ...lead,
    by: 'entry' as const,
    evidence: 'This happened while the campaign was paused.',
  }))
  await handOver(tx, tenant, { toCampaignId: campaignId, leads, now })
  // Leads that could not be handed over stop waiting as well.
  await updateLeadsEntered(tx, tenant, waiting)
  return waiting.length === enteredAtOnceMax
}
