import type { Executor } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { AuditFacts } from './entry.ts'

/** Runs in the transaction of the audited action. `at` is real time. */
export async function insertAuditEntry(db: Executor, facts: AuditFacts, at: Date): Promise<void> {
  const { accountId, environment, actor, action, target, outcome, ip, userAgent, requestId, changes } = facts
  await db.execute(
    `with entry as (
       insert into audit_entries (account_id, id, at, environment, actor_type, actor_id, actor_name, action, target_type,
         target_id, outcome, ip, user_agent, request_id, changes)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning account_id, position, id)
     insert into audit_unsealed (account_id, position, id) select e.account_id, e.position, e.id from entry e returning 1`,
    [
      accountId,
      newId('aud', at.getTime()),
      at,
      environment,
      actor.type,
      actor.id,
      actor.name,
      action,
      target.type,
      target.id,
      outcome,
      ip,
      userAgent,
      requestId,
      JSON.stringify(changes),
    ],
    'insert_audit_entry',
  )
}
