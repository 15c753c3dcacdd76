import type { App } from '../platform/app.ts'
import type { AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'
import { insertAuditEntry } from '../platform/audit/audit.sql.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'
import type { ProtectionNotice } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'

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

export const mailNoticeKind = 'team.mail_notice'

/** Call it in the transaction of the change. The notice is mailed after the commit if system mail is configured. */
export async function mailNotice(
  { config }: Pick<App, 'config' | 'secrets'>,
  tx: Transaction,
  { accountId, userId, notice, now }: { accountId: string; userId: string; notice: ProtectionNotice; now: Date },
): Promise<void> {
  if (config.systemMail === null) return
  await enqueueJob(tx, {
    kind: mailNoticeKind,
    tenant: { accountId, environment: 'live' },
    clock: 'real',
    runAt: now,
    payload: { noticeId: newId('inv').replace('inv_', 'ntc_'), userId, notice, at: now.toISOString() },
  })
}
