import { AppError } from '@overture/contract/errors.ts'
import { triageIntents, triageInterests, type Triage } from '@overture/contract/inbox/triage.ts'
import { z } from 'zod'
import { holdCredits, whileHeld } from '../../credits/index.ts'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { insertGeneration } from '../generations/generations.sql.ts'
import type { ModelEntry } from '../providers/models.ts'
import { jobPatience } from '../providers/provider-gate.shell.ts'
import { requestReplyDraft, type ReplyDraftTools } from '../reply-drafts/reply-drafts.commands.ts'
import { askForObject, type AskOptions, NotTheFormError, type Usage } from '../providers/providers.client.ts'
import {
  type LabelledLead,
  readByRules,
  type ReplyReading,
  type ReceivedReply,
  type ReplyText,
  triageInstructions,
  whyNotApplied,
} from './triage.ts'
import { afterFailure, assertUsable, offeredModels, providerTrouble, whileAsking } from '../generations/write.shell.ts'

const lastAttempt = 5
const tries = 2

const readingSchema = z.object({
  interest: z.enum(triageInterests),
  intent: z.enum(triageIntents),
  confidence: z.number(),
})

interface TriageKey {
  campaignId: string
  leadId: string
  /** The id of the reply. */
  messageId: string
}

/** The functions of campaigns and the inbox that triage needs. AI doesn't import them, so the composition root passes them in. */
export interface TriageTools {
  replyDrafts: ReplyDraftTools
  /** The model that reads the campaign's replies; null if triage is off. */
  findTriageModel(db: Executor, tenant: Tenant, campaignId: string): Promise<string | null>
  /** Undefined if the message was deleted or was already read. */
  findReply(db: Executor, tenant: Tenant, messageId: string): Promise<ReceivedReply | undefined>
  isNewestReply(tx: Transaction, tenant: Tenant, key: TriageKey): Promise<boolean>
  lockLead(tx: Transaction, tenant: Tenant, key: TriageKey): Promise<(LabelledLead & { email: string }) | undefined>
  storeTriage(tx: Transaction, tenant: Tenant, kept: { messageId: string; triage: Triage }): Promise<void>
  label(
    tx: Transaction,
    tenant: Tenant,
    change: TriageKey & { interest: Exclude<ReplyReading['interest'], 'unclear'>; now: Date },
  ): Promise<void>
  /** Asks the planner to decide for leads at a branch, because the reply may choose their branch. */
  askBranches(tx: Transaction, tenant: Tenant, input: { leads: readonly TriageKey[]; now: Date }): Promise<void>
}

/** Requests that the campaign's model, if it has one, reads a reply. Runs in the transaction that stores the reply. */
export async function requestTriage(
  tx: Transaction,
  tenant: Tenant,
  tools: Pick<TriageTools, 'findTriageModel'>,
  { now, ...key }: TriageKey & { now: Date },
): Promise<void> {
  if ((await tools.findTriageModel(tx, tenant, key.campaignId)) === null) return
  await enqueueTriage(tx, tenant, { key, since: now, at: now })
}

async function enqueueTriage(db: Executor, tenant: Tenant, job: { key: TriageKey; since: Date; at: Date }) {
  const payload = { ...job.key, since: job.since.toISOString() }
  await enqueueJob(db, { kind: 'ai.triage', tenant, payload, runAt: job.at, key: job.key.messageId })
}

export function triageJobs(tools: TriageTools): JobHandler[] {
  return [
    {
      kind: 'ai.triage',
      maxAttempts: lastAttempt,
      lane: 'models',
      run: (context, payload) => {
        const text = (name: string) => String(payload[name])
        const key = { campaignId: text('campaignId'), leadId: text('leadId'), messageId: text('messageId') }
        return readReply(context, tools, { key, since: new Date(text('since')) })
      },
    },
  ]
}

async function readReply(context: JobContext, tools: TriageTools, { key, since }: { key: TriageKey; since: Date }) {
  const { app, tenant, now } = context
  const modelId = await tools.findTriageModel(app.db, tenant, key.campaignId)
  const reply = modelId === null ? undefined : await tools.findReply(app.db, tenant, key.messageId)
  if (modelId === null || reply === undefined) return
  const entry = offeredModels(app).find((model) => model.id === modelId)
  const skip = (reason: Triage['reason']) =>
    skipReply(context, tools, { key, modelId, reason, isProven: reply.isProven })
  if (entry === undefined) return skip('model_not_offered')
  try {
    await readCharged(context, tools, { key, entry, reply })
  } catch (error) {
    const isLastAttempt = context.attempt >= lastAttempt
    const failure = afterFailure(error, { entry, tenant, since, now, isLastAttempt })
    if ('at' in failure) return enqueueTriage(app.db, tenant, { key, since, at: failure.at })
    return skip(failure.refusal.code === 'INSUFFICIENT_CREDITS' ? 'insufficient_credits' : 'model_unavailable')
  }
}

interface ReplyToRead {
  key: TriageKey
  entry: ModelEntry
  reply: ReceivedReply
}

