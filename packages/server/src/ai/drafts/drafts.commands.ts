import { createHash } from 'node:crypto'
import type { Approval, DraftStatus, EditApprovalInput } from '@overture/contract/ai/approvals.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { answerList, byId, type PageQuery } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  countDrafts,
  findDraft,
  type DraftRequest,
  type DraftRow,
  type HandText,
  insertDraftRequest,
  insertHandTexts,
  listDraftRows,
  lockDraft,
  updateDraft,
} from './drafts.sql.ts'
import type { AiTools } from '../generations/generate.shell.ts'
import { falseAnswer, findFlaws } from '../texts/written-checks.ts'

/** The functions of campaigns that drafting needs. AI doesn't import campaigns, so the composition root passes them in. */
export interface DraftTools extends AiTools {
  /** The campaign's `aiApproval`; undefined if the campaign was deleted. */
  findApprovalMode(db: Executor, tenant: Tenant, campaignId: string): Promise<'none' | 'first_n' | 'all' | undefined>
  /** Whether a message of this step begins a thread, and so needs its own subject. */
  beginsThread(db: Executor, tenant: Tenant, key: { campaignId: string; stepId: string }): Promise<boolean>
  /** Lets the planner plan the lead again. */
  releaseLead(tx: Transaction, tenant: Tenant, key: { campaignId: string; leadId: string; now: Date }): Promise<void>
  /** A person rejected the text: stops the lead. */
  stopRejected(tx: Transaction, tenant: Tenant, key: { campaignId: string; leadId: string; now: Date }): Promise<void>
  /** Whether the planner has reached the lead and waits for its text. */
  isAwaited(db: Executor, tenant: Tenant, key: { campaignId: string; leadId: string }): Promise<boolean>
  /** A person rejected the text of a step by hand: the lead continues with the next step. */
  skipRejected(tx: Transaction, tenant: Tenant, key: LeadStepKey & { now: Date }): Promise<void>
  /** A person decided about the text of a step by hand, which closes its task. */
  handTextDecided(
    tx: Transaction,
    tenant: Tenant,
    decided: { approvalId: string; status: 'approved' | 'rejected'; by: string; now: Date },
  ): Promise<void>
  pauseForCredits(tx: Transaction, tenant: Tenant, key: { campaignId: string; now: Date }): Promise<void>
}

interface LeadStepKey {
  campaignId: string
  leadId: string
  stepId: string
}

/** Stores texts of steps by hand that wait for a person. Returns those that did not exist yet. */
export async function storeHandTexts(tx: Transaction, tenant: Tenant, texts: readonly HandText[], now: Date) {
  if (texts.length === 0) return []
  return insertHandTexts(
    tx,
    tenant,
    texts.map((text) => ({ ...text, id: newId('gen') })),
    now,
  )
}

/** Requests the texts of AI steps, each once. A job writes them. */
export async function requestDrafts(
  tx: Transaction,
  tenant: Tenant,
  requests: readonly DraftRequest[],
  now: Date,
): Promise<void> {
  for (const request of requests) {
    const id = await insertDraftRequest(tx, tenant, { id: newId('gen'), ...request, createdAt: now })
    if (id !== null) await enqueueDraft(tx, tenant, { id, at: now })
  }
}

/** At most one job per text is queued. A call while the job runs makes it run once more. */
export async function enqueueDraft(tx: Executor, tenant: Tenant, { id, at }: { id: string; at: Date }): Promise<void> {
  await enqueueJob(tx, { kind: 'ai.draft', tenant, payload: { draftId: id }, runAt: at, key: id })
}

