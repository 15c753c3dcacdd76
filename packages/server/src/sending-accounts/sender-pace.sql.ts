import { dayMs } from '@overture/ground/time/spans.ts'
import type { Pace, StoredPace } from '@overture/planner/deliverability/pace.ts'
import type { SenderUpdate } from '@overture/planner/plan.types.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findSender } from './sending-accounts.sql.ts'

export async function updateSenderPace(tx: Executor, tenant: Tenant, id: string, pace: Pace): Promise<void> {
  await tx.execute('update sending_accounts set pace = $4 where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
    JSON.stringify(pace),
  ])
}

/** Keeps since when SPF or DMARC of a sender is wrong. */
export async function updateAuthenticationWrongSince(
  tx: Executor,
  tenant: Tenant,
  { id, isWrong, now }: { id: string; isWrong: boolean; now: Date },
): Promise<void> {
  await tx.execute(
    `update sending_accounts
     set authentication_wrong_since = case when $4::boolean then coalesce(authentication_wrong_since, $5::timestamptz) end
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, isWrong, now],
  )
}

/** A planned change of a sender. Of the pace only its own fields are stored; what was sent on its day is counted elsewhere. */
type PlannedPacing = Omit<SenderUpdate, 'claimedToday'>

const columns: readonly ListColumn<PlannedPacing>[] = [
  ['id', 'text', (update) => update.id],
  ['next_send_at', 'timestamptz', (update) => update.nextSendAt],
  ['sequence', 'bigint', (update) => update.sendSequence],
  ['pace', 'jsonb', ({ pace }) => pace && JSON.stringify(storedPace(pace))],
  ['read', 'jsonb', ({ paceRead }) => paceRead && JSON.stringify(paceRead)],
]

/**
 * Stores the next send time of each sender, as planned. A pace that changed since the plan read it is kept, because a bad signal came.
 * Returns the senders whose planned pace was stored.
 */
export async function updateSenderPacing(
  db: Executor,
  tenant: Tenant,
  updates: readonly PlannedPacing[],
): Promise<ReadonlySet<string>> {
  if (updates.length === 0) return new Set()
  const rows = await db.query<{ id: string; stored: boolean }>(
    `update sending_accounts s set next_send_at = t.next_send_at, send_sequence = t.sequence,
       pace = case when t.pace is not null and coalesce(s.pace->>'state', 'healthy') = t.read->>'state'
         and s.pace->>'badDay' is not distinct from t.read->>'badDay' then t.pace else s.pace end
     from ${listedRows(columns, 3)}
     where s.account_id = $1 and s.environment = $2 and s.id = t.id
     returning s.id, t.pace is not null and s.pace = t.pace as stored`,
    [tenant.accountId, tenant.environment, ...rowLists(columns, updates)],
    'update_sender_pacing',
  )
  return new Set(rows.flatMap(({ id, stored }) => (stored ? [id] : [])))
}

function storedPace({ used: _used, ...pace }: StoredPace): Pace {
  return pace
}

const authenticationAfterMs = dayMs

/** Since when SPF or DMARC of a sender is wrong, if two checks a day apart said so, and whether that holds the sender. */
export async function findAuthentication(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<{ authenticationWrongSince: Date | null; requireAuthentication: boolean }> {
  const sender = await findSender(db, tenant, id)
  const since = sender?.authenticationWrongSince ?? null
  const checkedAt = Date.parse(sender?.health?.checkedAt ?? '')
  const lasts = since !== null && checkedAt - since.getTime() >= authenticationAfterMs
  return {
    authenticationWrongSince: lasts ? since : null,
    requireAuthentication: sender?.requireAuthentication ?? false,
  }
}
