import { hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { summarizeChecks } from './domain-health.ts'
import { checkHealth } from './health.client.ts'
import { recordSenderFailure, recordSenderRecovered } from './sender-states.commands.ts'
import { claimRetry, listHealthDueAcrossAccounts, listRetriesDueAcrossAccounts } from './sender-states.sql.ts'
import type { SendingAccountsTools } from './sending-accounts.routes.ts'
import { storeHealth } from './sender-pace.commands.ts'
import { findSender } from './sending-accounts.sql.ts'
import { verifySender } from './verify.client.ts'

const batch = 20
const healthBatch = 10
const healthAgeMs = 12 * hourMs
// Longer than a try can last, so that no other worker starts the same one.
const tryMs = 2 * minuteMs

/**
 * Tries senders with a failed connection again after their wait of 10 s growing to 15 min. Safe on several nodes. Returns the
 * number of tries.
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

/** Checks the DNS of senders whose last check is half a day old. Returns their number. */
async function refreshHealth(app: App, now: Date): Promise<number> {
  const due = await listHealthDueAcrossAccounts(app.db, new Date(now.getTime() - healthAgeMs), healthBatch)
  for (const { accountId, environment, id } of due) {
    const tenant: Tenant = { accountId, environment }
    const sender = await findSender(app.db, tenant, id)
    if (sender === null) continue
    const report = await checkHealth(app, tenant, sender)
    await app.db.transaction((tx) =>
      storeHealth(tx, tenant, { id, summary: summarizeChecks(report, report.checkedAt), now }),
    )
  }
  return due.length
}

/** The periodic tasks of the worker role. */
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
