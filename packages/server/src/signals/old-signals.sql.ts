import type { Executor } from '../platform/db/database.ts'

interface OldSignal {
  accountId: string
  environment: string
  id: string
}

export async function listOldSignalsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldSignal[]> {
  return db.query<OldSignal>(
    `select account_id, environment, id from signals where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_signals',
  )
}

export async function deleteOldSignals(
  db: Executor,
  accountId: string,
  rows: readonly OldSignal[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from signals where account_id = $1 and (environment, id) in (
       select environment, id from signals where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_signals',
  )
}
