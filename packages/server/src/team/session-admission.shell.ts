import type { Scope } from '@overture/contract/endpoint.ts'
import type { App } from '../platform/app.ts'
import type { SessionAdmission } from '../platform/http/admission.ts'
import { admitSessionAcrossAccounts } from './sessions.sql.ts'
import { tokenDigest } from './tokens.ts'

export interface SessionRates {
  perMinute: number
  perSecond: number
}

/** A console sends more requests at once than a program that waits for each response. */
export const sessionRates: SessionRates = { perMinute: 900, perSecond: 30 }
/** A session has all scopes, because the role limits the person. */
const scopes: readonly Scope[] = ['read', 'write', 'admin']

/**
 * Admission by the cookie of a session. The database decides with one call per request, so that limits are exact and a session
 * ends on every node at once.
 */
export function createSessionAdmission(app: App, rates = sessionRates): SessionAdmission {
  const limit = rates.perMinute
  return {
    async admit(token, environment) {
      const digest = tokenDigest(token)
      if (digest === null) return { outcome: 'unknown_session' }
      const row = await admitSessionAcrossAccounts(app.db, digest, rates)
      if (row.outcome === 'unknown_session') return { outcome: 'unknown_session' }
      const { accountId, sessionId: id, userId, userName: name, role, remaining } = row
      const caller = { tenant: { accountId, environment }, id, kind: 'session', name, userId, scopes, role } as const
      if (row.outcome === 'admitted') return { outcome: 'admitted', caller, limit, remaining }
      const retryAfterSeconds = Math.max(1, Math.ceil(row.retryAfterMs / 1000))
      return { outcome: 'limited', caller, limit, remaining: 0, retryAfterSeconds }
    },
  }
}
