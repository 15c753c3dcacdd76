import { minuteMs } from '../../ground/time/spans.ts'
import { randomUUID } from 'node:crypto'
import { jumpTo, stepAfter } from '../../ground/paths/path.ts'
import { requestDrafts } from '../../ai/index.ts'
import {
  completeFinishedCampaigns,
  dueAfter,
  releaseLead,
  holdLeads,
  takeLeads,
  updateCampaignHolds,
  advanceLeads,
  completeLeads,
  recordDecisions,
} from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { updateSenderPacing } from '../../sending-accounts/index.ts'
import { claimMessages, deleteUnsentMessages, type Claim, type Lease } from './claims.sql.ts'
import { claimDueDirect } from './direct.shell.ts'
import { plan } from '../planner/plan.ts'
import { stepKey, type PlanningTools } from './due-leads.shell.ts'
import { earliest, loadPlan, sendsMax, type LoadedPlan } from './load-plan-input.shell.ts'
import { gateOrder, type CampaignHold, type PlannedSend, type PlanResult } from '../planner/plan.types.ts'
import { claimPlanning, commitDurably, releasePlanning } from './planning.sql.ts'
import { lockPresentSenders } from './present-senders.sql.ts'
import { listWrittenTexts, variantFor } from './written-texts.shell.ts'

/** The lease of a claim, renewed while its worker lives (docs/contract.md, "Never twice": 60 s at most). */
export const leaseMs = minuteMs
/** The pause after a failed plan. */
const failedPauseMs = 5_000

interface PlanningResult {
  claimed: number
  /** The number of leads for which a decision was made. */
  decided: number
  /** When to plan again, in the tenant's time. Null if nothing will be due before something changes. */
  nextPlanAt: Date | null
  /** Identifies this run's claims for `deliverClaimed`. */
  token: string
}

/**
 * Plans a tenant once and claims the messages to send now, in one transaction. If another planner is at work or nothing is due,
 * `claimed` and `decided` are 0. With `heldToken` the caller already has the planning lease and keeps it.
 */
export async function runPlanning(
  tools: PlanningTools,
  tenant: Tenant,
  now: Date,
  options: { heldToken?: string } = {},
): Promise<PlanningResult> {
  const db = tools.app.db.relaxed()
  const token = options.heldToken ?? randomUUID()
  const lease = { token, leaseMs, held: options.heldToken !== undefined }
  if (!(await claimPlanning(db, tenant, lease)))
    return { claimed: 0, decided: 0, nextPlanAt: null, token: randomUUID() }
  try {
    return await planLeased(tools, tenant, { now, token, held: lease.held })
  } catch (error) {
    // Releases the lease at once if the database still responds; otherwise the lease expires.
    const nextPlanAt = new Date(now.getTime() + failedPauseMs)
    await releasePlanning(db, tenant, { token, nextPlanAt, keep: lease.held }).catch(() => null)
    throw error
  }
}

async function planLeased(
  tools: PlanningTools,
  tenant: Tenant,
  { now, token, held }: { now: Date; token: string; held: boolean },
): Promise<PlanningResult> {
  // A plan that a crash loses is made again, since the gate of a message is stored after its plan.
  const db = tools.app.db.relaxed()
  const claimToken = randomUUID()
  const loaded = await loadPlan(tools, tenant, now)
  const planned = plan({
    now,
    campaigns: loaded.campaigns,
    senders: loaded.senders,
    candidates: loaded.leads,
    maxSends: sendsMax,
    cutGroups: loaded.cutGroups,
  })
  const result = { ...planned, leadHolds: [...planned.leadHolds, ...loaded.asides] }
  const claimLease = { token: claimToken, leaseMs }
  const written = await db.transaction(async (tx) => {
    const kept = await writePlan(tx, tenant, { loaded, result, now, lease: claimLease, secrets: tools.app.secrets })
    await tools.faults?.hit('planning')
    return kept
  })
  await tools.faults?.hit('planned')
  const stepsAside = loaded.asides.length + loaded.finished.length > 0
  const busy = result.goesOn || (stepsAside && loaded.cutGroups.size > 0)
  const nextPlanAt = earliest([
    result.nextPlanAt,
    loaded.nextAttemptAt,
    written.nextDirectAt,
    ...result.leadHolds.map((hold) => hold.attemptAt),
    written.lookAgainAt,
    busy ? now : null,
  ])
  return {
    claimed: written.claimed,
    decided: written.decided,
    nextPlanAt: await releasePlanning(db, tenant, { token, nextPlanAt, keep: held }),
    token: claimToken,
  }
}

