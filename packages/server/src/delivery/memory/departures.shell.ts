import { normalizeEmail } from '@overture/contract/addresses.ts'
import { contactKeys } from '../../contact-policy/index.ts'
import type { NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import type { PlanningTools } from '../plan/lead-facts.shell.ts'
import { writeAll, type ReadyMessage } from '../write/compose.shell.ts'
import { listThreadChains, type ClaimedRow } from '../write/compose.sql.ts'
import type { WrittenRow } from '../write/written.sql.ts'
import type { PlannedSend, PlanSender } from '@overture/planner/plan.types.ts'
import type { SenderRow } from '../plan/senders.sql.ts'
import { toLeadAdvance, departureEvents, type DepartedMessage } from '../record/record.shell.ts'
import type { QueuedLead } from './lead-queue.ts'
import { insertDepartures, type DepartedRow, type ProfileRow } from './memory.sql.ts'
import type { TenantMemory } from './read-memory.shell.ts'
import type { ArrivedMessage } from './simulated.ts'

/** A message that was sent in memory and is not stored yet. */
export interface Departure {
  messageId: string
  send: PlannedSend
  at: Date
  /** The lead's place before the message. */
  lead: QueuedLead
  /** The lead's place after the message; null if that was its last one. */
  next: QueuedLead | null
  profile: ProfileRow
  sender: PlanSender & SenderRow
  answer: string
}

interface DepartureScope {
  memory: TenantMemory
  hashes: AddressHashes
}

/**
 * Composes and writes the messages in the order in which they were sent. Returns them for their mailboxes, and the events to log.
 * Throws if one of them could not have been sent; then nothing of the batch may be stored.
 */
export async function writeDepartures(
  tools: PlanningTools,
  tenant: Tenant,
  departures: readonly Departure[],
  scope: DepartureScope,
): Promise<{ arrived: ArrivedMessage[]; events: NewEvent[] }> {
  if (departures.length === 0) return { arrived: [], events: [] }
  const { db } = tools.app
  const composed = await compose(tools, tenant, departures, scope.memory)
  const recorded = new Map(
    (
      await insertDepartures(
        db,
        tenant,
        composed.map((one) => toRow(one, scope.hashes)),
      )
    ).map(({ id, ...lead }) => [id, lead]),
  )
  if (recorded.size !== departures.length) throw new Error('A message that left in memory would have been held.')
  const events = composed.flatMap(({ departure, ready }) =>
    departureEvents(toDepartedMessage(departure, ready), recorded.get(departure.messageId) ?? null),
  )
  for (const { departure, ready } of composed) if (departure.next) departure.next.threadId = ready.threadId
  return { arrived: composed.map(toArrived), events }
}

interface ComposedDeparture {
  departure: Departure
  ready: ReadyMessage
  written: WrittenRow
}

async function compose(
  tools: PlanningTools,
  tenant: Tenant,
  departures: readonly Departure[],
  memory: TenantMemory,
): Promise<ComposedDeparture[]> {
  const threadIds = [...new Set(departures.flatMap(({ lead }) => lead.threadId ?? []))]
  const context = {
    texts: [],
    campaigns: new Map(memory.running.map((campaign) => [campaign.id, campaign])),
    steps: [...memory.steps],
    variants: [...memory.variants],
    senders: new Map(departures.map(({ sender }) => [sender.id, sender])),
    chains: await listThreadChains(tools.app.db, tenant, threadIds),
    footer: memory.footer,
    writers: new Map(),
    strangers: new Map(),
  }
  const rows = departures.map((departure) => ({ row: toClaimedRow(departure), now: departure.at }))
  const results = await writeAll(tools, tenant, { rows, context, token: '' })
  return departures.map((departure, at) => {
    const written = results[at]?.written
    if (written?.kind !== 'written' || written.rendered === null)
      throw new Error('A message that left in memory could not be written.')
    return { departure, ready: written.ready, written: written.rendered }
  })
}

function toClaimedRow({ messageId, send, profile, lead }: Departure): ClaimedRow {
  return {
    id: messageId,
    kind: 'campaign',
    campaignId: send.campaignId,
    leadId: send.leadId,
    leadEmail: profile.email,
    stepId: send.stepId,
    variantId: null,
    threadId: null,
    sendingAccountId: send.sendingAccountId,
    stored: false,
    attempts: 0,
    firstAttemptAt: null,
    rfcMessageId: null,
    raw: null,
    subject: '',
    text: null,
    html: null,
    toAddresses: [{ email: profile.email, name: null }],
    ccAddresses: [],
    bccAddresses: [],
    inReplyTo: null,
    refs: [],
    attachments: null,
    toStranger: false,
    refusedBefore: [],
    lead: { ...profile, currentStep: lead.currentStep, uncontacted: lead.currentStep === 0, threadId: lead.threadId },
  }
}

function toDepartedMessage({ at, answer }: Departure, message: ReadyMessage): DepartedMessage {
  return { message, at, outcome: { kind: 'sent', answer, refused: [] } }
}

function toRow({ departure, ready, written }: ComposedDeparture, hashes: AddressHashes): DepartedRow {
  const { send, at, answer, lead, profile } = departure
  const move = toLeadAdvance({ message: ready, at })
  if (move === null) throw new Error('A message that left in memory belongs to no step.')
  const { email, domain } = normalizeEmail(profile.email)
  return {
    written,
    campaignId: send.campaignId,
    leadId: send.leadId,
    stepId: send.stepId,
    sendingAccountId: send.sendingAccountId,
    at,
    answer,
    counted: send.counted,
    addressHash: hashes.addressHash(email),
    company: contactKeys({ ...profile, emailDomain: domain }).company,
    emailDomain: domain,
    conversationId: lead.threadId === ready.threadId ? ready.threadId : null,
    snippet: ready.snippet,
    move,
  }
}

function toArrived({ departure, ready, written }: ComposedDeparture): ArrivedMessage {
  const { messageId, send, profile, at, sender } = departure
  return {
    messageId,
    campaignId: send.campaignId,
    leadId: send.leadId,
    stepId: send.stepId,
    sendingAccountId: send.sendingAccountId,
    from: sender.email,
    to: profile.email,
    subject: written.subject,
    rfcMessageId: written.rfcMessageId,
    raw: ready.raw,
    at,
  }
}
