import type { AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'
import { insertAuditEntry } from '../platform/audit/audit.sql.ts'
import type { Executor } from '../platform/db/database.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'

/** A request that signs in or out, as the log tells of it. */
export interface SignInRequest {
  action: 'login' | 'logout' | 'acceptLink' | 'changePassword' | 'oidcLogin' | 'confirm'
  client: ClientFacts
  requestId: string | null
  /** Real time. */
  now: Date
  /** What coming in changed: a role that the issuer gave. */
  changes?: readonly AuditChange[]
}

/**
 * Signing in is of the account as a whole. Who it was is null for a stranger; a try with an address that nobody has is of
 * no account either.
 */
export async function recordSignIn(
  db: Executor,
  user: { accountId: string; id: string | null; name: string | null } | null,
  { action, client, requestId, now, changes = [] }: SignInRequest,
  outcome: AuditOutcome,
): Promise<void> {
  const facts = {
    accountId: user?.accountId ?? '',
    environment: null,
    actor: { type: 'user', id: user?.id ?? null, name: user?.name ?? null },
    action,
    target: { type: 'users', id: user?.id ?? null },
    outcome,
    ip: client.ip,
    userAgent: client.userAgent,
    requestId,
    changes,
  } as const
  await insertAuditEntry(db, facts, now)
}
