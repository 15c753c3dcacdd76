import type { Environment } from '@overture/contract/endpoint.ts'
import type { AuditActor, AuditChange } from '@overture/contract/team/audit.ts'
import { systemClock } from '../clock.ts'
import type { Executor, Transaction } from '../db/database.ts'
import { actorOf, recipient, system } from '../events/actors.ts'
import type { Tenant } from '../tenant.ts'
import { insertAuditEntry } from './audit.sql.ts'

interface Act {
  /** Empty: of no account. */
  accountId: string
  environment: Environment | null
  actor: AuditActor
  action: string
  target: { type: string | null; id: string | null }
  changes?: readonly AuditChange[]
}

/** What was done without a request: its time is the real one, also where the tenant's is another. */
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

/** What somebody who is written to did: known by their lead alone, for neither name nor address may outlast them. */
export async function recordRecipient(tx: Transaction, tenant: Tenant, act: RecipientAct): Promise<void> {
  const { leadId, ...done } = act
  await recordAct(tx, { ...tenant, ...done, actor: recipient(leadId) })
}

interface SystemAct {
  accountId: string
  environment?: Environment | null
  /** As of the operator's commands: what it is done to, and the verb. */
  action: `system.${string}.${string}`
  targetId: string | null
  changes?: readonly AuditChange[]
}

/**
 * What the server does by itself and somebody could have done: pauses, suppressions, plans, keys. What follows from a
 * request stands in the log as that request.
 */
export async function recordSystem(tx: Executor, act: SystemAct): Promise<void> {
  if (actorOf(tx).type !== 'system') return
  const { accountId, environment = null, action, targetId, changes } = act
  const target = { type: action.split('.')[1] ?? null, id: targetId }
  await recordAct(tx, { accountId, environment, actor: system, action, target, ...(changes && { changes }) })
}
