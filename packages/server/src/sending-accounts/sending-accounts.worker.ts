import { hourMs, minuteMs } from '../ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { summaryOf } from './domain-health.ts'
import { checkHealth } from './health.client.ts'
import { recordSenderFailure, recordSenderRecovered } from './sender-states.commands.ts'
import { claimRetry, listHealthDueAcrossAccounts, listRetriesDueAcrossAccounts } from './sender-states.sql.ts'
import type { SendingAccountsTools } from './sending-accounts.routes.ts'
import { findSender, updateSenderHealth } from './sending-accounts.sql.ts'
import { verifySender } from './verify.client.ts'

const batch = 20
const healthBatch = 10
const healthAgeMs = 12 * hourMs
// Longer than a try can take, so that no other worker begins the same one.
const tryMs = 2 * minuteMs

/**
 * Tries senders whose connection failed again, when their wait is over: 10 s growing to 15 min. Safe to run on many
 * nodes. Answers how many were tried.
 */
export async function retrySenders(app: App, now: Date, tools: SendingAccountsTools = {}): Promise<number> {
  const due = await listRetriesDueAcrossAccounts(app.db, now, batch)
  const tried = await Promise.all(
    due.map(({ accountId, environment, id }) => retrySender(app, { accountId, environment }, { id, now, tools })),
  )
  return tried.filter(Boolean).length
}

async function retrySender(
  app: App,
  tenant: Tenant,
  retry: { id: string; now: Date; tools: SendingAccountsTools },
): Promise<boolean> {
  const { id, now, tools } = retry
  if (!(await claimRetry(app.db, tenant, { id, now, until: new Date(now.getTime() + tryMs) }))) return false
  const sender = await findSender(app.db, tenant, id)
  if (sender === null) return false
  const { failure } = await verifySender(app, tenant, sender)
  await app.db.transaction(async (tx) => {
    if (failure !== null) return recordSenderFailure(tx, tenant, id, { ...failure, now, tried: true })
    if (await recordSenderRecovered(tx, tenant, id, now)) await tools.changed?.(tx, tenant, now)
  })
  return true
}

/** Looks up the DNS of senders that were not looked at for half a day. Answers how many. */
async function refreshHealth(app: App, now: Date): Promise<number> {
  const due = await listHealthDueAcrossAccounts(app.db, new Date(now.getTime() - healthAgeMs), healthBatch)
  for (const { accountId, environment, id } of due) {
    const tenant: Tenant = { accountId, environment }
    const sender = await findSender(app.db, tenant, id)
    if (sender === null) continue
    const report = await checkHealth(app, tenant, sender)
    await updateSenderHealth(app.db, tenant, id, summaryOf(report, report.checkedAt))
  }
  return due.length
}

/** What the worker role runs now and then. */
export function sendingAccountsPeriodic(tools: SendingAccountsTools = {}) {
  return [
    {
      name: 'sender_retries',
      everyMs: 2_000,
      run: (app: App, now: Date): Promise<unknown> => retrySenders(app, now, tools),
    },
    {
      name: 'sender_health',
      everyMs: minuteMs,
      run: (app: App, now: Date): Promise<unknown> => refreshHealth(app, now),
    },
  ]
}
