import { holdCredits, whileHeld } from '../../credits/index.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { insertGeneration } from '../generations/generations.sql.ts'
import { afterFailure, offeredModels } from '../generations/write.shell.ts'
import type { ModelEntry } from '../providers/models.ts'
import { jobPatience } from '../providers/provider-gate.shell.ts'
import { isToAnswer, type ReplyDraftRow } from './reply-draft.ts'
import { enqueueReplyDraft, type ReplyDraftTools } from './reply-drafts.commands.ts'
import { findReplyDraftById, lockReplyDraft, updateReplyDraft } from './reply-drafts.sql.ts'
import { writeReply, type WrittenReply } from './write-reply.shell.ts'

const lastAttempt = 5

export function replyDraftJobs(tools: ReplyDraftTools): JobHandler[] {
  return [
    {
      kind: 'ai.reply_draft',
      maxAttempts: lastAttempt,
      lane: 'models',
      run: (context, payload) =>
        writeDraft(context, tools, { id: String(payload['draftId']), since: new Date(String(payload['since'])) }),
    },
  ]
}

async function writeDraft(context: JobContext, tools: ReplyDraftTools, { id, since }: { id: string; since: Date }) {
  const { app, tenant, now } = context
  const draft = await findReplyDraftById(app.db, tenant, id)
  if (draft?.status !== 'requested' || !(await isCurrent(app.db, context, tools, draft))) return
  const entry = offeredModels(app).find((model) => model.id === draft.modelId)
  if (entry === undefined) return fail(context, draft, `The model ${draft.modelId} is not offered any more.`)
  try {
    await writeCharged(context, tools, { draft, entry })
  } catch (error) {
    const isLastAttempt = context.attempt >= lastAttempt
    const failure = afterFailure(error, { entry, tenant, since, now, isLastAttempt })
    if ('at' in failure) return enqueueReplyDraft(app.db, tenant, { id, since, at: failure.at })
    await fail(context, draft, failure.refusal.message)
  }
}

/** Whether the draft still answers the newest message. */
async function isCurrent(
  db: Executor,
  { tenant }: JobContext,
  tools: ReplyDraftTools,
  { threadId, messageId }: ReplyDraftRow,
): Promise<boolean> {
  return isToAnswer(messageId, await tools.findNewestReply(db, tenant, { threadId }))
}

interface DraftToWrite {
  draft: ReplyDraftRow
  entry: ModelEntry
}

// The model is called outside of a transaction. A worker that dies has charged nothing: what it reserved is released by its age.
async function writeCharged(
  context: JobContext,
  tools: ReplyDraftTools,
  { draft, entry }: DraftToWrite,
): Promise<void> {
  const { app, tenant, now, signal } = context
  const task = await tools.readConversation(app.db, tenant, draft)
  const generationId = newId('gen')
  const amount = entry.creditsPerGeneration
  const charge = { amount, reason: `AI reply with ${entry.id}`, reference: generationId, now }
  const held = await holdCredits(app.db, tenant, charge)
  await whileHeld(app.db, held, async () => {
    const written = await writeReply(app, tenant, { entry, task, signal, ...jobPatience(tenant) })
    await app.db.transaction(async (tx) => {
      const before = await lockReplyDraft(tx, tenant, draft.threadId)
      // Another worker has written the draft, or it was replaced, dismissed or answered. This call is not charged.
      const isAwaited = before?.id === draft.id && before.status === 'requested'
      if (!isAwaited || !(await isCurrent(tx, context, tools, draft))) return held.release(tx)
      if ('problems' in written) {
        await held.release(tx)
        const error = `The text of the model failed the checks: ${written.problems.join(', ')}. Nothing was charged.`
        await updateReplyDraft(tx, tenant, { id: draft.id, status: 'failed', text: null, error, now })
        return
      }
      await held.settle(tx)
      await store(tx, context, tools, { draft, entry, written, generationId })
    })
  })
}

interface DraftToStore extends DraftToWrite {
  written: Extract<WrittenReply, { body: string }>
  generationId: string
}

async function store(
  tx: Transaction,
  { tenant, now }: JobContext,
  tools: ReplyDraftTools,
  { draft, entry, written, generationId }: DraftToStore,
): Promise<void> {
  const { id, threadId: conversationId, campaignId, leadId, messageId } = draft
  const creditsCharged = entry.creditsPerGeneration
  await updateReplyDraft(tx, tenant, { id, status: 'ready', text: written.body, error: null, now })
  // The text is only in the draft, which is erased with its conversation.
  await insertGeneration(tx, tenant, {
    id: generationId,
    kind: 'reply',
    modelId: entry.id,
    campaignId,
    leadId,
    messageId,
    promptTokens: written.promptTokens,
    completionTokens: written.completionTokens,
    creditsCharged,
    now,
  })
  const leadEmail = await tools.findLeadEmail(tx, tenant, draft)
  const data = { conversationId, draftId: id, modelId: entry.id, creditsCharged }
  await appendEvents(tx, tenant, [
    { type: 'reply.drafted', occurredAt: now, campaignId, leadId, messageId, leadEmail, data },
  ])
}

async function fail({ app, tenant, now }: JobContext, draft: ReplyDraftRow, error: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const before = await lockReplyDraft(tx, tenant, draft.threadId)
    if (before?.id !== draft.id || before.status !== 'requested') return
    await updateReplyDraft(tx, tenant, { id: draft.id, status: 'failed', text: null, error, now })
  })
}
