import { type Approval, type EditApprovalInput, firstApprovals } from '@overture/contract/approvals.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { releaseReservation, reserve, settleReservation } from '../credits/index.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { answerList, byId, type PageQuery } from '../platform/http/paging.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob, type JobContext, type JobHandler } from '../platform/jobs/jobs.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  countDrafts,
  countDraftsShown,
  type DraftRow,
  findDraft,
  insertDraftRequest,
  listDraftRows,
  lockDraft,
  updateDraft,
} from './drafts.sql.ts'
import { type AiTools, prepareWriting } from './generate.commands.ts'
import { offeredModels, write } from './write.commands.ts'
import type { DraftStatus } from '@overture/contract/approvals.ts'

/** What drafting asks of campaigns, which AI does not know: handed in by the composition. */
export interface DraftTools extends AiTools {
  /** The campaign's `aiApproval`; undefined where the campaign is gone. */
  findApprovalMode(db: Executor, tenant: Tenant, campaignId: string): Promise<'none' | 'first_n' | 'all' | undefined>
  /** The lead may be planned again. */
  releaseLead(tx: Transaction, tenant: Tenant, key: { campaignId: string; leadId: string; now: Date }): Promise<void>
  /** A person refused the text: nothing more goes to the lead. */
  stopRejected(tx: Transaction, tenant: Tenant, key: { campaignId: string; leadId: string; now: Date }): Promise<void>
  pauseForCredits(tx: Transaction, tenant: Tenant, key: { campaignId: string; now: Date }): Promise<void>
}

export interface DraftRequest {
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  presetId: string
  modelId: string
}

/** Has the text of an AI step written for a lead, once; the job does it. */
export async function requestDrafts(
  tx: Transaction,
  tenant: Tenant,
  requests: readonly DraftRequest[],
  now: Date,
): Promise<void> {
  for (const request of requests) {
    const id = await insertDraftRequest(tx, tenant, { id: newId('gen'), ...request, createdAt: now })
    if (id !== null) await enqueueJob(tx, { kind: 'ai.draft', tenant, payload: { draftId: id }, runAt: now, key: id })
  }
}

export function draftJobs(tools: DraftTools): JobHandler[] {
  return [
    {
      kind: 'ai.draft',
      maxAttempts: 8,
      run: (context, payload) => writeDraft(context, tools, String(payload['draftId'])),
    },
  ]
}

const lastAttempt = 8

async function writeDraft(context: JobContext, tools: DraftTools, id: string): Promise<void> {
  const { app, tenant, now } = context
  const draft = await findDraft(app.db, tenant, id)
  const mode = draft && (await tools.findApprovalMode(app.db, tenant, draft.campaignId))
  if (draft?.status !== 'requested' || mode === undefined) return
  const entry = offeredModels(app).find((model) => model.id === draft.modelId)
  if (!entry) return failDraft(context, draft, `The model ${draft.modelId} is not offered.`)
  const charge = { amount: entry.creditsPerGeneration, reason: `AI step with ${entry.id}`, reference: id, now }
  const reservation = await reserveOrPause(context, tools, draft, charge)
  if (reservation === 'paused') return
  try {
    const { kind, ...input } = {
      kind: 'email' as const,
      modelId: draft.modelId,
      presetId: draft.presetId,
      campaignId: draft.campaignId,
      leadId: draft.leadId,
    }
    const { task } = await prepareWriting(app, tenant, tools, { ...input, kind })
    const { written } = await write(app, tenant, { entry, task })
    await app.db.transaction(async (tx) => {
      if (reservation !== null) await settleReservation(tx, tenant, reservation, charge)
      const shown =
        mode === 'all' ||
        (mode === 'first_n' && (await countDraftsShown(tx, tenant, draft.campaignId)) < firstApprovals)
      const status = shown ? 'waiting' : 'approved'
      await updateDraft(tx, tenant, {
        ...draft,
        status,
        subject: written.subjects[0] ?? '',
        body: written.body,
        error: null,
        now,
      })
      if (status === 'approved') await tools.releaseLead(tx, tenant, { ...draft, now })
    })
  } catch (error) {
    if (reservation !== null) await app.db.transaction((tx) => releaseReservation(tx, tenant, reservation))
    if (!(error instanceof AppError) || context.attempt < lastAttempt) throw error
    await failDraft(context, draft, error.message)
  }
}

async function reserveOrPause(
  context: JobContext,
  tools: DraftTools,
  draft: DraftRow,
  charge: { amount: number; reason: string; reference: string; now: Date },
) {
  const { app, tenant, now } = context
  if (charge.amount === 0) return null
  try {
    return await app.db.transaction((tx) => reserve(tx, tenant, charge))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error
    await app.db.transaction(async (tx) => {
      await tools.pauseForCredits(tx, tenant, { campaignId: draft.campaignId, now })
      // Asked for again when the campaign goes on and the planner meets the lead.
      await updateDraft(tx, tenant, { ...draft, status: 'failed', error: 'insufficient_credits', now })
    })
    return 'paused' as const
  }
}

async function failDraft({ app, tenant, now }: JobContext, draft: DraftRow, error: string): Promise<void> {
  await updateDraft(app.db, tenant, { ...draft, status: 'failed', error, now })
}

export function presentApproval({ presetId: _presetId, createdAt, updatedAt, ...row }: DraftRow): Approval {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

export async function listApprovals(
  db: Executor,
  tenant: Tenant,
  query: { campaignId: string; status: DraftStatus } & PageQuery,
) {
  return answerList(query, {
    key: byId,
    list: (at) => listDraftRows(db, tenant, query, at),
    count: () => countDrafts(db, tenant, query),
    present: (rows) => rows.map(presentApproval),
  })
}

interface Deciding {
  tools: DraftTools
  campaignId: string
  approvalId: string
  now: Date
}

/** Approves, rejects or edits a text that waits; what was sent can't be changed any more. */
export async function decideDraft(
  tx: Transaction,
  tenant: Tenant,
  {
    tools,
    campaignId,
    approvalId,
    now,
    ...decision
  }: Deciding & ({ status: 'approved' | 'rejected' } | { edit: EditApprovalInput }),
): Promise<Approval> {
  const draft = await lockDraft(tx, tenant, approvalId)
  if (draft?.campaignId !== campaignId) throw notFound()
  if (draft.status !== 'waiting') {
    throw new AppError('CONFLICT', `A text that is ${draft.status} can't be changed.`, {
      currentStatus: draft.status,
      allowedActions: [],
    })
  }
  const after: DraftRow =
    'edit' in decision
      ? {
          ...draft,
          subject: decision.edit.subject ?? draft.subject,
          body: decision.edit.body ?? draft.body,
          edited: true,
          updatedAt: now,
        }
      : { ...draft, status: decision.status, updatedAt: now }
  await updateDraft(tx, tenant, { ...after, now })
  if (after.status === 'approved') await tools.releaseLead(tx, tenant, { campaignId, leadId: draft.leadId, now })
  if (after.status === 'rejected') await tools.stopRejected(tx, tenant, { campaignId, leadId: draft.leadId, now })
  return presentApproval(after)
}
