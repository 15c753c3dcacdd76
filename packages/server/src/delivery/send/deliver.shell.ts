import { normalizeEmail } from '@overture/contract/addresses.ts'
import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { monotonicMs } from '../../platform/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Span } from '../../platform/traces/span.ts'
import { createBatcher, type Batcher } from './batcher.shell.ts'
import { composeClaims, type ReadyMessage } from '../write/compose.shell.ts'
import { listClaimTokens } from '../write/compose.sql.ts'
import { messagesTotal, timed } from '../delivery-metrics.shell.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { renewMessageLeases, passGate, type GateRecipient, type GateRequest } from './gate.sql.ts'
import { decideOutcome } from '../record/outcome.ts'
import { commitDurably } from '../../platform/db/database.ts'
import { leaseMs } from '../plan/claims.sql.ts'
import { recipientAddresses, lastWroteAt } from '../plan/recipients.ts'
import { toEnvelope } from '../write/manual.shell.ts'
import { recordPatiently } from '../record/record-patiently.shell.ts'
import type { FinishedMessage } from '../record/record.shell.ts'
import { recordUnwritten } from '../record/unwritten.shell.ts'
import type { SmtpResult } from '../../platform/mail/smtp-result.ts'
import { UnrecordedAnswers } from './unrecorded.shell.ts'

const batchMax = 100
/** How long a gate or a record waits for other messages to share its commit. */
const gatherMs = 3
const concurrencyDefault = 40
/** The largest number of unrecorded replies of one tenant when another gate opens. */
const unrecordedMax = 20
const renewEveryMs = 20_000
/** The part of a lease that must be left after a message passed its gate. */
const leaseMarginMs = 2_000

interface DeliverOptions {
  /** The tenant's time. */
  now: Date
  /** The tenant's running clock. Without it the time stays at `now` (when a test clock is advanced). */
  currentTime?: () => Date
  concurrency?: number | undefined
  signal?: AbortSignal
}

/** Writes, sends and records claimed messages. Resolves when every message has its outcome recorded. */
export async function deliverClaimed(
  tools: DeliveryTools,
  tenant: Tenant,
  options: DeliverOptions & { token?: string },
): Promise<number> {
  const delivery = openDelivery(tools, tenant, options)
  const tokens = options.token === undefined ? await listClaimTokens(tools.app.db, tenant) : [options.token]
  let delivered = 0
  for (const token of tokens) delivered += await delivery.deliver(token)
  return delivered
}

interface Delivery {
  /** Delivers the claims of one planning run. Several may be in flight at once and share commits. */
  deliver(token: string): Promise<number>
}

/** Returns a delivery that sends a tenant's claims as they arrive. It needs no closing. */
export function openDelivery(tools: DeliveryTools, tenant: Tenant, options: DeliverOptions): Delivery {
  const context = createContext(tools, tenant, options)
  return { deliver: (token) => deliverToken(context, token, options.concurrency ?? concurrencyDefault) }
}

/** The values that all messages of a tenant in flight share. */
interface DeliveryContext {
  tools: DeliveryTools
  tenant: Tenant
  time: () => Date
  gate: Batcher<GateRequest, boolean>
  record: Batcher<FinishedMessage, void>
  unrecorded: UnrecordedAnswers
  signal: AbortSignal
  /** The number of messages on a connection before their gate, and of those past it without a reply. */
  approaching: number
  answering: number
}

interface Run {
  context: DeliveryContext
  token: string
  /** A time of the monotonic clock. */
  leaseEndMs: number
}

async function deliverToken(context: DeliveryContext, token: string, concurrency: number): Promise<number> {
  const { tools, tenant, time } = context
  const run: Run = { context, token, leaseEndMs: monotonicMs() + leaseMs }
  await tools.faults.hit('claimed')
  const renewing = setInterval(() => void renew(run), renewEveryMs)
  try {
    const batch = await timed('compose', () => composeClaims(tools, tenant, { token, now: time() }))
    for (const unwritten of batch.unwritten) {
      await tools.app.db.transaction((tx) => recordUnwritten(tx, tenant, unwritten, time()))
    }
    await forEachConcurrently(batch.ready, concurrency, (message) => deliverOne(run, message))
    return batch.ready.length
  } finally {
    clearInterval(renewing)
  }
}

function createContext(tools: DeliveryTools, tenant: Tenant, options: DeliverOptions): DeliveryContext {
  const time = options.currentTime ?? (() => options.now)
  const signal = options.signal ?? new AbortController().signal
  const context: DeliveryContext = {
    tools,
    tenant,
    time,
    signal,
    approaching: 0,
    answering: 0,
    unrecorded: new UnrecordedAnswers(unrecordedMax),
    gate: createBatcher(
      async (requests) => {
        const passed = await passTogether(tools.app, tenant, { requests, now: time() })
        return requests.map((request) => passed.has(request.id))
      },
      { batchMax, gatherMs, coming: () => context.approaching },
    ),
    record: createBatcher(
      async (finished) => {
        await timed('record', () => recordPatiently(tools, tenant, { finished, signal }))
        return finished.map(() => undefined)
      },
      { batchMax, gatherMs, coming: () => context.answering },
    ),
  }
  return context
}

