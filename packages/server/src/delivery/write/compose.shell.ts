import { stepAfter } from '@overture/ground/paths/path.ts'
import { makeSnippet } from '@overture/ground/text/snippet.ts'
import { createHash } from 'node:crypto'
import { createTurns } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import type { RenderInput } from '../../templates/render.ts'
import type { RenderOutcome } from '../../templates/index.ts'
import { composeCampaignMessage, toRenderInput, type AccountFooter, type ComposeInput } from './compose.ts'
import {
  findAccountFooter,
  listClaimed,
  listDeliveryCampaigns,
  listThreadChains,
  type ClaimedRow,
  type DeliveryCampaign,
  type ThreadChain,
} from './compose.sql.ts'
import type { Writer } from '../plan/recipients.ts'
import { listStrangers } from './strangers.queries.ts'
import { listWriters } from '../plan/writers.sql.ts'
import { toEnvelope, buildManualMessage, manualTools } from './manual.shell.ts'
import { storeQueued, storeWritten, type WrittenRow } from './written.sql.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { composeMessage, buildMessageId, type MimeInput } from './message-bytes.ts'
import { listPlanSteps, type PlanStepRow } from '../plan/campaigns.sql.ts'
import { listSenderRows, type SenderRow } from '../plan/senders.sql.ts'
import { listVariants, type SelectableRow } from '../plan/texts.sql.ts'
import { listWrittenTexts, variantFor, type WrittenText } from '../plan/written-texts.shell.ts'

/** A claim with its stored bytes: ready for a mail server. */
export interface ReadyMessage {
  row: ClaimedRow
  token: string
  sender: SenderRow
  raw: Buffer
  /** The `Message-ID` header of `raw`. */
  rfcMessageId: string
  threadId: string
  subject: string
  snippet: string
  variantId: string | null
  campaign: DeliveryCampaign | null
  step: PlanStepRow | null
  nextStep: PlanStepRow | null
  /** The author of the newest reply in the thread of a manual message. */
  lastWriter: Writer | null
}

export interface UnwrittenMessage {
  row: ClaimedRow
  token: string
  problem: Exclude<RenderOutcome, { kind: 'rendered' }>
}

interface ComposedBatch {
  ready: ReadyMessage[]
  unwritten: UnwrittenMessage[]
}

const turnMsMax = 5

/** Composes a token's claims and stores bytes, hash and Message-ID. Messages that already have bytes keep them. */
export async function composeClaims(
  tools: DeliveryTools,
  tenant: Tenant,
  claim: { token: string; now: Date },
): Promise<ComposedBatch> {
  const rows = await listClaimed(tools.app.db, tenant, claim.token)
  if (rows.length === 0) return { ready: [], unwritten: [] }
  const context = await loadContext(tools, tenant, rows)
  const batch: ComposedBatch = { ready: [], unwritten: [] }
  const fresh: WrittenRow[] = []
  const queued: WrittenRow[] = []
  const dated = rows.map((row) => ({ row, now: claim.now }))
  for (const { row, written } of await writeAll(tools, tenant, { rows: dated, context, token: claim.token })) {
    if (written === null) continue
    if (written.kind !== 'written') {
      batch.unwritten.push({ row, token: claim.token, problem: written })
      continue
    }
    batch.ready.push(written.ready)
    if (written.rendered !== null) (row.stored ? queued : fresh).push(written.rendered)
  }
  await tools.faults.hit('rendered')
  // Relaxed durability is enough here: the gate of each message is made durable afterwards.
  const db = tools.app.db.relaxed()
  const stored = new Set([
    ...(fresh.length === 0 ? [] : await storeWritten(db, tenant, fresh)),
    ...(queued.length === 0 ? [] : await storeQueued(db, tenant, queued)),
  ])
  await tools.faults.hit('stored')
  // A claim that was withdrawn in between, for example because the lead replied, is neither stored nor sent.
  batch.ready = batch.ready.filter((message) => message.row.raw !== null || stored.has(message.row.id))
  return batch
}

