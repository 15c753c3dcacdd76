import { candidatesPerGroup } from '@overture/planner/page-limits.ts'
import type { PlanSender } from '@overture/planner/plan.types.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  listPlanSteps,
  listRunningCampaigns,
  splitRunning,
  toPlanCampaign,
  withUsage,
  type PlanStepRow,
  type RunningCampaignRow,
} from '../plan/campaigns.sql.ts'
import { lockPresentSenders } from '../plan/claims.sql.ts'
import { findNextDirect } from '../plan/direct.sql.ts'
import type { PlanningTools } from '../plan/lead-facts.shell.ts'
import { listWaitingSenders, loadSenders, type SenderRow } from '../plan/senders.sql.ts'
import { listVariants, type SelectableRow } from '../plan/texts.sql.ts'
import { findAccountFooter } from '../write/compose.sql.ts'
import { listQueuedLeads } from './memory.sql.ts'
import { PlannerMemory } from './planner-memory.ts'

/** The memory of one tenant's plans, with rows as they are read. */
export type TenantMemory = PlannerMemory<{
  campaign: RunningCampaignRow
  step: PlanStepRow
  variant: SelectableRow
  sender: PlanSender & SenderRow
}>

/** A queue is read this many times as far as one plan reads. */
export const plansAhead = 2

/**
 * Reads the input of a tenant's plans. In a transaction, its senders can't be deleted before the end. Sequences and texts of an
 * earlier memory are kept, since only a person changes them.
 */
export async function readMemory(
  { app }: PlanningTools,
  tenant: Tenant,
  { now, earlier }: { now: Date; earlier: TenantMemory | null },
): Promise<TenantMemory> {
  const { db } = app
  const running = await listRunningCampaigns(db, tenant)
  const { active } = splitRunning(running, now)
  const ids = active.map((campaign) => campaign.id)
  const sequences = (earlier !== null && keptSequences(earlier, ids)) || (await readSequences(app.db, tenant, ids))
  const waiting = await listWaitingSenders(db, tenant, ids)
  const senderIds = [
    ...new Set([
      ...active.flatMap((campaign) => campaign.sendingAccountIds),
      ...waiting.map((group) => group.senderId),
    ]),
  ]
  const locked = new Set(earlier?.senders.map((sender) => sender.id))
  const unlocked = senderIds.filter((id) => !locked.has(id))
  if (unlocked.length > 0) await lockPresentSenders(db, tenant, unlocked)
  const queueMax = plansAhead * candidatesPerGroup(waiting.length + ids.length)
  return new PlannerMemory({
    running,
    ...sequences,
    senders: await loadSenders(db, tenant, senderIds, now),
    campaigns: await withUsage(
      db,
      tenant,
      active.map((row) => toPlanCampaign(row, sequences.steps)),
      now,
    ),
    queued: await listQueuedLeads(db, tenant, {
      campaignIds: waiting.map((group) => group.campaignId),
      senderIds: waiting.map((group) => group.senderId),
      poolCampaignIds: ids,
      limitPerQueue: queueMax,
    }),
    queueMax,
    directAt: await findNextDirect(db, tenant),
    now,
  })
}

/** Reads the places of leads again, and the due time of the next message that bypasses the planner. */
export async function readLines({ app: { db } }: PlanningTools, tenant: Tenant, memory: TenantMemory): Promise<void> {
  const { lines } = memory
  memory.readAgain({
    queued: await listQueuedLeads(db, tenant, {
      campaignIds: lines.map((line) => line.campaignId),
      senderIds: lines.map((line) => line.senderId),
      poolCampaignIds: memory.campaigns.map((campaign) => campaign.id),
      limitPerQueue: memory.queueMax,
    }),
    directAt: await findNextDirect(db, tenant),
  })
}

type Sequences = Pick<TenantMemory, 'steps' | 'variants' | 'footer'>

function keptSequences({ steps, variants, footer }: TenantMemory, campaignIds: readonly string[]) {
  const known = new Set(steps.map((step) => step.campaignId))
  return campaignIds.every((id) => known.has(id)) ? { steps, variants, footer } : null
}

async function readSequences(
  db: PlanningTools['app']['db'],
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<Sequences> {
  const steps = await listPlanSteps(db, tenant, campaignIds)
  return {
    steps,
    variants: await listVariants(db, tenant, { campaignIds, stepIds: steps.map((step) => step.id) }),
    footer: await findAccountFooter(db, tenant),
  }
}
