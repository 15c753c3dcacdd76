import { dayMs, minuteMs } from '../../ground/time/spans.ts'
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

/** Beside what the reader says: it ended its process twice, its connection broke each time, the database refused it. */
export type PassedOverReason = NotReadReason | 'ended_the_process' | 'broke_the_connection' | 'not_stored'

/** Whoever sends a mailbox more than this tells nothing new by the next one. */
const eventsPerDayMax = 100
const keptPerMailboxMax = 1_000
/**
 * Whoever kills processes may hit the same message twice: it is tried once more by itself, when that is over. One that ends its
 * process does so once more, and is then left alone.
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

/** Leaves a row that says which message was passed over and why; the message itself stays in the mailbox. */
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

/** Asks for messages again, of whichever account they are. Answers how many. */
export async function retrySetAside(tx: Executor, asked: AskedAgain): Promise<number> {
  let count = 0
  for (const accountId of await listAccountsOfSetAsideAcrossAccounts(tx, asked.ids))
    count += await updateSetAsideToRetry(tx, accountId, asked)
  return count
}
