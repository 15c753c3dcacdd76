import type { AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'
import { insertAuditEntry } from '../platform/audit/audit.sql.ts'
import type { Executor } from '../platform/db/database.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'

/** A request that signs in or out, with the fields that the audit log stores. */
export interface SignInRequest {
  action: 'login' | 'logout' | 'acceptLink' | 'changePassword' | 'oidcLogin' | 'confirm'
  client: ClientFacts
  requestId: string | null
  /** Real time. */
  now: Date
  /** Changes made by the sign-in: a role that the issuer gave. */
  changes?: readonly AuditChange[]
}

/**
 * A sign-in belongs to the account, not to an environment. The user is null for a stranger. A try with an unknown address
 * belongs to no account.
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
