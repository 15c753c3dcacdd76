import { firstApprovals } from '@overture/contract/ai/approvals.ts'
import { AppError } from '@overture/contract/errors.ts'
import { type ChargeInput, holdCredits, whileHeld } from '../../credits/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { type DraftTools, enqueueDraft } from './drafts.commands.ts'
import { countDraftsShown, type DraftRow, findDraft, lockDraft, updateDraft } from './drafts.sql.ts'
import { type PreparedTask, prepareWriting } from '../generations/generate.shell.ts'
import { insertGeneration } from '../generations/generations.sql.ts'
import { comesBackAt, jobPatience } from '../providers/provider-gate.shell.ts'
import type { ModelAnswer } from '../providers/providers.client.ts'
import { factsDigest } from '../texts/stale.ts'
import { asUnavailable, write } from '../generations/write.shell.ts'

/**
 * Attempts per text. The pauses grow from seconds to an hour: half an hour in total, then nine of an hour each. Then the text is
 * `failed`.
 */
const lastAttempt = 16

export function draftJobs(tools: DraftTools): JobHandler[] {
  return [
    {
      kind: 'ai.draft',
      maxAttempts: lastAttempt,
      lane: 'models',
      run: (context, payload) => writeDraft(context, tools, String(payload['draftId'])),
    },
  ]
}

async function writeDraft(context: JobContext, tools: DraftTools, id: string): Promise<void> {
  const { app, tenant, now } = context
  const draft = await findDraft(app.db, tenant, id)
  const mode = draft && (await tools.findApprovalMode(app.db, tenant, draft.campaignId))
  if (draft?.status !== 'requested' || mode === undefined) return
  try {
    await writeCharged(context, tools, { draft, mode })
  } catch (error) {
    const at = comesBackAt(error, { tenant, since: draft.updatedAt, now })
    if (at !== null) return enqueueDraft(app.db, tenant, { id, at })
    if (!(error instanceof AppError)) throw error
    // The model or preset of the request was deleted, so a retry would fail as well.
    const isGone = error.code === 'NOT_FOUND'
    const isLast = isGone || context.attempt >= lastAttempt
    const reason = isGone ? 'The model or the preset was deleted.' : error.message
    await app.db.transaction((tx) => tellTrouble(tx, context, draft, { reason, isLast }))
    if (!isLast) throw error
  }
}

type Mode = 'none' | 'first_n' | 'all'

interface DraftToWrite {
  draft: DraftRow
  mode: Mode
}

async function writeCharged(context: JobContext, tools: DraftTools, { draft, mode }: DraftToWrite): Promise<void> {
  const { app, tenant, now, signal } = context
  const { modelId, presetId, campaignId, leadId } = draft
  if (modelId === null || presetId === null) return
  const prepared = await prepareWriting(app, tenant, tools, { kind: 'email', modelId, presetId, campaignId, leadId })
  const { entry } = prepared
  const generationId = newId('gen')
  const amount = entry.creditsPerGeneration
  const charge = { amount, reason: `AI step with ${entry.id}`, reference: generationId, now }
  const held = await holdOrPause(context, tools, draft, charge)
  if (held === null) return
  await whileHeld(app.db, held, async () => {
    const answer = await write(app, tenant, { entry, task: prepared.task, signal, ...jobPatience(tenant) }).catch(
      (error: unknown) => {
        throw tenant.environment === 'live' ? error : asUnavailable(error, entry)
      },
    )
    await app.db.transaction(async (tx) => {
      const before = await lockDraft(tx, tenant, draft.id)
      // The text was deleted or requested again during the call, so it is neither stored nor charged.
      if (before?.status !== 'requested' || before.revision !== draft.revision) {
        await held.release(tx)
        return
      }
      await held.settle(tx)
      await storeText(tx, context, { tools, draft, mode, prepared, answer, generationId })
    })
  })
}

interface DraftToStore extends DraftToWrite {
  tools: DraftTools
  prepared: PreparedTask
  answer: ModelAnswer
  generationId: string
}

async function storeText(tx: Transaction, { tenant, now }: JobContext, storing: DraftToStore): Promise<void> {
  const { tools, draft, mode, prepared, answer, generationId } = storing
  const { entry, preset, task } = prepared
  const { written, promptTokens, completionTokens } = answer
  const first = mode === 'first_n' && (await countDraftsShown(tx, tenant, draft.campaignId)) < firstApprovals
  const status = mode === 'all' || first ? 'waiting' : 'approved'
  const presetVersion = preset?.version ?? null
  const text = { subject: written.subjects[0] ?? '', body: written.body }
  await updateDraft(tx, tenant, {
    ...text,
    id: draft.id,
    status,
    error: null,
    edited: false,
    presetVersion,
    factsDigest: factsDigest(task.lead),
    generationId,
    now,
  })
  await insertGeneration(tx, tenant, {
    ...text,
    id: generationId,
    kind: 'step',
    modelId: entry.id,
    presetId: draft.presetId,
    presetVersion,
    campaignId: draft.campaignId,
    leadId: draft.leadId,
    stepId: draft.stepId,
    subjectOptions: written.subjects,
    promptTokens,
    completionTokens,
    creditsCharged: entry.creditsPerGeneration,
    now,
  })
  if (status === 'approved') await tools.releaseLead(tx, tenant, { ...draft, now })
}

/** Pauses the campaign if a due lead can't be written to. A text that isn't due yet is requested again when it is. */
async function holdOrPause(context: JobContext, tools: DraftTools, draft: DraftRow, charge: ChargeInput) {
  const { app, tenant, now } = context
  try {
    return await holdCredits(app.db, tenant, charge)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error
    await app.db.transaction(async (tx) => {
      if (await tools.isAwaited(tx, tenant, draft))
        await tools.pauseForCredits(tx, tenant, { campaignId: draft.campaignId, now })
      await tellTrouble(tx, context, draft, { reason: 'insufficient_credits', isLast: true })
    })
    return null
  }
}

/** Stores the error, which is shown with the text after its first failure. Never replaces a text that a person wrote during the call. */
async function tellTrouble(
  tx: Transaction,
  { tenant, now }: JobContext,
  draft: DraftRow,
  { reason, isLast }: { reason: string; isLast: boolean },
): Promise<void> {
  const before = await lockDraft(tx, tenant, draft.id)
  if (before?.status !== 'requested' || before.revision !== draft.revision) return
  await updateDraft(tx, tenant, { ...before, status: isLast ? 'failed' : 'requested', error: reason, now })
}
