import { hash } from 'node:crypto'
import { findMonthlyUsage, quotaMonth } from '../accounts/index.ts'
import type { App } from '../platform/app.ts'
import type { Admission, Verdict } from '../platform/http/admission.ts'
import { readBearerKey } from './api-key.ts'
import { admitRequestAcrossAccounts, type AdmitRow } from './api-keys.sql.ts'
import { LastUsed } from './last-used.shell.ts'
import { retryAfterSeconds } from './rolling-window.ts'
import { UnknownKeys } from './unknown-keys.ts'

const lastUsedEveryMs = 2_000

/**
 * Admission for several API nodes: one database call per request checks key, windows and quota exactly, on any node. `now` is
 * for tests; the nodes share the database's clock.
 */
export function createPostgresAdmission(app: App, now: () => Date | null = () => null): Admission {
  const lastUsed = new LastUsed(app.db)
  const unknown = new UnknownKeys()
  const timer = setInterval(() => {
    lastUsed.flushDue().catch((error: Error) => {
      app.log.warn({ event: 'admission.housekeeping_failed', name: error.name })
    })
  }, lastUsedEveryMs)
  timer.unref()
  return {
    admit(authorization) {
      const key = readBearerKey(authorization)
      if (key === null) return { outcome: 'unknown_key' }
      const digest = hash('sha256', key, 'hex')
      if (unknown.has(digest, app.clock.now().getTime())) return { outcome: 'unknown_key' }
      return admitRequestAcrossAccounts(app.db, Buffer.from(digest, 'hex'), now()).then((row) => {
        if (row.outcome === 'unknown_key') unknown.add(digest, app.clock.now().getTime())
        else lastUsed.note(row.accountId, row.keyId, app.clock.now())
        return toVerdict(row)
      })
    },
    usage: (accountId) => findMonthlyUsage(app.db, accountId, quotaMonth(app.clock.now()).start),
    forget() {},
    flush: () => lastUsed.flush(),
    async stop() {
      clearInterval(timer)
      await lastUsed.flush()
    },
  }
}

function toVerdict(row: AdmitRow): Verdict {
  const { outcome, remaining, minuteLimit: limit } = row
  if (outcome === 'unknown_key') return { outcome }
  const caller = {
    tenant: { accountId: row.accountId, environment: row.environment },
    id: row.keyId,
    kind: 'key',
    name: row.keyName,
    userId: row.userId,
    scopes: row.scopes,
    role: row.role,
  } as const
  if (outcome === 'limited') {
    return { outcome, caller, limit, remaining: 0, retryAfterSeconds: retryAfterSeconds(row.retryAfterMs) }
  }
  return { outcome, caller, limit, remaining }
}
