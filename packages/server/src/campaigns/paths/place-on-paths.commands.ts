import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { pathEnd } from '@overture/contract/vocabularies.ts'
import { jumpTo, nextPosition } from '../../ground/paths/path.ts'
import { placeAfterChange, type Place, type StepDone } from '../../ground/paths/place.ts'
import { dueAfter } from '../../ground/time/sending-window.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CampaignRow } from '../campaigns.sql.ts'
import { sameWait, waitAfterChange } from '../sequence/changed-sequence.ts'
import { listDecisions, listSentSteps, updateDecisionsVoided } from './decisions.sql.ts'
import type { ReflowedLead, ReflowRow } from './reflowed-lead.ts'

export interface Reflow {
  campaign: CampaignRow
  before: readonly Step[]
  after: readonly Step[]
  now: Date
  /** Told of each lead that was given another place. */
  onMoved?: ((before: ReflowRow, after: ReflowedLead) => void) | undefined
  /** Told how many decisions lost the step that they led to. */
  onVoided?: ((count: number) => void) | undefined
}

/** Where leads stand after a change of a sequence that branches, or did: each behind the last step of its own path. */
export async function placeOnPaths(
  tx: Transaction,
  tenant: Tenant,
  { leads, reflow }: { leads: readonly ReflowRow[]; reflow: Reflow },
): Promise<ReflowedLead[]> {
  const paths = await readPaths(tx, tenant, { leads, reflow })
  const placed = leads.map((lead) => {
    const done = paths.get(lead.id) ?? []
    const goesOn = lead.status !== 'completed'
    const waitsAt = goesOn ? (reflow.before[nextPosition(lead) - 1] ?? null) : null
    return { lead, done, waitsAt, place: placeAfterChange({ done, waitsAt }, reflow) }
  })
  const voided = placed.filter(({ place }) => place.voided)
  if (voided.length > 0) await voidDecisions(tx, tenant, { voided, reflow })
  return placed.flatMap((one) => movedOf(one, reflow))
}

type DoneAt = StepDone & { at: Date }

interface PlacedLead {
  lead: ReflowRow
  done: readonly DoneAt[]
  waitsAt: Step | null
  place: Place<Step>
}

async function readPaths(
  tx: Transaction,
  tenant: Tenant,
  { leads, reflow }: { leads: readonly ReflowRow[]; reflow: Reflow },
): Promise<Map<string, DoneAt[]>> {
  const keys = leads.map((lead) => ({ campaignId: reflow.campaign.id, leadId: lead.id }))
  const sent = await listSentSteps(tx, tenant, keys)
  const decided = await listDecisions(tx, tenant, keys)
  const paths = new Map<string, DoneAt[]>(leads.map((lead) => [lead.id, []]))
  for (const { leadId, stepId, at } of sent) paths.get(leadId)?.push({ stepId, branchId: null, goesTo: null, at })
  for (const { leadId, ...decision } of decided) paths.get(leadId)?.push(decision)
  // What was done in one instant was done in the order of the sequence.
  const position = new Map(reflow.before.map((step) => [step.id, step.position]))
  for (const path of paths.values())
    path.sort(
      (a, b) => a.at.getTime() - b.at.getTime() || (position.get(a.stepId) ?? 0) - (position.get(b.stepId) ?? 0),
    )
  return paths
}

function movedOf({ lead, done, waitsAt, place }: PlacedLead, { campaign, before, now }: Reflow): ReflowedLead[] {
  const { last, next } = place
  const currentStep = last?.position ?? 0
  const nextStep = next === null ? null : jumpTo(next, last ?? { position: 0 })
  const staysThere = next !== null && sameWait(waitsAt ?? undefined, next)
  if (staysThere && currentStep === lead.currentStep && nextStep === lead.nextStep) return []
  const isPaused = lead.status === 'paused'
  if (next === null)
    return [
      { id: lead.id, status: isPaused ? 'paused' : 'completed', currentStep, nextStep, deciding: false, dueAt: null },
    ]
  const wait = waitAfterChange(next, { before, waitedFor: waitsAt ?? undefined })
  const since = done.at(-1)?.at ?? lead.lastContactedAt ?? now
  const dueAt = dueAfter(since, wait, campaign.schedule, lead.timezone)
  const status = isPaused || lead.status === 'pending' ? lead.status : 'active'
  return [{ id: lead.id, status, currentStep, nextStep, deciding: next.type === 'branch', dueAt }]
}

/** A decision whose target is gone counts as one that found nothing to hold, and the log tells why. */
async function voidDecisions(
  tx: Transaction,
  tenant: Tenant,
  { voided, reflow }: { voided: readonly PlacedLead[]; reflow: Reflow },
): Promise<void> {
  const { campaign, now } = reflow
  const decisions = voided.flatMap(({ lead, place: { last, next } }) =>
    last === null ? [] : [{ lead, stepId: last.id, goesTo: last.then === pathEnd ? pathEnd : (next?.id ?? null) }],
  )
  const rows = decisions.map(({ lead, stepId, goesTo }) => ({ leadId: lead.id, stepId, goesTo }))
  reflow.onVoided?.(rows.length)
  await updateDecisionsVoided(tx, tenant, { campaignId: campaign.id, decisions: rows })
  await appendEvents(
    tx,
    tenant,
    decisions.map(({ lead, stepId, goesTo }) => ({
      type: 'branch.decided',
      occurredAt: now,
      campaignId: campaign.id,
      leadId: lead.id,
      leadEmail: lead.email,
      stepId,
      data: {
        branchId: null,
        label: null,
        goesTo: goesTo ?? pathEnd,
        evidence: 'The step that was decided for is gone.',
        immediate: false,
        reason: 'target_removed',
      },
    })),
  )
}
