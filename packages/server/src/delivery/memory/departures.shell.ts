import { randomUUID } from 'node:crypto'
import type { Executor } from '../../platform/db/database.ts'
import type { NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimMessages, leaseMs, type Claim } from '../plan/claims.sql.ts'
import type { PlanningTools, ReadLeads } from '../plan/lead-facts.shell.ts'
import type { PlanSettings } from '../plan/load-plan-input.shell.ts'
import type { QueuedRow } from '../plan/leads.sql.ts'
import { writeAll, type ReadyMessage } from '../write/compose.shell.ts'
import { findAccountFooter, listThreadChains, type ClaimedRow } from '../write/compose.sql.ts'
import { storeWritten, type WrittenRow } from '../write/written.sql.ts'
import { departureEvents, toLeft, type DepartedMessage } from '../record/record.shell.ts'
import { recordLeftMessages, type AdvancedLead } from '../record/record.sql.ts'
import { passGate } from '../send/gate.sql.ts'
import type { ArrivedMessage } from './simulated.ts'

/** How many messages the statements of the engine take at once, and how many wait before they are stored. */
export const departuresMax = 100

/** A message that was sent in memory and is not stored yet. */
export interface Departure {
  claim: Claim
  /** The lead before the message. */
  row: QueuedRow
  /** Whether this was the lead's last message. */
  isLast: boolean
  mailboxId: string
  answer: string
}

/** The input of the plans that sent the messages. */
export interface PlannedFrom {
  settings: PlanSettings
  read: ReadLeads
}

/**
 * Composes and writes the messages in the order in which they were sent. Returns them for their mailboxes, and the events to log.
 * Throws if one of them could not have been sent; then nothing of the batch may be stored.
 */
export async function writeDepartures(
  tools: PlanningTools,
  tenant: Tenant,
  departures: readonly Departure[],
  from: PlannedFrom,
): Promise<{ arrived: ArrivedMessage[]; events: NewEvent[] }> {
  const token = randomUUID()
  const composed = await compose(tools, tenant, departures, { ...from, token })
  const leads = new Map<string, AdvancedLead>()
  for (let from = 0; from < composed.length; from += departuresMax) {
    const together = composed.slice(from, from + departuresMax)
    for (const [id, lead] of await storeDepartures(tools.app.db, tenant, { composed: together, token }))
      leads.set(id, lead)
  }
  return {
    arrived: composed.map(toArrived),
    events: composed.flatMap(({ departed }) => departureEvents(departed, leads.get(departed.message.row.id) ?? null)),
  }
}

interface ComposedDeparture {
  departure: Departure
  departed: DepartedMessage
  written: WrittenRow
}

/** Runs the engine's statements from the claim to the record. Returns the leads that moved, by message. */
async function storeDepartures(
  db: Executor,
  tenant: Tenant,
  { composed, token }: { composed: readonly ComposedDeparture[]; token: string },
): Promise<ReadonlyMap<string, AdvancedLead>> {
  const claims = composed.map(({ departure }) => departure.claim)
  const requests = claims.map(({ messageId: id, addressHash, counted: { domain } }) => ({
    id,
    token,
    recipients: [{ addressHash, domain, wroteAt: null }],
  }))
  // A suppression that ends before a later message of these still closes its gate. Then the functions that send repeat the batch.
  const now = claims[0]?.at
  if (now === undefined) return new Map()
  const claimed = await claimMessages(db, tenant, claims, { token, leaseMs })
  const stored = await storeWritten(
    db,
    tenant,
    composed.map(({ written }) => written),
  )
  const passed = await passGate(db, tenant, { requests, now })
  const messages = composed.map(({ departed }) => toLeft(departed))
  const recorded = await recordLeftMessages(db, tenant, { messages, toldMessages: [] })
  const leads = new Map(recorded.flatMap(({ id, lead }) => (lead === null ? [] : [[id, lead] as const])))
  if ([claimed, stored, passed, leads].some(({ size }) => size !== composed.length))
    throw new Error('A message sent in memory would not have passed its gate.')
  return leads
}

async function compose(
  tools: PlanningTools,
  tenant: Tenant,
  departures: readonly Departure[],
  { settings, read, token }: PlannedFrom & { token: string },
): Promise<ComposedDeparture[]> {
  const { db } = tools.app
  const threadIds = [...new Set(departures.flatMap(({ row }) => row.threadId ?? []))]
  const context = {
    texts: [],
    campaigns: new Map(settings.running.map((campaign) => [campaign.id, campaign])),
    steps: settings.steps,
    variants: [...read.variants],
    senders: new Map(settings.senders.map((sender) => [sender.id, sender])),
    chains: await listThreadChains(db, tenant, threadIds),
    footer: await findAccountFooter(db, tenant),
    writers: new Map(),
    strangers: new Map(),
  }
  const rows = departures.map((departure) => ({ row: toClaimedRow(departure), now: departure.claim.at }))
  const results = await writeAll(tools, tenant, { rows, context, token })
  return departures.map((departure, at) => {
    const written = results[at]?.written
    if (written?.kind !== 'written' || written.rendered === null)
      throw new Error('A message sent in memory could not be written.')
    return { departure, departed: toDeparted(departure, written.ready), written: written.rendered }
  })
}

function toClaimedRow({ claim, row }: Departure): ClaimedRow {
  return {
    id: claim.messageId,
    kind: 'campaign',
    campaignId: claim.campaignId,
    leadId: claim.leadId,
    leadEmail: row.email,
    stepId: claim.stepId,
    variantId: null,
    threadId: null,
    sendingAccountId: claim.sendingAccountId,
    stored: false,
    attempts: 0,
    firstAttemptAt: null,
    rfcMessageId: null,
    raw: null,
    subject: '',
    text: null,
    html: null,
    toAddresses: [{ email: row.email, name: null }],
    ccAddresses: [],
    bccAddresses: [],
    inReplyTo: null,
    refs: [],
    attachments: null,
    toStranger: false,
    refusedBefore: [],
    lead: row,
  }
}

function toDeparted({ claim: { at }, answer }: Departure, message: ReadyMessage): DepartedMessage {
  return { message, at, outcome: { kind: 'sent', answer, refused: [] } }
}

function toArrived({ departure: { claim, mailboxId }, departed, written }: ComposedDeparture): ArrivedMessage {
  return {
    ...claim,
    mailboxId,
    from: departed.message.sender.email,
    to: claim.email,
    subject: written.subject,
    rfcMessageId: written.rfcMessageId,
    raw: written.raw,
  }
}
