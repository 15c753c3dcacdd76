import { AppError } from '@overture/contract/errors.ts'
import { senderActions, type SenderAction } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { adviceOn, type SenderFault } from '@overture/ground/refusals/sender-fault.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { isForOperator } from './logins/provider-refusals.ts'
import { holdWaitMs, retryWaitMs, type Sender } from './sending-account.ts'
import { clearSenderHold, updateSenderConnected, updateSenderHold, updateSenderState } from './sender-states.sql.ts'
import { listOrganizationSenders } from './organizations.sql.ts'
import { lockSender } from './sending-accounts.sql.ts'

const errorLengthMax = 500

/** Throws 409 with the allowed actions if the status does not allow this one. */
export function assertAllowed(sender: Sender, action: SenderAction): void {
  const allowedActions = senderActions[sender.status]
  if (allowedActions.includes(action)) return
  throw new AppError('CONFLICT', `The sending account is ${sender.status}, so the action ${action} is not possible.`, {
    currentStatus: sender.status,
    allowedActions,
  })
}

/**
 * Records a failed connection or a refused login. A paused sender stays paused and keeps the error. Failures before the next
 * try do not lengthen the wait, unless they belong to that try (`tried`). Source: docs/contract.md, "Sending accounts".
 */
export async function recordSenderFailure(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  failure: { status: SenderFailure; error: string; now: Date; tried?: boolean },
): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null) return
  const { now } = failure
  const lastError = foreignText(failure.error, errorLengthMax)
  const statusAdvice = adviceOn(failure.error)
  // A failed connection does not replace a status that only a person can change.
  if (sender.status === 'paused' || (sender.status === 'blocked' && failure.status !== 'blocked')) {
    await updateSenderState(tx, tenant, {
      ...sender,
      ...(sender.status === 'paused' && { lastError, statusAdvice }),
      now,
    })
    return
  }
  const repeated = failure.status === 'connection_error' && sender.status === 'connection_error'
  const waiting = repeated && failure.tried !== true && sender.retryAt !== null && sender.retryAt > now
  const needsPerson = failure.status !== 'connection_error'
  const retryCount = needsPerson ? 0 : waiting ? sender.retryCount : repeated ? sender.retryCount + 1 : 1
  await updateSenderState(tx, tenant, {
    id,
    status: failure.status,
    statusReason: isForOperator(lastError) ? 'ask_operator' : failureReasons[failure.status],
    statusAdvice,
    lastError,
    retryAt: needsPerson ? null : waiting ? sender.retryAt : new Date(now.getTime() + retryWaitMs(retryCount - 1)),
    retryCount,
    now,
  })
  if (sender.status === failure.status) return
  await appendEvents(tx, tenant, [
    {
      type: 'sending_account.error',
      occurredAt: now,
      sendingAccountId: id,
      data: { status: failure.status, error: lastError },
    },
  ])
}

type SenderFailure = 'connection_error' | 'auth_required' | 'blocked'

const failureReasons: Record<SenderFailure, string> = {
  connection_error: 'connection_failed',
  auth_required: 'login_refused',
  blocked: 'provider_blocked',
}

/** The state of a sender that works, without traces of a failure. */
export const sound = { status: 'active', statusReason: null, lastError: null, retryAt: null, retryCount: 0 } as const

/** Makes a failed sender active again, and returns whether anything changed. A paused sender stays paused. */
export async function recordSenderRecovered(tx: Transaction, tenant: Tenant, id: string, now: Date): Promise<boolean> {
  const sender = await lockSender(tx, tenant, id)
  await updateSenderConnected(tx, tenant, id, now)
  if (sender === null || sender.status === 'active' || sender.status === 'paused') return false
  return recover(tx, tenant, sender, now)
}

/** Like recordSenderRecovered, but an accepted message does not end a block. Only a person ends it. */
export async function recordSenderWorks(tx: Transaction, tenant: Tenant, id: string, now: Date): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null || (sender.status !== 'connection_error' && sender.status !== 'auth_required')) return
  await recover(tx, tenant, sender, now)
}

async function recover(tx: Transaction, tenant: Tenant, { id, status }: Sender, now: Date): Promise<true> {
  await updateSenderState(tx, tenant, { id, ...sound, now })
  await appendEvents(tx, tenant, [
    { type: 'sending_account.recovered', occurredAt: now, sendingAccountId: id, data: { from: status } },
  ])
  return true
}

const mailboxErrorPrefix = 'IMAP: '