interface ComposeContext {
  campaigns: Map<string, DeliveryCampaign>
  steps: PlanStepRow[]
  variants: SelectableRow[]
  texts: readonly WrittenText[]
  senders: Map<string, SenderRow>
  chains: Map<string, ThreadChain>
  footer: AccountFooter
  writers: ReadonlyMap<string, readonly Writer[]>
  /** The recipients of each follow-up who never wrote to us, by message. */
  strangers: ReadonlyMap<string, readonly string[]>
}

async function loadContext(tools: DeliveryTools, tenant: Tenant, rows: readonly ClaimedRow[]): Promise<ComposeContext> {
  const db = tools.app.db
  const campaignIds = [...new Set(rows.flatMap((row) => row.campaignId ?? []))]
  const stepIds = [...new Set(rows.flatMap((row) => row.stepId ?? []))]
  const threadIds = [...new Set(rows.flatMap((row) => (row.raw === null ? (row.lead?.threadId ?? []) : [])))]
  const followUps = rows.filter((row) => row.kind === 'manual' && row.toStranger && row.raw === null)
  const answering = [...new Set(rows.flatMap((row) => (row.kind === 'manual' ? (row.threadId ?? []) : [])))]
  const [campaigns, steps, variants, senders, chains, footer, writers, strangers] = await Promise.all([
    listDeliveryCampaigns(db, tenant, campaignIds),
    listPlanSteps(db, tenant, campaignIds),
    listVariants(db, tenant, { campaignIds, stepIds }),
    listSenderRows(db, tenant, [...new Set(rows.map((row) => row.sendingAccountId))]),
    listThreadChains(db, tenant, threadIds),
    findAccountFooter(db, tenant),
    listWriters(db, tenant, answering),
    listStrangers(
      db,
      tenant,
      followUps.map((row) => ({ ...row, ...toEnvelope(row) })),
    ),
  ])
  const leadIds = rows.flatMap((row) => row.leadId ?? [])
  const texts = await listWrittenTexts(db, tenant, { variants, leadIds, claimed: true })
  return {
    texts,
    campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
    steps,
    variants,
    senders: new Map(senders.map((sender) => [sender.id, sender])),
    chains,
    footer,
    writers,
    strangers,
  }
}

interface WriteInput {
  row: ClaimedRow
  context: ComposeContext
  now: Date
  token: string
}

type ComposeResult = { kind: 'written'; ready: ReadyMessage; rendered: WrittenRow | null } | UnwrittenMessage['problem']

/** A message whose content is still to be rendered, together with the others. */
interface Draft {
  kind: 'draft'
  ready: ReadyMessage
  compose: ComposeInput
  content: RenderInput
}

interface WriteBatch {
  /** Each row with the date of its message. */
  rows: readonly { row: ClaimedRow; now: Date }[]
  context: ComposeContext
  token: string
}

/** Composes each message separately, so that a message that can't be rendered doesn't affect others. It doesn't access the database. */
export async function writeAll(
  tools: Pick<DeliveryTools, 'app' | 'renderer' | 'meetingUrl'>,
  tenant: Tenant,
  { rows, ...batch }: WriteBatch,
): Promise<{ row: ClaimedRow; written: ComposeResult | null }[]> {
  const turn = createTurns(turnMsMax)
  const begun = rows.map(({ row, now }) => ({ row, draft: begin(tools, tenant, { row, now, ...batch }) }))
  const drafts = begun.flatMap(({ draft }) => (draft?.kind === 'draft' ? [draft] : []))
  const contents = drafts.map((draft) => draft.content)
  const outcomes = new Map(
    (await tools.renderer.messages(tenant, contents)).map((outcome, at) => [drafts[at], outcome] as const),
  )
  const written: { row: ClaimedRow; written: ComposeResult | null }[] = []
  for (const { row, draft } of begun) {
    await turn()
    const outcome = draft?.kind === 'draft' ? outcomes.get(draft) : undefined
    written.push({ row, written: draft?.kind === 'draft' ? finish(draft, outcome) : draft })
  }
  return written
}

function finish({ ready, compose, content }: Draft, outcome: RenderOutcome | undefined): ComposeResult {
  if (outcome?.kind !== 'rendered') return outcome ?? { kind: 'postponed' }
  return writtenMessage(ready, composeCampaignMessage(compose, content.unsubscribeUrl, outcome).mime)
}