async function readCharged(context: JobContext, tools: TriageTools, { key, entry, reply }: ReplyToRead): Promise<void> {
  const { app, tenant, now } = context
  const generationId = newId('gen')
  const amount = entry.creditsPerGeneration
  const charge = { amount, reason: `AI reading of a reply with ${entry.id}`, reference: generationId, now }
  const held = await holdCredits(app.db, tenant, charge)
  await whileHeld(app.db, held, async () => {
    const answer = await read(context, entry, reply)
    await app.db.transaction(async (tx) => {
      // Another worker has read the reply, or it was erased, so this call is not charged.
      if ((await tools.findReply(tx, tenant, key.messageId)) === undefined) return held.release(tx)
      await held.settle(tx)
      await keep(tx, context, tools, { key, entry, answer, generationId, isProven: reply.isProven })
    })
  })
}

async function read(
  { app, tenant, signal }: JobContext,
  entry: ModelEntry,
  reply: ReplyText,
): Promise<ReplyReading & Usage> {
  assertUsable(app, tenant, entry)
  if (entry.provider === 'builtin') return { ...readByRules(reply), promptTokens: 0, completionTokens: 0 }
  return whileAsking(app, { signal, ...jobPatience(tenant) }, (asking) => readByModel(app, { entry, reply }, asking))
}

async function readByModel(
  app: App,
  { entry, reply }: { entry: ModelEntry; reply: ReplyText },
  asking: AskOptions,
): Promise<ReplyReading & Usage> {
  const { system, user } = triageInstructions(reply)
  const spent = { promptTokens: 0, completionTokens: 0 }
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      const { value, ...usage } = await askForObject(app, entry, {
        ...asking,
        system,
        prompt: user,
        schema: readingSchema,
      })
      spent.promptTokens += usage.promptTokens
      spent.completionTokens += usage.completionTokens
      if (value.confidence >= 0 && value.confidence <= 1) return { ...value, ...spent }
    } catch (error) {
      if (!(error instanceof NotTheFormError)) throw providerTrouble(app, entry, error)
    }
  }
  throw new AppError('SERVICE_UNAVAILABLE', `The model ${entry.id} did not return the requested form.`)
}

interface ReadingToStore {
  key: TriageKey
  entry: ModelEntry
  answer: ReplyReading & Usage
  generationId: string
  isProven: boolean
}

async function keep(tx: Transaction, context: JobContext, tools: TriageTools, keeping: ReadingToStore): Promise<void> {
  const { tenant, now } = context
  const { key, entry, answer, generationId, isProven } = keeping
  const { interest, intent, confidence, promptTokens, completionTokens } = answer
  const lead = await tools.lockLead(tx, tenant, key)
  const isNewest = await tools.isNewestReply(tx, tenant, key)
  const reason = lead === undefined ? 'opted_out' : whyNotApplied(answer, lead, { isNewest, isProven })
  const applied = reason === null
  if (applied && interest !== 'unclear') await tools.label(tx, tenant, { ...key, interest, now })
  const creditsCharged = entry.creditsPerGeneration
  const at = now.toISOString()
  await store(tx, context, tools, {
    key,
    email: lead?.email ?? null,
    isProven,
    triage: {
      status: 'done',
      interest,
      intent,
      confidence,
      modelId: entry.id,
      applied,
      reason,
      generationId,
      creditsCharged,
      at,
    },
  })
  await insertGeneration(tx, tenant, {
    id: generationId,
    kind: 'triage',
    modelId: entry.id,
    campaignId: key.campaignId,
    leadId: key.leadId,
    messageId: key.messageId,
    promptTokens,
    completionTokens,
    creditsCharged,
    now,
  })
}

async function skipReply(
  context: JobContext,
  tools: TriageTools,
  { key, modelId, reason, isProven }: { key: TriageKey; modelId: string; reason: Triage['reason']; isProven: boolean },
): Promise<void> {
  const nothing = {
    interest: null,
    intent: null,
    confidence: null,
    applied: false,
    generationId: null,
    creditsCharged: 0,
  }
  const triage: Triage = { ...nothing, status: 'skipped', modelId, reason, at: context.now.toISOString() }
  await context.app.db.transaction(async (tx) => {
    const lead = await tools.lockLead(tx, context.tenant, key)
    await store(tx, context, tools, { key, email: lead?.email ?? null, isProven, triage })
  })
}

// The event contains the same triage as the message.
async function store(
  tx: Transaction,
  { tenant, now }: JobContext,
  tools: TriageTools,
  { key, email, isProven, triage }: { key: TriageKey; email: string | null; isProven: boolean; triage: Triage },
): Promise<void> {
  await tools.storeTriage(tx, tenant, { messageId: key.messageId, triage })
  const { at: _at, ...read } = triage
  const data = isProven ? read : { ...read, proven: false as const }
  await appendEvents(tx, tenant, [{ type: 'reply.classified', occurredAt: now, ...key, leadEmail: email, data }])
  if (isProven) await tools.askBranches(tx, tenant, { leads: [key], now })
  await requestReplyDraft(tx, tenant, tools.replyDrafts, { messageId: key.messageId, triage, now })
}
