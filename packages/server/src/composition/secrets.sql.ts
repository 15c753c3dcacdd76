import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** A column that contains secrets, and the key of its table's rows besides account and environment. */
export interface SealedColumn {
  table: string
  column: string
  key: readonly string[]
  /** Present if the rows belong to the account and not to one of its environments. */
  ofAccount?: true
}

export interface SealedRow {
  accountId: string
  environment: Tenant['environment']
  key: string[]
  sealed: Buffer
}

/** Lists values sealed with another key than this one, in order, starting after `after`. Bytes 2 to 5 of a seal are the key id. */
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

/** Writes the new seal unless the value was changed, and thereby sealed again, meanwhile. Returns the number of changed rows. */
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

/** Stores this key as the only one needed to start. Returns 0 if it was stored before. */
export async function updateKeyId(db: Executor, keyId: string): Promise<number> {
  return db.execute(
    `update settings set value = to_jsonb($1::text) where name = 'encryption_key_id' and value <> to_jsonb($1::text)`,
    [keyId],
  )
}
