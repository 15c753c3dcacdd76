import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  type CampaignRow,
  lockFinishedCampaigns,
  notifyPlanner,
  updateCampaignStatus,
  upsertPlanning,
} from '../campaigns.sql.ts'
import { cancelTasks } from '../paths/cancel-tasks.commands.ts'
import { stoppableFrom } from './lead.ts'
import {
  deleteUnsentClaim,
  updateLeadDeferred,
  updateLeadEnded,
  updateLeadReleased,
  updateLeadRequeued,
} from './lead-moves.sql.ts'
import type { LeadKey } from './leads.sql.ts'

/**
 * Makes the planner check the tenant at `at` (the tenant's time), and wakes it after the commit. With `now`, a time in the
 * future wakes nothing: the planner polls twice a second for tenants whose time has come. The planner's row is written last, because
 * all requests and plans of the tenant write it: a transaction that holds it must not wait for campaigns.
 */
export function wakePlanner(tx: Transaction, tenant: Tenant, at: Date, now?: Date): void {
  const isNow = now === undefined || at <= now
  const wakes = wakesByTransaction.get(tx) ?? new Map<string, Wake>()
  wakesByTransaction.set(tx, wakes)
  const key = `${tenant.accountId} ${tenant.environment}`
  const earlier = wakes.get(key)
  wakes.set(key, {
    at: earlier === undefined || at < earlier.at ? at : earlier.at,
    isNow: isNow || earlier?.isNow === true,
  })
  if (earlier === undefined) tx.beforeCommit(() => storeWake(tx, tenant, wakes.get(key)!))
}

interface Wake {
  at: Date
  isNow: boolean
}

/** When the planner must next look at a tenant. Each running transaction collects these times and stores them before its commit. */
const wakesByTransaction = new WeakMap<Transaction, Map<string, Wake>>()

async function storeWake(tx: Transaction, tenant: Tenant, { at, isNow }: Wake): Promise<void> {
  await upsertPlanning(tx, tenant, at)
  if (isNow) await notifyPlanner(tx)
}

/** Reactivates a completed campaign that has something to do again. Source: docs/contract.md, "Campaigns" and "Leads". */
export async function reopenCampaign(tx: Transaction, tenant: Tenant, campaign: CampaignRow, now: Date): Promise<void> {
  if (campaign.status !== 'completed') return
  await updateCampaignStatus(tx, tenant, { id: campaign.id, status: 'active', reason: null, now })
  await appendEvents(tx, tenant, [
    { type: 'campaign.resumed', occurredAt: now, campaignId: campaign.id, data: { reason: 'reopened' } },
  ])
}

interface StopLead extends LeadKey {
  status: keyof typeof stoppableFrom
  /**
   * The rule that stops the lead (`reply`, `bounce`, `unsubscribe`, `company_reply`, `meeting_booked`, `user` …). After a
   * colleague's reply, also the lead that replied.
   */
  stoppedBy: { rule: string; leadId?: string; email?: string }
  now: Date
}

/**
 * Ends a lead's sequence at once: withdraws a claimed step that has not passed the gate, logs the change, and completes the
 * campaign if this was its last open lead. Returns false if the lead's status does not change.
 */
export async function stopLead(tx: Transaction, tenant: Tenant, stop: StopLead): Promise<boolean> {
  const { rule, leadId: byLeadId = null, email: byEmail = null } = stop.stoppedBy
  const ended = await updateLeadEnded(tx, tenant, {
    campaignId: stop.campaignId,
    leadId: stop.leadId,
    from: stoppableFrom[stop.status],
    to: stop.status,
    stoppedBy: { rule, leadId: byLeadId, email: byEmail },
    now: stop.now,
  })
  if (!ended) return false
  await deleteUnsentClaim(tx, tenant, stop)
  await cancelTasks(tx, tenant, { leads: [stop], reason: rule, now: stop.now })
  await appendStatusChange(tx, tenant, {
    ...stop,
    email: ended.email,
    from: ended.before,
    to: stop.status,
    reason: rule,
  })
  await completeFinishedCampaigns(tx, tenant, [stop.campaignId], stop.now)
  return true
}

export async function appendStatusChange(
  tx: Transaction,
  tenant: Tenant,
  change: LeadKey & { email: string; from: LeadStatus; to: LeadStatus; reason: string; now: Date },
): Promise<void> {
  await appendEvents(tx, tenant, [
    {
      type: 'lead.status_changed',
      occurredAt: change.now,
      campaignId: change.campaignId,
      leadId: change.leadId,
      leadEmail: change.email,
      data: { from: change.from, to: change.to, reason: change.reason },
    },
  ])
}

/** Completes the given campaigns that are active and have nothing left to do. */
export async function completeFinishedCampaigns(
  tx: Transaction,
  tenant: Tenant,
  campaignIds: readonly string[],
  now: Date,
): Promise<number> {
  const finished = await lockFinishedCampaigns(tx, tenant, campaignIds)
  for (const campaign of finished) {
    await updateCampaignStatus(tx, tenant, { id: campaign.id, status: 'completed', reason: null, now })
    await appendEvents(tx, tenant, [{ type: 'campaign.completed', occurredAt: now, campaignId: campaign.id }])
  }
  return finished.length
}

/** Moves a lead's next step past `until`, for instance after an out-of-office reply. Withdraws a claim that was not sent. */
export async function deferLead(
  tx: Transaction,
  tenant: Tenant,
  change: LeadKey & { until: Date; now: Date },
): Promise<void> {
  const taken = await deleteUnsentClaim(tx, tenant, change)
  const deferred = await updateLeadDeferred(tx, tenant, change)
  if (deferred === 0) return
  if (taken) await updateLeadRequeued(tx, tenant, { ...change, at: change.until })
  wakePlanner(tx, tenant, change.until)
}

/** Makes the planner check a lead again whose text may now be sent. */
export async function releaseLead(tx: Transaction, tenant: Tenant, change: LeadKey & { now: Date }): Promise<void> {
  await updateLeadReleased(tx, tenant, change)
  wakePlanner(tx, tenant, change.now)
}
