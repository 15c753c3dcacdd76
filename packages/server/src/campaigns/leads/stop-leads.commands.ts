import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { cancelTasks } from '../paths/cancel-tasks.commands.ts'
import { stoppableFrom } from './lead.ts'
import { completeFinishedCampaigns } from './lead-moves.commands.ts'
import { deleteUnsentClaims, updateLeadsEnded } from './stop-leads.sql.ts'

interface StopLeads {
  /** At most a thousand. `name` is the signal that stops the lead. */
  leads: readonly { campaignId: string; leadId: string; name: string }[]
  rule: string
  now: Date
}

/** Ends the sequences of many leads by the rules for a single lead: claims that were not sent are withdrawn. */
export async function stopLeads(tx: Transaction, tenant: Tenant, { leads, rule, now }: StopLeads): Promise<void> {
  if (leads.length === 0) return
  const stoppedBy = { rule, leadId: null, email: null }
  const ended = await updateLeadsEnded(tx, tenant, {
    leads,
    from: stoppableFrom.stopped,
    to: 'stopped',
    stoppedBy,
    now,
  })
  if (ended.length === 0) return
  await deleteUnsentClaims(tx, tenant, ended)
  await cancelTasks(tx, tenant, { leads: ended, reason: rule, now })
  const names = new Map(leads.map((lead) => [lead.leadId, lead.name]))
  await appendEvents(
    tx,
    tenant,
    ended.map(({ campaignId, leadId, email, before }) => {
      const data = { from: before, to: 'stopped' as const, reason: rule, signal: names.get(leadId) ?? '' }
      return { type: 'lead.status_changed', occurredAt: now, campaignId, leadId, leadEmail: email, data }
    }),
  )
  await completeFinishedCampaigns(tx, tenant, [...new Set(ended.map((lead) => lead.campaignId))].sort(), now)
}