function begin(
  tools: Pick<DeliveryTools, 'app' | 'meetingUrl'>,
  tenant: Tenant,
  input: WriteInput,
): ComposeResult | Draft | null {
  const { row, context, token } = input
  const sender = context.senders.get(row.sendingAccountId)
  if (sender === undefined) return null
  const step = context.steps.find((other) => other.id === row.stepId && other.campaignId === row.campaignId) ?? null
  const ready: ReadyMessage = {
    row,
    token,
    sender,
    step,
    raw: row.raw ?? Buffer.alloc(0),
    rfcMessageId: row.rfcMessageId ?? buildMessageId(row.id, sender.email),
    threadId: row.threadId ?? newId('thr'),
    subject: row.subject,
    snippet: makeSnippet((row.raw === null ? row.text : readMessageTexts(row.raw).text) ?? ''),
    variantId: row.variantId,
    campaign: context.campaigns.get(row.campaignId ?? '') ?? null,
    nextStep:
      step === null
        ? null
        : stepAfter(
            context.steps.filter((other) => other.campaignId === step.campaignId),
            step,
          ),
    lastWriter: row.kind === 'manual' ? (context.writers.get(row.threadId ?? '')?.[0] ?? null) : null,
  }
  if (row.raw !== null) return { kind: 'written', ready, rendered: null }
  if (row.kind !== 'campaign')
    return writtenMessage(ready, buildManualMessage(input, sender, manualTools(tools.app, tenant)))
  return composeDraft(tools, tenant, { input, ready })
}

function composeDraft(
  tools: Pick<DeliveryTools, 'app' | 'meetingUrl'>,
  tenant: Tenant,
  { input, ready }: { input: WriteInput; ready: ReadyMessage },
): ComposeResult | Draft {
  const { row, context } = input
  const { campaign, step, sender } = ready
  const variant =
    row.leadId === null || row.stepId === null
      ? undefined
      : variantFor(context.variants, context.texts, { leadId: row.leadId, stepId: row.stepId })
  if (row.lead === null || campaign === null || step === null || variant === undefined) {
    return { kind: 'template_error', message: 'The step has no text to send.' }
  }
  const { threadId } = row.lead
  const thread = step.sameThread && threadId !== null ? (context.chains.get(threadId) ?? null) : null
  const compose: ComposeInput = {
    messageId: row.id,
    writtenBefore: row.attempts,
    now: input.now,
    tenant,
    campaignId: campaign.id,
    stepId: step.id,
    lead: row.lead,
    sender,
    template: variant,
    settings: campaign.settings,
    thread,
    footer: context.footer,
    isFirst: row.lead.uncontacted,
    publicUrl: tools.app.config.publicUrl,
    meetingUrl: tools.meetingUrl?.(tenant, { campaignId: campaign.id, leadId: row.lead.id }) ?? null,
    sign: (purpose, fields) => tools.app.secrets.signToken(purpose, fields),
    sealToken: (purpose, parts) => tools.app.secrets.sealToken(purpose, parts),
  }
  const inThread = { variantId: variant.id, threadId: thread === null ? newId('thr') : (threadId ?? newId('thr')) }
  return { kind: 'draft', ready: { ...ready, ...inThread }, compose, content: toRenderInput(compose) }
}

function writtenMessage(ready: ReadyMessage, mime: MimeInput): ComposeResult {
  const raw = composeMessage(mime)
  return {
    kind: 'written',
    ready: { ...ready, raw, rfcMessageId: mime.messageId, subject: mime.subject, snippet: makeSnippet(mime.text) },
    rendered: {
      id: ready.row.id,
      token: ready.token,
      raw,
      sha256: createHash('sha256').update(raw).digest(),
      rfcMessageId: mime.messageId,
      subject: mime.subject,
      from: mime.from,
      to: ready.row.toAddresses,
      inReplyTo: mime.inReplyTo,
      refs: mime.references,
      threadId: ready.threadId,
      variantId: ready.variantId,
    },
  }
}
