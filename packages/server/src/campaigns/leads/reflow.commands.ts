import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { completeFinishedCampaigns, wakePlanner } from './lead-moves.commands.ts'
import {
  deleteUnsentClaim,
  listLeadsToReflow,
  listLeadsWithOrphanedClaims,
  updateLeadRequeued,
  updateLeadsReflowed,
} from './lead-moves.sql.ts'
import { reopenCampaign } from './lead-moves.commands.ts'
import { requeueLeadsMissingValues } from './progress.sql.ts'
import { isPlain, sendsNothing } from '@overture/ground/paths/path.ts'
import { listDecisions, updateLeadsBeforeFirst } from '../paths/decisions.sql.ts'
import { cancelCampaignTasks } from '../paths/cancel-tasks.commands.ts'
import { updateTaskHolds } from '../paths/tasks.sql.ts'
import { placeOnPaths, type Reflow } from '../paths/place-on-paths.commands.ts'
import type { ReflowedLead, ReflowRow } from '../paths/reflowed-lead.ts'
import { positionAfterChange, sameTexts, sameWait, waitAfterChange } from '../sequence/changed-sequence.ts'
import { dueAfter } from '@overture/ground/time/sending-window.ts'

const batchSize = 1000
const straightOn = { nextStep: null, deciding: false }

/**
 * Gives every lead its place in a changed sequence. Waits are counted again from the last sent message. A lead at the end
 * continues if a last step was added. A lead without remaining steps is completed.
 */
export async function reflowLeads(tx: Transaction, tenant: Tenant, reflow: Reflow): Promise<void> {
  const { campaign, now, onMoved } = reflow
  await takeBackOrphans(tx, tenant, reflow)
  if (reflow.before.some((step) => step.type === 'task' || step.byHand)) {
    await cancelCampaignTasks(tx, tenant, { campaignId: campaign.id, reason: 'step_removed', now })
    await updateTaskHolds(tx, tenant, { campaignId: campaign.id, now })
  }
  const first = { before: sendsNothing(reflow.before[0]), after: sendsNothing(reflow.after[0]) }
  if (first.before || first.after)
    await updateLeadsBeforeFirst(tx, tenant, { campaignId: campaign.id, deciding: first.after })
  let hasActiveLeads = await releaseForTexts(tx, tenant, reflow)
  for (let afterId = ''; ;) {
    const leads = await listLeadsToReflow(tx, tenant, { campaignId: campaign.id, afterId, limit: batchSize })
    const moved = await placeLeads(tx, tenant, { leads, reflow })
    hasActiveLeads ||= moved.some((lead) => lead.status === 'active')
    const placed =
      moved.length === 0 ? [] : await updateLeadsReflowed(tx, tenant, { campaignId: campaign.id, leads: moved, now })
    if (onMoved !== undefined) {
      const before = new Map(leads.map((lead) => [lead.id, lead]))
      for (const after of placed) onMoved(before.get(after.id)!, after)
    }
    const last = leads.at(-1)
    if (!last || leads.length < batchSize) break
    afterId = last.id
  }
  if (hasActiveLeads) await reopenCampaign(tx, tenant, campaign, now)
  await completeFinishedCampaigns(tx, tenant, [campaign.id], now)
  wakePlanner(tx, tenant, now)
}

/** Makes leads that lack a value due, because the new texts may not need it. Returns whether there were any. */
async function releaseForTexts(
  tx: Transaction,
  tenant: Tenant,
  { campaign, before, after, now }: Reflow,
): Promise<boolean> {
  if (sameTexts(before, after)) return false
  return (await requeueLeadsMissingValues(tx, tenant, { campaignId: campaign.id, now })) > 0
}

async function takeBackOrphans(tx: Transaction, tenant: Tenant, { campaign, now }: Reflow): Promise<void> {
  for (const leadId of await listLeadsWithOrphanedClaims(tx, tenant, campaign.id)) {
    await deleteUnsentClaim(tx, tenant, { campaignId: campaign.id, leadId })
    await updateLeadRequeued(tx, tenant, { campaignId: campaign.id, leadId, at: now })
  }
}

/** If every lead took every step in order, its place is a number. Otherwise its place depends on its path. */
async function placeLeads(
  tx: Transaction,
  tenant: Tenant,
  { leads, reflow }: { leads: readonly ReflowRow[]; reflow: Reflow },
): Promise<ReflowedLead[]> {
  if (isPlain(reflow.before) && isPlain(reflow.after) && !(await haveDecisions(tx, tenant, { leads, reflow })))
    return leads.flatMap((lead) => placeLead(lead, reflow))
  return placeOnPaths(tx, tenant, { leads, reflow })
}

/** Decisions remain after their branches are deleted: leads that a decision sent to the end must stay there. */
async function haveDecisions(
  tx: Transaction,
  tenant: Tenant,
  { leads, reflow }: { leads: readonly ReflowRow[]; reflow: Reflow },
): Promise<boolean> {
  const ended = leads.filter((lead) => lead.status === 'completed')
  const keys = ended.map((lead) => ({ campaignId: reflow.campaign.id, leadId: lead.id }))
  return keys.length > 0 && (await listDecisions(tx, tenant, keys)).length > 0
}

function placeLead(lead: ReflowRow, { schedule, before, after, now }: Reflow): ReflowedLead[] {
  const currentStep = positionAfterChange(lead.currentStep, before, after)
  const next = after[currentStep]
  const sameNext = next !== undefined && sameWait(before[lead.currentStep], next)
  if (currentStep === lead.currentStep && sameNext && lead.status !== 'completed') return []
  if (!next)
    return [
      {
        id: lead.id,
        status: lead.status === 'paused' ? 'paused' : 'completed',
        currentStep,
        ...straightOn,
        dueAt: null,
      },
    ]
  const status = lead.status === 'paused' ? 'paused' : 'active'
  const wait = waitAfterChange(next, { before, waitedFor: before[lead.currentStep] })
  const dueAt = dueAfter(lead.lastContactedAt ?? now, wait, schedule, lead)
  return [{ id: lead.id, status, currentStep, ...straightOn, dueAt }]
}
