import type { Executor } from '../../platform/db/database.ts'

/** Rows that an import refused, kept to be mended and sent again. */
export async function deleteOldImportRowsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from import_rows where ctid = any (array(
       select r.ctid from import_rows r
       join imports i on i.account_id = r.account_id and i.environment = r.environment and i.id = r.import_id
       where i.completed_at < $1 limit $2))`,
    [before, limit],
    'delete_old_import_rows',
  )
}
