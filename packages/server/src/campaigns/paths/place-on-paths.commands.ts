import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { pathEnd } from '@overture/contract/vocabularies.ts'
import { jumpTo, nextPosition, sendsNothing } from '@overture/ground/paths/path.ts'
import { endsPath, placeAfterChange, type Place, type StepDone } from '@overture/ground/paths/place.ts'
import { dueAfter, type SendingSchedule } from '@overture/ground/time/sending-window.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CampaignRow } from '../campaigns.sql.ts'
import { sameWait, waitAfterChange } from '../sequence/changed-sequence.ts'
import { listDecisions, listSentSteps, updateDecisionsVoided } from './decisions.sql.ts'
import type { ReflowedLead, ReflowRow } from './reflowed-lead.ts'
import { listStepTasks, type StepTaskRow } from './tasks.sql.ts'

export interface Reflow {
  campaign: CampaignRow
  schedule: SendingSchedule
  before: readonly Step[]
  after: readonly Step[]
  now: Date
  /** Called for each lead that gets another place. */
  onMoved?: ((before: ReflowRow, after: ReflowedLead) => void) | undefined
  /** Called with the number of decisions whose target step was deleted. */
  onVoided?: ((count: number) => void) | undefined
}

/** The places of leads after a change of a sequence that has or had branches. Each lead is behind the last step of its own path. */
export async function placeOnPaths(
  tx: Transaction,
  tenant: Tenant,
  { leads, reflow }: { leads: readonly ReflowRow[]; reflow: Reflow },
): Promise<ReflowedLead[]> {
  const paths = await readPaths(tx, tenant, { leads, reflow })
  const placed = leads.map((lead) => {
    const done = paths.get(lead.id) ?? []
    const isOpen = lead.status !== 'completed'
    const waitsAt = isOpen ? (reflow.before[nextPosition(lead) - 1] ?? null) : null
    return { lead, done, waitsAt, place: placeAfterChange({ done, waitsAt }, reflow) }
  })
  await voidDecisions(tx, tenant, { voided: placed.filter(({ place }) => place.voided), reflow })
  await appendEvents(
    tx,
    tenant,
    placed.flatMap((one) => cutOffEvents(one, reflow)),
  )
  return placed.flatMap((one) => reflowLead(one, reflow))
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
  const tasks = await listStepTasks(tx, tenant, keys)
  const paths = new Map<string, DoneAt[]>(leads.map((lead) => [lead.id, []]))
  for (const { leadId, stepId, at } of sent) paths.get(leadId)?.push({ stepId, branchId: null, goesTo: null, at })
  for (const task of tasks) {
    const { leadId, stepId, openedAt, closedAt, blocks } = task
    const at = blocks ? (closedAt ?? openedAt) : openedAt
    if (isPassed(task)) paths.get(leadId)?.push({ stepId, branchId: null, goesTo: null, at })
  }
  for (const { leadId, ...decision } of decided) paths.get(leadId)?.push(decision)
  for (const path of paths.values()) path.sort(inOrder(reflow.before))
  return paths
}

/** A skipped email by hand has no message, so its task shows that the lead passed the step. */
function isPassed({ channel, status, blocks }: StepTaskRow): boolean {
  if (channel === 'email') return status === 'skipped'
  return status === 'done' || status === 'skipped' || !blocks
}

/**
 * Sorts by time. Entries of the same instant follow the order of the sequence, and an entry that ended the path comes last. Deleted
 * steps are sorted by id, so that each reading of a path gives the same place.
 */
function inOrder(steps: readonly Step[]): (a: DoneAt, b: DoneAt) => number {
  const position = new Map(steps.map((step) => [step.id, step.position]))
  return (a, b) =>
    a.at.getTime() - b.at.getTime() ||
    Number(endsPath(a.goesTo)) - Number(endsPath(b.goesTo)) ||
    (position.get(a.stepId) ?? 0) - (position.get(b.stepId) ?? 0) ||
    (a.stepId < b.stepId ? -1 : 1)
}

function reflowLead({ lead, done, waitsAt, place }: PlacedLead, { schedule, before, now }: Reflow): ReflowedLead[] {
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
  const dueAt = dueAfter(since, wait, schedule, lead)
  const status = isPaused || lead.status === 'pending' ? lead.status : 'active'
  return [{ id: lead.id, status, currentStep, nextStep, deciding: sendsNothing(next), dueAt }]
}

/** A decision whose target is gone counts as if no branch had been true. An event says why. */
async function voidDecisions(
  tx: Transaction,
  tenant: Tenant,
  { voided, reflow }: { voided: readonly PlacedLead[]; reflow: Reflow },
): Promise<void> {
  if (voided.length === 0) return
  const decisions = voided.flatMap((placed) => {
    const { last, next } = placed.place
    return last === null ? [] : [{ placed, last, goesTo: last.then === pathEnd ? pathEnd : (next?.id ?? null) }]
  })
  const rows = decisions.map(({ placed, last, goesTo }) => ({ leadId: placed.lead.id, stepId: last.id, goesTo }))
  reflow.onVoided?.(rows.length)
  await updateDecisionsVoided(tx, tenant, { campaignId: reflow.campaign.id, decisions: rows })
  await appendEvents(
    tx,
    tenant,
    decisions.map(({ placed, last, goesTo }) => ({
      ...about(placed, reflow),
      stepId: last.id,
      data: {
        ...noneHeld,
        goesTo: goesTo ?? pathEnd,
        evidence: voidedBy(placed, last, reflow),
        reason: 'target_removed',
      },
    })),
  )
}

/** Events for leads that waited at a removed branch, because nothing will be decided there any more. */
function cutOffEvents(placed: PlacedLead, reflow: Reflow): NewEvent[] {
  const { waitsAt, place } = placed
  if (waitsAt === null || !place.cutOff) return []
  const evidence = `The lead waited at the branch ${stepName(waitsAt)}, which was removed.`
  const data = { ...noneHeld, goesTo: place.next?.id ?? pathEnd, evidence, reason: 'branch_removed' as const }
  return [{ ...about(placed, reflow), stepId: waitsAt.id, data }]
}

const noneHeld = { branchId: null, label: null, immediate: false }

function about({ lead }: PlacedLead, { campaign, now }: Reflow) {
  const type = 'branch.decided' as const
  return { type, occurredAt: now, campaignId: campaign.id, leadId: lead.id, leadEmail: lead.email }
}

function voidedBy({ done }: PlacedLead, last: Step, { before, after }: Reflow): string {
  const decided = done.findLast((one) => one.stepId === last.id)
  const branches = before.find(({ id }) => id === last.id)?.branches ?? []
  const held = branches.find(({ id }) => id === decided?.branchId)
  const target = before.find(({ id }) => id === decided?.goesTo)
  const branch = held === undefined ? 'A removed branch' : `“${held.label}”`
  const was = (decided?.branchId ?? null) === null ? 'No branch matched' : `${branch} matched`
  const lost = after.some(({ id }) => id === decided?.goesTo) ? 'is now before the branch' : 'was removed'
  return `${was}, and the step ${target === undefined ? '' : `${stepName(target)} `}that it led to ${lost}.`
}

function stepName({ key, position }: Step): string {
  return key === null ? String(position) : `“${key}”`
}
