import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import { Counter } from 'prom-client'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { NotReadReason } from '../reading/mail-reader.ts'
import {
  type AskedAgain,
  deleteOldestSetAside,
  listAccountsOfSetAsideAcrossAccounts,
  type MessagePlace,
  updateSetAsideToRetry,
  upsertSetAside,
} from './set-aside.sql.ts'

/**
 * The reader's reasons, and three more: the message crashed its process twice, its connection failed at each try, or the
 * database rejected it.
 */
export type PassedOverReason = NotReadReason | 'ended_the_process' | 'broke_the_connection' | 'not_stored'

/** The limit of events per mailbox and day. More events would say nothing new. */
const eventsPerDayMax = 100
const keptPerMailboxMax = 1_000
/**
 * Processes may be killed twice during the same message by chance, so the message is tried once more after this delay. A
 * message that really crashes its process does so once more, and is then not tried again.
 */
const innocentRetryMs = 2 * minuteMs

const setAsideTotal = new Counter({
  name: 'overture_mail_set_aside_total',
  help: 'Messages in mailboxes that could not be read or stored, by reason.',
  labelNames: ['reason'],
  registers: [metrics],
})

interface PassedOver extends MessagePlace {
  reason: PassedOverReason
  sizeBytes: number | null
}

/** Stores which message was passed over and why. The message itself stays in the mailbox. */
export async function setAside(app: App, tx: Transaction, tenant: Tenant, message: PassedOver): Promise<void> {
  const now = app.clock.now()
  const { sendingAccountId, folder, uid, reason, sizeBytes } = message
  const since = new Date(now.getTime() - dayMs)
  const retryAt = reason === 'ended_the_process' ? new Date(now.getTime() + innocentRetryMs) : null
  const { isNew, recent } = await upsertSetAside(tx, tenant, { ...message, id: newId('sam'), now, since, retryAt })
  await deleteOldestSetAside(tx, tenant, { sendingAccountId, kept: keptPerMailboxMax })
  if (isNew && recent < eventsPerDayMax)
    await appendEvents(tx, tenant, [
      { type: 'message.set_aside', occurredAt: now, sendingAccountId, data: { reason, folder, uid, sizeBytes } },
    ])
  setAsideTotal.inc({ reason })
  app.log.warn({ event: 'inbox.set_aside', sendingAccountId, uid, reason })
}

/** Requests another try of messages of any account. Returns their number. */
export async function retrySetAside(tx: Executor, filter: AskedAgain): Promise<number> {
  let count = 0
  for (const accountId of await listAccountsOfSetAsideAcrossAccounts(tx, filter.ids))
    count += await updateSetAsideToRetry(tx, accountId, filter)
  return count
}
