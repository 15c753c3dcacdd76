import type { Environment } from '@overture/contract/endpoint.ts'
import type { AuditActor, AuditChange } from '@overture/contract/team/audit.ts'
import { systemClock } from '../clock.ts'
import type { Executor, Transaction } from '../db/database.ts'
import { transactionActor, recipient, system } from '../events/actors.ts'
import type { Tenant } from '../tenant.ts'
import { insertAuditEntry } from './audit.sql.ts'

interface Act {
  /** Empty for an action outside of any account. */
  accountId: string
  environment: Environment | null
  actor: AuditActor
  action: string
  target: { type: string | null; id: string | null }
  changes?: readonly AuditChange[]
}

/** Stores an action that was made without a request. Its time is the real one, even if the tenant's clock differs. */
export async function recordAct(db: Executor, { changes = [], ...act }: Act, at = systemClock.now()): Promise<void> {
  const nowhere = { ip: null, userAgent: null, requestId: null } as const
  await insertAuditEntry(db, { ...nowhere, ...act, changes, outcome: 'success' }, at)
}

interface RecipientAct {
  action:
    | 'recipient.unsubscribe'
    | 'recipient.complain'
    | 'recipient.book'
    | 'recipient.reschedule'
    | 'recipient.cancel'
  leadId: string | null
  target: { type: string; id: string | null }
  changes?: readonly AuditChange[]
}

/** Stores an action of a recipient. The recipient is identified only by the lead, because names and addresses must not outlast it. */
export async function recordRecipient(tx: Transaction, tenant: Tenant, act: RecipientAct): Promise<void> {
  const { leadId, ...done } = act
  await recordAct(tx, { ...tenant, ...done, actor: recipient(leadId) })
}

interface SystemAct {
  accountId: string
  environment?: Environment | null
  /** Like the actions of operator commands: the target, then the verb. */
  action: `system.${string}.${string}`
  targetId: string | null
  changes?: readonly AuditChange[]
}

/**
 * Stores an action of the server that a user could also have made: pauses, suppressions, plans, keys. A consequence of a request
 * is not stored here, because the log has the request.
 */
export async function recordSystem(tx: Executor, act: SystemAct): Promise<void> {
  if (transactionActor(tx).type !== 'system') return
  const { accountId, environment = null, action, targetId, changes } = act
  const target = { type: action.split('.')[1] ?? null, id: targetId }
  await recordAct(tx, { accountId, environment, actor: system, action, target, ...(changes && { changes }) })
}