// A single database server needs no transaction, because the statement is atomic.
function passTogether(
  { db, config }: App,
  tenant: Tenant,
  gate: { requests: readonly GateRequest[]; now: Date },
): Promise<Set<string>> {
  if (!config.distributed) return passGate(db, tenant, gate)
  return db.transaction(async (tx) => {
    await commitDurably(tx)
    return passGate(tx, tenant, gate)
  })
}

async function deliverOne(run: Run, message: ReadyMessage): Promise<void> {
  const { context } = run
  const { tools, tenant } = context
  const result = await timed('smtp', (span) => attempt(run, message, span), { kind: 'client' })
  if (result.kind === 'accepted') await tools.faults.hit('answered')
  const at = context.time()
  const { attempts, firstAttemptAt } = message.row
  const outcome = decideOutcome(result, { attempts, firstAttemptAt, now: at })
  messagesTotal.inc({ environment: tenant.environment, outcome: outcome.kind })
  await context.unrecorded.while(context.record.add({ message, outcome, at }))
  if (outcome.kind !== 'sent') return
  await tools.faults.hit('recorded')
  await tools.faults.hit('before_copy')
  appendToSent(tools, tenant, message)
}

async function attempt(run: Run, message: ReadyMessage, span: Span | null): Promise<SmtpResult> {
  const { context } = run
  const { tools, tenant } = context
  const { row, sender } = message
  span?.set({ 'overture.message_id': row.id, 'overture.sending_account_id': sender.id })
  const gated = gateRecipients(tools, message)
  let stage: 'approaching' | 'answering' | null = null
  let inDoubt = false
  const enter = (next: 'approaching' | 'answering' | null): void => {
    if (stage !== null) context[stage]--
    if (next !== null) context[next]++
    stage = next
  }
  try {
    const result = await tools.transportFor(tenant, sender.provider).send({
      tenant,
      sendingAccountId: sender.id,
      connectionVersion: sender.connectionVersion,
      messageId: row.id,
      envelope: { from: sender.email, to: recipientAddresses(toEnvelope(row)) },
      bytes: message.raw,
      signal: context.signal,
      hit: (point) => tools.faults.hit(point),
      begun: () => enter('approaching'),
      async gate() {
        await tools.faults.hit('lease_over')
        if (tools.faults.armed) await tools.faults.hit('gate_in_doubt')
        enter(null)
        for (let room = context.unrecorded.room(); room !== null; room = context.unrecorded.room()) await room
        enter('answering')
        const passed = await context.gate.add({ id: row.id, token: message.token, recipients: gated })
        // A worker that was frozen here must not send after its lease, because another worker may have declared the message
        // uncertain.
        if (passed && monotonicMs() > run.leaseEndMs - leaseMarginMs) return false
        inDoubt = passed
        return passed
      },
    })
    span?.set({ 'overture.outcome': result.kind })
    // The end of the message can only have been sent if the gate was passed.
    return result.kind === 'dropped' && !inDoubt ? { ...result, terminatorSent: false } : result
  } finally {
    enter(null)
  }
}

/** All recipients of the envelope. The gate closes for a message if one of them is suppressed. */
function gateRecipients({ app }: DeliveryTools, { row, lastWriter }: ReadyMessage): GateRecipient[] {
  return [...row.toAddresses, ...row.ccAddresses, ...row.bccAddresses].map((address) => {
    const { email, domain } = normalizeEmail(address.email)
    const wroteAt = row.kind === 'manual' ? lastWroteAt(lastWriter, email) : null
    return { addressHash: app.secrets.addressHash(email), domain, wroteAt }
  })
}

async function renew(run: Run): Promise<void> {
  const { tools, tenant } = run.context
  const endMs = monotonicMs() + leaseMs
  try {
    await renewMessageLeases(tools.app.db, tenant, { token: run.token, leaseMs })
    run.leaseEndMs = endMs
  } catch (error) {
    tools.app.log.warn({ event: 'delivery.renew_failed', reason: (error as Error).message })
  }
}

// Runs after the record and never delays it. A copy that is missing in Sent is no loss.
function appendToSent(tools: DeliveryTools, tenant: Tenant, message: ReadyMessage): void {
  const { provider, id } = message.sender
  if (tools.sentFolder === null || tenant.environment === 'test' || provider !== 'smtp') return
  tools.sentFolder.append(tenant, id, message.raw).catch((error: Error) => {
    tools.app.log.info({
      event: 'delivery.append_failed',
      sendingAccountId: id,
      messageId: message.row.id,
      reason: error.message,
    })
  })
}
