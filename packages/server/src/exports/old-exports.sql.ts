import type { Executor } from '../platform/db/database.ts'

interface OldExport {
  accountId: string
  environment: string
  id: string
}

export async function listOldExportsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldExport[]> {
  return db.query<OldExport>(
    `select account_id, environment, id from exports where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_exports',
  )
}

/** Deletes the exports with their files. */
export async function deleteOldExports(
  db: Executor,
  accountId: string,
  rows: readonly OldExport[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from exports where account_id = $1 and (environment, id) in (
       select environment, id from exports where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_exports',
  )
}
