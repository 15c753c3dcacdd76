import type { Executor } from '../db/database.ts'

interface OldImportRow {
  accountId: string
  environment: string
  importId: string
  rowNumber: number
}

/** Rows that an import refused. They are kept so that a user can fix and upload them again. */
export async function listOldImportRowsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldImportRow[]> {
  return db.query<OldImportRow>(
    `select r.account_id, r.environment, r.import_id, r.row_number from import_rows r
     join imports i on i.account_id = r.account_id and i.environment = r.environment and i.id = r.import_id
     where i.completed_at < $1 limit $2`,
    [before, limit],
    'list_old_import_rows',
  )
}

export async function deleteOldImportRows(
  db: Executor,
  accountId: string,
  rows: readonly OldImportRow[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from import_rows where account_id = $1 and (environment, import_id, row_number) in (
       select r.environment, r.import_id, r.row_number from import_rows r
       join imports i on i.account_id = $1 and i.environment = r.environment and i.id = r.import_id
       where r.account_id = $1 and i.completed_at < $2
         and (r.environment, r.import_id, r.row_number) in (select * from unnest($3::text[], $4::text[], $5::int[]))
       for update of r skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.importId),
      rows.map((row) => row.rowNumber),
    ],
    'delete_old_import_rows',
  )
}
