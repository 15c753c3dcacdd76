import { notFound } from '@overture/contract/errors.ts'
import type { DeliverabilityState, SignalName } from '@overture/contract/sending-accounts/deliverability.ts'
import type { HealthSummary } from '@overture/contract/sending-accounts/domain-health.ts'
import { paceMark, recovers, resumed, worsen, type Pace } from '@overture/planner/deliverability/pace.ts'
import { judgeSignals, noSignals, type SignalVerdict } from '@overture/planner/deliverability/signals.ts'
import type { SenderUpdate } from '@overture/planner/plan.types.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { assertAllowed, pauseSender, sound } from './sender-states.commands.ts'
import { updateSenderState } from './sender-states.sql.ts'
import {
  findAuthentication,
  updateAuthenticationWrongSince,
  updateSenderPace,
  updateSenderPacing,
} from './sender-pace.sql.ts'
import type { Sender } from './sending-account.ts'
import { listSentOn, lockSender, updateSenderHealth } from './sending-accounts.sql.ts'

const pauseReasons: Readonly<Record<SignalName, string>> = {
  bounces: 'bounce_rate',
  complaints: 'complaint_rate',
  spam_placement: 'spam_placement',
  policy_refusals: 'policy_refusals',
  authentication: 'authentication',
}

interface JudgedSender {
  verdict: SignalVerdict
  /** Whether a state of `held` pauses the sender. Otherwise it only cools down. */
  holds: boolean
  now: Date
}

/** Slows a sender down, or pauses it, after its signals were judged. Returns whether the sender was paused. */
export async function applySignals(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  { verdict, holds, now }: JudgedSender,
): Promise<boolean> {
  if (verdict.state === 'healthy') return false
  const sender = await lockSender(tx, tenant, id)
  if (sender === null) return false
  const state = verdict.state === 'held' && !holds ? 'cooling' : verdict.state
  const pace = worsen(await withUsed(tx, tenant, sender), { ...verdict, state }, now)
  await changePace(tx, tenant, { sender, pace, now })
  const [worst] = verdict.reasons
  if (state !== 'held' || worst === undefined || sender.status === 'paused') return false
  await pauseSender(tx, tenant, id, { reason: pauseReasons[worst.signal], now })
  return true
}

/** A person ends a hold. The sender cools down before it grows again. */
async function endHeldState(tx: Transaction, tenant: Tenant, sender: Sender, now: Date): Promise<void> {
  if (sender.pace?.state !== 'held') return
  await changePace(tx, tenant, { sender, pace: resumed(await withUsed(tx, tenant, sender), now), now })
}

/** Stores what a plan changed about senders, and writes an event for each that became healthy again. */
export async function storePacing(
  db: Executor,
  tenant: Tenant,
  updates: readonly Omit<SenderUpdate, 'claimedToday'>[],
  now: Date,
): Promise<void> {
  const stored = await updateSenderPacing(db, tenant, updates)
  const healthy = updates.filter((update) => stored.has(update.id) && recovers(update))
  if (healthy.length === 0) return
  await appendEvents(
    db,
    tenant,
    healthy.map(({ id, paceRead }) =>
      changeEvent(id, { from: paceRead?.state ?? 'healthy', to: 'healthy', reasons: [] }, now),
    ),
  )
}

/** Stores a check of the DNS. SPF or DMARC that stays wrong slows the sender down. */
export async function storeHealth(
  tx: Transaction,
  tenant: Tenant,
  { id, summary, now }: { id: string; summary: HealthSummary; now: Date },
): Promise<void> {
  await updateSenderHealth(tx, tenant, id, summary)
  const isWrong = [summary.spf, summary.dmarc].some((status) => status === 'invalid' || status === 'missing')
  await updateAuthenticationWrongSince(tx, tenant, { id, isWrong, now })
  if (!isWrong) return
  const verdict = judgeSignals({ ...noSignals, ...(await findAuthentication(tx, tenant, id)) }, now)
  await applySignals(tx, tenant, id, { verdict, holds: true, now })
}

async function changePace(
  tx: Transaction,
  tenant: Tenant,
  { sender, pace, now }: { sender: Sender; pace: Pace; now: Date },
): Promise<void> {
  const { id } = sender
  await updateSenderPace(tx, tenant, id, pace)
  const { state: from } = paceMark(sender.pace)
  if (from === pace.state) return
  await appendEvents(tx, tenant, [changeEvent(id, { from, to: pace.state, reasons: pace.reasons }, now)])
}

function changeEvent(
  sendingAccountId: string,
  data: { from: DeliverabilityState; to: DeliverabilityState; reasons: Pace['reasons'] },
  now: Date,
) {
  return { type: 'sending_account.deliverability_changed' as const, occurredAt: now, sendingAccountId, data }
}

async function withUsed(tx: Transaction, tenant: Tenant, sender: Sender) {
  const { id, pace } = sender
  if (pace === null) return { ...sender, pace }
  const used = await listSentOn(tx, tenant, [{ id, day: pace.day }])
  return { ...sender, pace: { ...pace, used: used.get(id) ?? 0 } }
}

/** Locks a sender, checks that its status allows the action, and applies it. Throws 404 or 409. */
export async function pauseOrResume(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  change: { action: 'pause' | 'resume'; now: Date },
): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null) throw notFound()
  assertAllowed(sender, change.action)
  if (change.action === 'pause') return pauseSender(tx, tenant, id, { reason: 'user', now: change.now })
  await updateSenderState(tx, tenant, { id, ...sound, now: change.now })
  await endHeldState(tx, tenant, sender, change.now)
}
