import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** A column that holds secrets, and what names a row of its table beside account and environment. */
export interface SealedColumn {
  table: string
  column: string
  key: readonly string[]
  /** Its rows are of the account, not of one of its environments. */
  ofAccount?: true
}

export interface SealedRow {
  accountId: string
  environment: Tenant['environment']
  key: string[]
  sealed: Buffer
}

/** What was sealed with another key than this one (bytes 2 to 5 of a seal name it), in order, behind `after`. */
export async function listSealedWithOtherKeysAcrossAccounts(
  db: Executor,
  { table, column, key, ofAccount }: SealedColumn,
  page: { keyId: Buffer; after: SealedRow | null; limit: number },
): Promise<SealedRow[]> {
  const environment = ofAccount ? `'live'::text` : 'environment'
  const order = ['account_id', environment, ...key].join(', ')
  const { after } = page
  const values = after === null ? [] : [after.accountId, after.environment, ...after.key]
  const behind = `and (${order}) > (${values.map((_, index) => `$${index + 3}`).join(', ')})`
  return db.query<SealedRow>(
    `select account_id, ${environment} as environment, array[${key.join(', ')}]::text[] as key, ${column} as sealed from ${table}
     where ${column} is not null and substring(${column} from 2 for 4) <> $1 ${after === null ? '' : behind}
     order by ${order} limit $2`,
    [page.keyId, page.limit, ...values],
  )
}

/** Unless it was changed in the meantime: then it was sealed anew. Answers how many rows were changed. */
export async function updateSealed(
  db: Executor,
  tenant: Tenant,
  change: { column: SealedColumn; row: SealedRow; sealed: Buffer },
): Promise<number> {
  const { table, column, key, ofAccount } = change.column
  const environment = ofAccount ? `'live'::text` : 'environment'
  const named = key.map((name, index) => ` and ${name} = $${index + 5}`).join('')
  return db.execute(
    `update ${table} set ${column} = $4 where account_id = $1 and ${environment} = $2 and ${column} = $3${named}`,
    [tenant.accountId, tenant.environment, change.row.sealed, change.sealed, ...change.row.key],
  )
}

/** From now on this key alone is enough to start. 0: it was before. */
export async function updateKeyId(db: Executor, keyId: string): Promise<number> {
  return db.execute(
    `update settings set value = to_jsonb($1::text) where name = 'encryption_key_id' and value <> to_jsonb($1::text)`,
    [keyId],
  )
}
