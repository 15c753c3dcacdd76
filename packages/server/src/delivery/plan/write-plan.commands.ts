import { jumpTo, sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { contactKeys } from '../../contact-policy/index.ts'
import { requestDrafts, storeHandTexts } from '../../ai/index.ts'
import {
  advanceLeads,
  completeFinishedCampaigns,
  completeLeads,
  dueAfter,
  holdLeads,
  recordDecisions,
  recordHandTasks,
  recordTasks,
  releaseLead,
  takeLeads,
  updateCampaignHolds,
} from '../../campaigns/index.ts'
import { requestProviders } from '../../deliverability/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { commitDurably } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { assertBudgetsHold, storePacing } from '../../sending-accounts/index.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { campaignHold, possiblyFinished } from '@overture/planner/campaign-outcome.ts'
import type { PlannedSend, PlanResult } from '@overture/planner/plan.types.ts'
import { claimMessages, deleteUnsentMessages, lockPresentSenders, type Claim, type Lease } from './claims.sql.ts'
import { claimDueDirect } from './claim-direct.commands.ts'
import { stepKey } from './lead-facts.shell.ts'
import type { PlanInput } from './load-plan-input.shell.ts'
import { listWrittenTexts, variantFor } from './written-texts.shell.ts'

/** The pause after a failed plan. */
export const failedPauseMs = 5_000

interface PlanWrite {
  input: PlanInput
  result: PlanResult
  now: Date
  lease: Lease
  secrets: AddressHashes
}

/** Writes what a plan decided, in the caller's transaction. */
export async function writePlan(tx: Transaction, tenant: Tenant, write: PlanWrite) {
  const { input, result, now } = write
  const { claimed, moved } = await claimSends(tx, tenant, write)
  await storePacing(tx, tenant, result.senderUpdates, now)
  // The lock order is the same as that of writers of texts: first the text, then its lead.
  await requestDrafts(tx, tenant, input.missingTexts, now)
  await openHandTexts(tx, tenant, write)
  await requestProviders(tx, tenant, { domains: domainsToLookUp(input), now })
  await holdLeads(tx, tenant, result.leadHolds)
  await releaseWritten(tx, tenant, write)
  const opened = await recordTasks(tx, tenant, { tasks: result.tasks, texts: input.taskTexts, now })
  const decided = opened + (await recordDecisions(tx, tenant, result.decisions, now))
  if (input.finished.length > 0) await completeLeads(tx, tenant, input.finished, now)
  const direct = await claimDueDirect(tx, tenant, write)
  await updateCampaignHolds(
    tx,
    tenant,
    input.campaigns.map((campaign) => campaignHold(campaign.id, result.campaignHolds, input.waitingForTexts)),
  )
  const finished = possiblyFinished(input, result)
  const completed = finished.length > 0 ? await completeFinishedCampaigns(tx, tenant, finished, now) : 0
  // These become events or requests for texts, so they must be on disk before a reader or a model learns of them.
  const isHeard = decided + input.finished.length + completed + input.missingTexts.length > 0
  if (isHeard) await commitDurably(tx)
  // A lead whose lock was busy is planned again soon, even if no other lead is due.
  const pauseMs = moved ? 0 : failedPauseMs
  const lookAgainAt = claimed < result.sends.length ? new Date(now.getTime() + pauseMs) : null
  return { claimed: claimed + direct.claimed, decided, nextDirectAt: direct.nextAt, lookAgainAt }
}

/** Shows the texts of due steps by hand to a person: as texts that wait for approval, and as tasks. */
async function openHandTexts(tx: Transaction, tenant: Tenant, { input, result, now }: PlanWrite): Promise<void> {
  const waiting = new Set(
    result.leadHolds.flatMap(({ leadId, reason }) => (reason === 'awaiting_approval' ? [leadId] : [])),
  )
  const due = input.handTexts.filter(({ leadId }) => waiting.has(leadId))
  if (due.length === 0) return
  const stored = await storeHandTexts(tx, tenant, due, now)
  const subjects = new Map(due.map(({ leadId, subject }) => [leadId, subject]))
  await recordHandTasks(tx, tenant, {
    texts: stored.map(({ id, ...key }) => ({ ...key, approvalId: id, title: subjects.get(key.leadId) ?? '' })),
    now,
  })
  // A task is an event, so it must be on disk before a reader learns of it.
  await commitDurably(tx)
}

function domainsToLookUp({ leads }: PlanInput): string[] {
  return leads.flatMap(({ recipientProvider, emailDomain }) => (recipientProvider === null ? [emailDomain] : []))
}

/** Releases leads whose text was stored after they were read: the writer of the text found no waiting lead to release. */
async function releaseWritten(tx: Transaction, tenant: Tenant, { input, result, now }: PlanWrite): Promise<void> {
  const held = new Set(
    result.leadHolds.flatMap(({ leadId, reason }) => (reason === 'awaiting_approval' ? [leadId] : [])),
  )
  if (held.size === 0) return
  const texts = await listWrittenTexts(tx, tenant, { variants: input.variants, leadIds: [...held] })
  for (const { id, campaignId, nextStepPosition } of input.leads) {
    const steps = input.campaigns.find((campaign) => campaign.id === campaignId)?.steps
    const step = held.has(id) ? steps?.find(({ position }) => position === nextStepPosition) : undefined
    if (step === undefined || !variantFor(input.variants, texts, { leadId: id, stepId: step.id })) continue
    await releaseLead(tx, tenant, { campaignId, leadId: id, now })
  }
}

/** `moved` is true if leads moved past steps that had been sent before. */
async function claimSends(
  tx: Transaction,
  tenant: Tenant,
  { input, result, now, lease, secrets }: PlanWrite,
): Promise<{ claimed: number; moved: boolean }> {
  if (result.sends.length === 0) return { claimed: 0, moved: false }
  // A sender that was deleted after the plan was made sends nothing. The lock prevents a deletion during the claim.
  const present = await lockPresentSenders(tx, tenant, [...new Set(result.sends.map((send) => send.sendingAccountId))])
  const possible = result.sends.filter((send) => present.has(send.sendingAccountId))
  const byFate = groupByFate(possible, input)
  if (byFate.done.length > 0) {
    const taken = await takeLeads(tx, tenant, byFate.done)
    const done = byFate.done.filter((send) => taken.has(send.leadId))
    await advanceLeads(tx, tenant, movesPast(done, input, now), now)
  }
  const from = { rows: input.rows, secrets, now }
  const claims = [
    ...byFate.fresh.map((send) => toClaim(send, from)),
    ...byFate.again.map((send) => ({ ...toClaim(send, from), messageId: existingId(input, send) })),
    ...byFate.replaced.map((send) => ({ ...toClaim(send, from), replaces: existingId(input, send) })),
  ]
  const claimed = claims.length === 0 ? new Set<string>() : await claimMessages(tx, tenant, claims, lease)
  await assertBudgetsHold(
    tx,
    tenant,
    claims.filter(({ messageId }) => claimed.has(messageId)).map(({ counted }) => ({ counted, isHeld: true })),
  )
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

function groupByFate(sends: readonly PlannedSend[], input: PlanInput): Fates {
  const fates: Fates = { fresh: [], again: [], replaced: [], done: [] }
  for (const send of sends) {
    const existing = input.existing.get(stepKey(send.leadId, send.stepId))
    if (existing === undefined) fates.fresh.push(send)
    else if (existing.status !== 'queued') fates.done.push(send)
    else if (existing.sendingAccountId === send.sendingAccountId) fates.again.push(send)
    else fates.replaced.push(send)
  }
  return fates
}

function existingId(input: PlanInput, send: PlannedSend): string {
  return input.existing.get(stepKey(send.leadId, send.stepId))?.id ?? ''
}

export function toClaim(
  send: PlannedSend,
  { rows, secrets, now }: Pick<PlanInput, 'rows'> & { secrets: AddressHashes; now: Date },
): Claim {
  const { campaignId, leadId, stepId, sendingAccountId, counted } = send
  const row = rows.get(leadId)
  const { person, company } = row === undefined ? { person: '', company: null } : contactKeys(row)
  return {
    messageId: newId('msg'),
    replaces: null,
    campaignId,
    leadId,
    stepId,
    sendingAccountId,
    at: now,
    counted,
    email: row?.email ?? '',
    addressHash: secrets.addressHash(person),
    company,
  }
}

/** The moves of leads to the step after one that had been sent before. */
function movesPast(done: readonly PlannedSend[], input: PlanInput, now: Date) {
  return done.flatMap((send) => {
    const campaign = input.campaigns.find((row) => row.id === send.campaignId)
    const step = campaign?.steps.find((row) => row.id === send.stepId)
    const row = input.rows.get(send.leadId)
    if (!campaign || !step || !row) return []
    const next = stepAfter(campaign.steps, step)
    const sentAt = input.existing.get(stepKey(send.leadId, send.stepId))?.sentAt ?? now
    const dueAt = next === null ? null : dueAfter(sentAt, next.waitBefore, campaign.schedule, row)
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
        deciding: sendsNothing(next),
      },
    ]
  })
}