interface PlanWrite {
  loaded: LoadedPlan
  result: PlanResult
  now: Date
  lease: Lease
  secrets: AddressHashes
}

async function writePlan(tx: Transaction, tenant: Tenant, write: PlanWrite) {
  const { loaded, result, now } = write
  const { claimed, moved } = await claimSends(tx, tenant, write)
  await updateSenderPacing(tx, tenant, result.senderUpdates)
  // The lock order is the same as that of writers of texts: first the text, then its lead.
  await requestDrafts(tx, tenant, loaded.missingTexts, now)
  await holdLeads(tx, tenant, result.leadHolds)
  await releaseWritten(tx, tenant, write)
  const decided = await recordDecisions(tx, tenant, result.decisions, now)
  if (loaded.finished.length > 0) await completeLeads(tx, tenant, loaded.finished, now)
  const direct = await claimDueDirect(tx, tenant, write)
  await updateCampaignHolds(
    tx,
    tenant,
    loaded.campaigns.map((campaign) => holdOf(campaign.id, result.campaignHolds, loaded.waitingForTexts)),
  )
  const mayBeFinished = finishedCandidates(loaded, result)
  const completed = mayBeFinished.length > 0 ? await completeFinishedCampaigns(tx, tenant, mayBeFinished, now) : 0
  // These become events or requests for texts, so they must be on disk before a reader or a model learns of them.
  const isHeard = decided + loaded.finished.length + completed + loaded.missingTexts.length > 0
  if (isHeard) await commitDurably(tx)
  // A lead whose lock was busy is planned again soon, even if no other lead is due.
  const pauseMs = moved ? 0 : failedPauseMs
  const lookAgainAt = claimed < result.sends.length ? new Date(now.getTime() + pauseMs) : null
  return { claimed: claimed + direct.claimed, decided, nextDirectAt: direct.nextAt, lookAgainAt }
}

/** Releases leads whose text was stored after they were read: the writer of the text found no waiting lead to release. */
async function releaseWritten(tx: Transaction, tenant: Tenant, { loaded, result, now }: PlanWrite): Promise<void> {
  const held = new Set(
    result.leadHolds.flatMap(({ leadId, reason }) => (reason === 'awaiting_approval' ? [leadId] : [])),
  )
  if (held.size === 0) return
  const texts = await listWrittenTexts(tx, tenant, { variants: loaded.variants, leadIds: [...held] })
  for (const { id, campaignId, nextStepPosition } of loaded.leads) {
    const steps = loaded.campaigns.find((campaign) => campaign.id === campaignId)?.steps
    const step = held.has(id) ? steps?.find(({ position }) => position === nextStepPosition) : undefined
    if (step === undefined || !variantFor(loaded.variants, texts, { leadId: id, stepId: step.id })) continue
    await releaseLead(tx, tenant, { campaignId, leadId: id, now })
  }
}

/** `moved` is true if leads moved past steps that had been sent before. */
async function claimSends(
  tx: Transaction,
  tenant: Tenant,
  { loaded, result, now, lease }: PlanWrite,
): Promise<{ claimed: number; moved: boolean }> {
  if (result.sends.length === 0) return { claimed: 0, moved: false }
  // A sender that was deleted after the plan was made sends nothing. The lock prevents a deletion during the claim.
  const present = await lockPresentSenders(tx, tenant, [...new Set(result.sends.map((send) => send.sendingAccountId))])
  const possible = result.sends.filter((send) => present.has(send.sendingAccountId))
  const byFate = groupByFate(possible, loaded)
  if (byFate.done.length > 0) {
    const taken = await takeLeads(tx, tenant, byFate.done)
    const done = byFate.done.filter((send) => taken.has(send.leadId))
    await skipSentSteps(tx, tenant, { done, loaded, now })
  }
  const claims = [
    ...byFate.fresh.map((send) => toClaim(send, loaded)),
    ...byFate.again.map((send) => ({ ...toClaim(send, loaded), messageId: existingId(loaded, send) })),
    ...byFate.replaced.map((send) => ({ ...toClaim(send, loaded), replaces: existingId(loaded, send) })),
  ]
  const claimed = claims.length === 0 ? new Set<string>() : await claimMessages(tx, tenant, claims, { ...lease, now })
  const unsent = claims.flatMap(({ messageId, replaces }) =>
    replaces !== null && claimed.has(messageId) ? [replaces] : [],
  )
  if (unsent.length > 0) await deleteUnsentMessages(tx, tenant, unsent)
  return { claimed: claimed.size, moved: byFate.done.length > 0 }
}