function presentApproval({ createdAt, updatedAt, ...row }: DraftRow): Approval {
  const { presetId: _presetId, presetVersion: _version, factsDigest: _digest, revision: _revision, ...shown } = row
  const textDigest = digestText(row)
  return { ...shown, textDigest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

/** The digest of the text that a person approves. The length of the subject separates subject and body. */
function digestText({ subject, body }: Pick<DraftRow, 'subject' | 'body'>): string | null {
  if (body === null) return null
  return createHash('sha256')
    .update(`${subject?.length ?? 0} ${subject ?? ''} ${body}`)
    .digest('hex')
}

export async function listApprovals(
  db: Executor,
  tenant: Tenant,
  query: { campaignId: string; status: DraftStatus } & PageQuery,
) {
  return answerList(query, {
    key: byId,
    list: (range) => listDraftRows(db, tenant, query, range),
    count: () => countDrafts(db, tenant, query),
    present: (rows) => rows.map(presentApproval),
  })
}

export async function getApproval(
  db: Executor,
  tenant: Tenant,
  { campaignId, approvalId }: { campaignId: string; approvalId: string },
): Promise<Approval> {
  const draft = await findDraft(db, tenant, approvalId)
  if (draft?.campaignId !== campaignId) throw notFound()
  return presentApproval(draft)
}

interface Verdict {
  status: 'approved' | 'rejected'
  /** The digest of the text that was read. Null approves the current text without a comparison. */
  textDigest?: string | null
}

interface DraftDecision {
  tools: DraftTools
  campaignId: string
  approvalId: string
  /** The user or the key. */
  by: string
  now: Date
}

/**
 * Approves, rejects or edits a waiting text, or stores a person's text where the model failed. A text that was sent can't be
 * changed. An edit must pass the checks that apply to all texts.
 */
export async function decideDraft(
  tx: Transaction,
  tenant: Tenant,
  { tools, campaignId, approvalId, by, now, ...decision }: DraftDecision & (Verdict | { edit: EditApprovalInput }),
): Promise<Approval> {
  const draft = await lockDraft(tx, tenant, approvalId)
  if (draft?.campaignId !== campaignId) throw notFound()
  if ('edit' in decision) refuseFlaws(decision.edit, draft)
  // A person may write the text if the model failed.
  const failed = draft.status === 'failed' || (draft.status === 'requested' && draft.error !== null)
  const writes = 'edit' in decision && failed && decision.edit.body !== undefined
  if (draft.status !== 'waiting' && !writes) {
    throw new AppError('CONFLICT', `The text is ${draft.status} and can't be changed.`, {
      currentStatus: draft.status,
      allowedActions: [],
    })
  }
  if ('textDigest' in decision) refuseOtherText(draft, decision.textDigest ?? null)
  const after: DraftRow =
    'edit' in decision
      ? {
          ...draft,
          subject: decision.edit.subject ?? draft.subject,
          body: decision.edit.body ?? draft.body,
          status: 'waiting',
          error: null,
          edited: draft.edited || writes || changes(draft, decision.edit),
          updatedAt: now,
        }
      : { ...draft, status: decision.status, updatedAt: now }
  if ('edit' in decision && !after.subject && (await tools.beginsThread(tx, tenant, draft))) {
    throw invalid({ path: 'subject', rule: 'required', message: 'A message that starts a thread needs a subject.' })
  }
  await updateDraft(tx, tenant, { ...after, now })
  await applyVerdict(tx, tenant, { tools, draft: after, by, now })
  return presentApproval(after)
}

async function applyVerdict(
  tx: Transaction,
  tenant: Tenant,
  { tools, draft, by, now }: { tools: DraftTools; draft: DraftRow; by: string; now: Date },
): Promise<void> {
  const { id, campaignId, leadId, stepId, status } = draft
  if (status !== 'approved' && status !== 'rejected') return
  const key = { campaignId, leadId, now }
  const isByHand = draft.modelId === null
  if (status === 'approved') await tools.releaseLead(tx, tenant, key)
  else if (isByHand) await tools.skipRejected(tx, tenant, { ...key, stepId })
  else await tools.stopRejected(tx, tenant, key)
  if (isByHand) await tools.handTextDecided(tx, tenant, { approvalId: id, status, by, now })
}

function refuseOtherText(draft: DraftRow, read: string | null): void {
  if (read === null || read === digestText(draft)) return
  throw new AppError('CONFLICT', 'The text has changed since you read it. Read it again before you approve it.', {
    currentStatus: draft.status,
    allowedActions: [],
  })
}

function changes(draft: DraftRow, { subject, body }: EditApprovalInput): boolean {
  return (subject ?? draft.subject) !== draft.subject || (body ?? draft.body) !== draft.body
}

// The fields of the sender are known only when the message is sent, so a text by hand keeps these placeholders.
const laterFields = /\{\{ (?:sender\.(?:email|fromName|signature)|unsubscribeUrl|meetingUrl) \}\}/g

function refuseFlaws(edit: EditApprovalInput, { modelId }: Pick<DraftRow, 'modelId'>): void {
  const shown = (text = '') => (modelId === null ? text.replaceAll(laterFields, '') : text)
  const [subject, body] = [shown(edit.subject), shown(edit.body)]
  const issues = [
    ...[...findFlaws(subject), ...falseAnswer(subject)].map((message) => ({ path: 'subject', rule: 'text', message })),
    ...findFlaws(body).map((message) => ({ path: 'body', rule: 'text', message })),
  ]
  if (issues.length > 0) throw invalid(...issues)
}
