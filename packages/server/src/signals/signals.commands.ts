import { signalOutcomes, type SendSignalsOutput, type SignalResult } from '@overture/contract/signals/signals.ts'
import { askBranches, stopLeads } from '../campaigns/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { readSignal, type ReadSignal } from './signal.ts'
import {
  insertSignals,
  listLeadsToAsk,
  listLeadsToStop,
  listMatchedLeads,
  type NewSignal,
  type SpokenOf,
} from './signals.sql.ts'

/** A job that continues stopping leads and deciding branches when a call matched more leads than the request handles itself. */
export const stopJobKind = 'signals.stop'
const countedMax = 10_000
/** The largest number of events that the log accepts at once. */
const stoppedAtOnceMax = 1_000
const askedAtOnceMax = 1_000

interface SentSignals {
  signals: readonly unknown[]
  now: Date
}

/** Stores signals, logs them and stops the leads they match. The number of statements doesn't depend on the number of signals. */
export async function receiveSignals(
  tx: Transaction,
  tenant: Tenant,
  { signals: items, now }: SentSignals,
): Promise<SendSignalsOutput> {
  const results: SignalResult[] = []
  const read: ReadSignal[] = []
  for (const [index, item] of items.entries()) {
    const signal = readSignal(item, index, now)
    if (signal.kind === 'signal') read.push(signal.signal)
    else results.push({ index, outcome: 'invalid', message: signal.message, id: null, matchedLeads: 0 })
  }
  const known = new Map((await listMatchedLeads(tx, tenant, read, countedMax)).map((found) => [found.index, found]))
  const meant = read.flatMap((signal) => {
    const found = known.get(signal.index)
    return found === undefined ? [] : [toStored(signal, found)]
  })
  const stored = await insertSignals(tx, tenant, meant, now)
  const idByIndex = new Map(meant.map((signal) => [signal.index, signal.id]))
  for (const { index } of read) {
    const [id, matchedLeads] = [idByIndex.get(index) ?? null, known.get(index)?.count ?? 0]
    const outcome = id === null ? 'unknown' : stored.has(id) ? 'accepted' : 'duplicate'
    results.push({ index, outcome, message: null, id: outcome === 'accepted' ? id : null, matchedLeads })
  }
  const accepted = meant.filter(({ id }) => stored.has(id))
  await tellLog(tx, tenant, { accepted, known, now })
  const ids = accepted.map(({ id }) => id)
  // A job stops the remaining leads shortly afterwards.
  if (ids.length > 0 && !(await followSignals(tx, tenant, { signalIds: ids, now })))
    await enqueueJob(tx, { kind: stopJobKind, tenant, payload: { signalIds: ids }, runAt: now })
  return counted(results.sort((a, b) => a.index - b.index))
}

// A signal about a lead stores the lead's address, so that it is deleted when the person is erased.
function toStored(signal: ReadSignal, found: SpokenOf): NewSignal {
  return { ...signal, id: newId('sig'), email: signal.leadId === null ? signal.email : found.email }
}

async function tellLog(
  tx: Transaction,
  tenant: Tenant,
  { accepted, known, now }: { accepted: readonly NewSignal[]; known: ReadonlyMap<number, SpokenOf>; now: Date },
): Promise<void> {
  await appendEvents(
    tx,
    tenant,
    accepted.map((signal) => {
      const found = known.get(signal.index)!
      // An event about a person refers to its newest lead, and is erased with it. An event about a company refers to no lead.
      const whose =
        signal.domain === null
          ? { campaignId: found.campaignId, leadId: found.leadId, leadEmail: found.email }
          : { campaignId: null, leadId: null, leadEmail: null }
      const { id: signalId, name, domain, value, occurredAt } = signal
      const what = { signalId, signal: name, domain, ...(value !== null && { value }) }
      const data = { ...what, signaledAt: occurredAt.toISOString(), matchedLeads: found.count }
      return { type: 'signal.received', occurredAt: now, ...whose, data }
    }),
  )
}

/** Handles one batch of leads that these signals match. Returns whether that was all of them. */
async function followSignals(
  tx: Transaction,
  tenant: Tenant,
  of: { signalIds: readonly string[]; now: Date },
): Promise<boolean> {
  const more = await stopOnSignals(tx, tenant, of)
  return (await askOnSignals(tx, tenant, { ...of, after: '' })) === null && !more
}

/** Marks some of the leads of these signals for a branch decision. Returns the id of the last one, or null if there are no more. */
export async function askOnSignals(
  tx: Transaction,
  tenant: Tenant,
  { signalIds, after, now }: { signalIds: readonly string[]; after: string; now: Date },
): Promise<string | null> {
  const leads = await listLeadsToAsk(tx, tenant, { signalIds, after, limit: askedAtOnceMax })
  await askBranches(tx, tenant, { leads, now })
  return leads.length < askedAtOnceMax ? null : (leads.at(-1)?.leadId ?? null)
}

/** Stops some of the leads that these signals stop. Returns whether there may be more. */
export async function stopOnSignals(
  tx: Transaction,
  tenant: Tenant,
  { signalIds, now }: { signalIds: readonly string[]; now: Date },
): Promise<boolean> {
  const leads = await listLeadsToStop(tx, tenant, { signalIds, limit: stoppedAtOnceMax })
  await stopLeads(tx, tenant, { leads, rule: 'signal', now })
  return leads.length === stoppedAtOnceMax
}

function counted(results: SignalResult[]): SendSignalsOutput {
  const [accepted = 0, duplicates = 0, unknown = 0, invalid = 0] = signalOutcomes.map(
    (outcome) => results.filter((one) => one.outcome === outcome).length,
  )
  return { accepted, duplicates, unknown, invalid, results }
}
