import type { Executor } from '../../platform/db/database.ts'

interface OldGeneration {
  accountId: string
  environment: string
  id: string
}

export async function listOldGenerationsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldGeneration[]> {
  return db.query<OldGeneration>(
    `select account_id, environment, id from generations where created_at < $1 order by created_at limit $2`,
    [before, limit],
    'list_old_generations',
  )
}

export async function deleteOldGenerations(
  db: Executor,
  accountId: string,
  rows: readonly OldGeneration[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from generations where account_id = $1 and (environment, id) in (
       select environment, id from generations where account_id = $1 and created_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_generations',
  )
}