/** Like recordSenderFailure, for reading mail. It is separate, so that a readable mailbox does not clear a refused SMTP login. */
export async function recordMailboxFailure(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  failure: { status: 'connection_error' | 'auth_required'; error: string; now: Date },
): Promise<void> {
  await recordSenderFailure(tx, tenant, id, { ...failure, error: `${mailboxErrorPrefix}${failure.error}` })
}

/** Makes a sender active again that failed only for IMAP. Returns whether anything changed. */
export async function recordMailboxRecovered(tx: Transaction, tenant: Tenant, id: string, now: Date): Promise<boolean> {
  const sender = await lockSender(tx, tenant, id)
  return sender?.lastError?.startsWith(mailboxErrorPrefix) === true && recordSenderRecovered(tx, tenant, id, now)
}

/**
 * Holds a sending account because of its provider's own limit: for an hour, doubling to a day. With `short`, which is for too
 * many connections, it is a minute. Returns the end of the hold.
 */
export async function holdSender(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  hold: { now: Date; reason: string; short?: boolean },
): Promise<Date | null> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null) return null
  if (sender.heldUntil !== null && sender.heldUntil > hold.now) return sender.heldUntil
  const waitMs = hold.short === true ? minuteMs : holdWaitMs(sender.holdCount)
  const heldUntil = new Date(hold.now.getTime() + waitMs)
  await updateSenderHold(tx, tenant, {
    id,
    heldUntil,
    holdCount: sender.holdCount + (hold.short === true ? 0 : 1),
    lastError: foreignText(hold.reason, errorLengthMax),
    statusAdvice: adviceOn(hold.reason),
    now: hold.now,
  })
  return heldUntil
}

/** Called when a message of the sender was accepted. Clears a past hold. */
export async function recordSenderSent(tx: Transaction, tenant: Tenant, id: string, now: Date): Promise<void> {
  await clearSenderHold(tx, tenant, id, now)
}

/** Pauses a sender, for a reason of the system (`bounce_rate`, `complaint_rate`) or by a person (`user`). */
export async function pauseSender(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  pause: { reason: string; now: Date },
): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null || sender.status === 'paused') return
  await updateSenderState(tx, tenant, {
    id,
    status: 'paused',
    statusReason: pause.reason,
    lastError: sender.lastError,
    retryAt: null,
    retryCount: 0,
    now: pause.now,
  })
  if (pause.reason === 'user') return
  await recordSystem(tx, { ...tenant, action: 'system.sending-accounts.pause', targetId: id })
  await appendEvents(tx, tenant, [
    {
      type: 'sending_account.error',
      occurredAt: pause.now,
      sendingAccountId: id,
      data: { status: 'paused', error: pause.reason },
    },
  ])
}

const bounceWarning = 'bounce_rate_warning'

/** Marks an active sender once with a warning that many of its messages bounce; `clear` removes it. The sender continues to send. */
export async function warnOfBounces(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  warning: { clear: boolean; sent: number; bounced: number; now: Date },
): Promise<void> {
  const sender = await lockSender(tx, tenant, id)
  if (sender === null || sender.status !== 'active') return
  const warned = sender.statusReason === bounceWarning
  if (warned !== warning.clear) return
  await updateSenderState(tx, tenant, {
    id,
    status: 'active',
    statusReason: warning.clear ? null : bounceWarning,
    lastError: sender.lastError,
    retryAt: null,
    retryCount: 0,
    now: warning.now,
  })
  if (warning.clear) return
  await appendEvents(tx, tenant, [
    {
      type: 'sending_account.error',
      occurredAt: warning.now,
      sendingAccountId: id,
      data: { status: 'active', error: bounceWarning, sent: warning.sent, bounced: warning.bounced },
    },
  ])
}

interface ProviderRefusal {
  fault: Pick<SenderFault, 'action' | 'scope'>
  /** The text of the provider. */
  words: string
  now: Date
}

/**
 * Holds or blocks the sending account that a provider refuses, and stores the provider's text with our advice. A limit of a
 * whole organization holds all of its sending accounts. Returns the accounts that only a person can reactivate.
 */
export async function recordProviderRefusal(
  tx: Transaction,
  tenant: Tenant,
  id: string,
  { fault, words, now }: ProviderRefusal,
): Promise<string[]> {
  const { action, scope } = fault
  const ids = scope === 'tenant' ? await listOrganizationSenders(tx, tenant, id) : [id]
  for (const senderId of ids) {
    if (action === 'hold' || action === 'retry')
      await holdSender(tx, tenant, senderId, { now, reason: words, short: action === 'retry' })
    else
      await recordSenderFailure(tx, tenant, senderId, {
        status: action === 'block' ? 'blocked' : 'auth_required',
        error: words,
        now,
      })
  }
  return action === 'block' || action === 'sign_in' ? ids : []
}
