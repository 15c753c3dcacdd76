import type { Executor } from '../platform/db/database.ts'

interface OldRow {
  accountId: string
  environment: string
  id: string
}

export async function listOldPlacementTestsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldRow[]> {
  return db.query<OldRow>(
    `select account_id, environment, id from placement_tests where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_placement_tests',
  )
}

export async function deleteOldPlacementTests(
  db: Executor,
  accountId: string,
  rows: readonly OldRow[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from placement_tests where account_id = $1 and (environment, id) in (
       select environment, id from placement_tests where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_placement_tests',
  )
}

export async function listOldPlacementResultsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldRow[]> {
  return db.query<OldRow>(
    `select account_id, environment, id from placement_results where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_placement_results',
  )
}

export async function deleteOldPlacementResults(
  db: Executor,
  accountId: string,
  rows: readonly OldRow[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from placement_results where account_id = $1 and (environment, id) in (
       select environment, id from placement_results where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_placement_results',
  )
}
