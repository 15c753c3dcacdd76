import type { NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Claim } from '../plan/claims.sql.ts'
import type { PlanningTools, ReadLeads } from '../plan/lead-facts.shell.ts'
import type { PlanSettings } from '../plan/load-plan-input.shell.ts'
import type { QueuedRow } from '../plan/leads.sql.ts'
import { writeAll, type ReadyMessage } from '../write/compose.shell.ts'
import { findAccountFooter, listThreadChains, type ClaimedRow } from '../write/compose.sql.ts'
import type { WrittenRow } from '../write/written.sql.ts'
import { departureEvents, toLeft, type DepartedMessage } from '../record/record.shell.ts'
import { insertDepartures } from './memory.sql.ts'
import type { ArrivedMessage } from './simulated.ts'

/** A message that was sent in memory and is not stored yet. */
export interface Departure {
  claim: Claim
  at: Date
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
  const composed = await compose(tools, tenant, departures, from)
  const rows = composed.map(({ departure: { claim }, departed, written }) => ({
    claim,
    written,
    left: toLeft(departed),
  }))
  const recorded = await insertDepartures(tools.app.db, tenant, rows)
  if (recorded.length !== departures.length) throw new Error('A message sent in memory would not have passed its gate.')
  const leads = new Map(recorded.map(({ id, ...lead }) => [id, lead]))
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

async function compose(
  tools: PlanningTools,
  tenant: Tenant,
  departures: readonly Departure[],
  { settings, read }: PlannedFrom,
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
  const rows = departures.map((departure) => ({ row: toClaimedRow(departure), now: departure.at }))
  const results = await writeAll(tools, tenant, { rows, context, token: '' })
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

function toDeparted({ at, answer }: Departure, message: ReadyMessage): DepartedMessage {
  return { message, at, outcome: { kind: 'sent', answer, refused: [] } }
}

function toArrived({ departure: { claim, mailboxId, at }, departed, written }: ComposedDeparture): ArrivedMessage {
  return {
    ...claim,
    mailboxId,
    from: departed.message.sender.email,
    to: claim.email,
    subject: written.subject,
    rfcMessageId: written.rfcMessageId,
    raw: written.raw,
    at,
  }
}