interface Fates {
  fresh: PlannedSend[]
  /** A retry by the same sender, which sends the stored bytes. */
  again: PlannedSend[]
  /** Claims that were never sent and move to another sender: their messages are written again. */
  replaced: PlannedSend[]
  /** Already sent before the sequence was reordered, so the lead moves to its next step. */
  done: PlannedSend[]
}

function groupByFate(sends: readonly PlannedSend[], loaded: LoadedPlan): Fates {
  const fates: Fates = { fresh: [], again: [], replaced: [], done: [] }
  for (const send of sends) {
    const existing = loaded.existing.get(stepKey(send.leadId, send.stepId))
    if (existing === undefined) fates.fresh.push(send)
    else if (existing.status !== 'queued') fates.done.push(send)
    else if (existing.sendingAccountId === send.sendingAccountId) fates.again.push(send)
    else fates.replaced.push(send)
  }
  return fates
}

function existingId(loaded: LoadedPlan, send: PlannedSend): string {
  return loaded.existing.get(stepKey(send.leadId, send.stepId))?.id ?? ''
}

function toClaim(send: PlannedSend, loaded: LoadedPlan): Claim {
  const { campaignId, leadId, stepId, sendingAccountId, counted } = send
  return {
    messageId: newId('msg'),
    replaces: null,
    campaignId,
    leadId,
    stepId,
    sendingAccountId,
    counted,
    email: loaded.rows.get(leadId)?.email ?? '',
  }
}

async function skipSentSteps(
  tx: Transaction,
  tenant: Tenant,
  { done, loaded, now }: { done: readonly PlannedSend[]; loaded: LoadedPlan; now: Date },
): Promise<void> {
  const moves = done.flatMap((send) => {
    const campaign = loaded.campaigns.find((row) => row.id === send.campaignId)
    const step = campaign?.steps.find((row) => row.id === send.stepId)
    const row = loaded.rows.get(send.leadId)
    if (!campaign || !step || !row) return []
    const next = stepAfter(campaign.steps, step)
    const sentAt = loaded.existing.get(stepKey(send.leadId, send.stepId))?.sentAt ?? now
    const dueAt = next === null ? null : dueAfter(sentAt, next.waitBefore, campaign.schedule, row.timezone)
    return [
      {
        campaignId: send.campaignId,
        leadId: send.leadId,
        position: step.position,
        stepId: step.id,
        at: null,
        threadId: null,
        senderId: null,
        dueAt,
        nextStep: jumpTo(next, step),
        deciding: next?.type === 'branch',
      },
    ]
  })
  await advanceLeads(tx, tenant, moves, now)
}

// The first gate in the contract's order is shown as the campaign's. If there is none, leads may be waiting for their texts.
export function holdOf(campaignId: string, holds: readonly CampaignHold[], waitingForTexts: ReadonlySet<string>) {
  const own = holds.filter((hold) => hold.campaignId === campaignId)
  own.sort((a, b) => gateOrder.indexOf(a.reason) - gateOrder.indexOf(b.reason))
  const otherwise = waitingForTexts.has(campaignId) ? ('awaiting_approval' as const) : null
  return { campaignId, reason: own[0]?.reason ?? otherwise, until: own[0]?.until ?? null }
}

export function finishedCandidates(
  loaded: Pick<LoadedPlan, 'campaigns' | 'waitingForTexts'> & { leads: readonly { campaignId: string }[] },
  result: Pick<PlanResult, 'leadHolds'>,
): string[] {
  const busy = new Set([...loaded.leads.map((lead) => lead.campaignId), ...loaded.waitingForTexts])
  const heldForGood = new Set(result.leadHolds.filter((hold) => hold.attemptAt === null).map((hold) => hold.campaignId))
  return loaded.campaigns
    .filter((campaign) => !busy.has(campaign.id) || heldForGood.has(campaign.id))
    .map((campaign) => campaign.id)
}
