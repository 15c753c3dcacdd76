import type { Executor } from '../platform/db/database.ts'

interface EndingAccount {
  name: string
  /** The payment provider charges for it until it ends. */
  subscriptionId: string | null
}

/** Locks the account until the end of the transaction. Inserts of rows that belong to the account wait for this lock. */
export async function lockEndingAccount(tx: Executor, accountId: string): Promise<EndingAccount | null> {
  const rows = await tx.query<EndingAccount>(
    `select a.name, b.subscription_id from accounts a
     left join billing_customers b on b.account_id = $1
     where a.account_id = $1 for update of a`,
    [accountId],
  )
  return rows[0] ?? null
}

/** The tables with rows of accounts; each month of a partitioned table is listed separately. Tables that refer to others come first. */
export async function listTablesOfAccounts(db: Executor): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `with recursive owned as (
       select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'),
     depths (oid, depth) as (
       select oid, 0 from owned
       union all
       select f.conrelid, d.depth + 1 from depths d
       join pg_constraint f on f.confrelid = d.oid and f.contype = 'f' and f.conrelid <> f.confrelid)
     select c.relname as name from depths d join pg_class c on c.oid = d.oid group by c.relname order by max(d.depth) desc, c.relname`,
  )
  return rows.map((row) => row.name)
}

/** Deletes at most `limit` rows. Returns how many it deleted. */
export async function deleteRowsOfAccount(
  db: Executor,
  accountId: string,
  { table, limit }: { table: string; limit: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select delete_rows_of_account($1, quote_ident($2)::regclass, $3) as count',
    [accountId, table, limit],
  )
  return row?.count ?? 0
}

/** Deletes claims that are not in flight. Claims past the gate whose lease expired are deleted too; their outcome stays unknown. */
export async function deleteClaimsNotInFlight(db: Executor, accountId: string, limit: number): Promise<number> {
  return db.execute(
    `delete from claims where account_id = $1 and (environment, message_id) in (
       select environment, message_id from claims where account_id = $1
         and (gated_at is null or lease_until is null or lease_until < now()) limit $2 for update)`,
    [accountId, limit],
  )
}

/** Whether some message has passed its gate and its send has not ended. */
export async function hasMessageOfAccountInFlight(db: Executor, accountId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from claims where account_id = $1 and gated_at is not null and lease_until >= now() limit 1`,
    [accountId],
  )
  return rows.length > 0
}

export async function updateAccountClosed(tx: Executor, accountId: string): Promise<void> {
  await tx.execute('update accounts set api_access_enabled = false where account_id = $1', [accountId])
}

/** Returns the id of the transaction that deleted the row. */
export async function deleteAccountRow(tx: Executor, accountId: string): Promise<string> {
  await tx.execute('delete from accounts where account_id = $1', [accountId])
  const [row] = await tx.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return row!.id
}

/** The horizon without the epoch of the log, which is in the bits above the transaction number. */
const horizon = 'events_horizon()::text::bigint & ((1::bigint << 48) - 1)'

/** Whether all transactions that began before this one have ended, so that their rows are visible. */
export async function hasEndedBefore(db: Executor, transactionId: string): Promise<boolean> {
  const [row] = await db.query<{ ended: boolean }>(`select (${horizon}) > $1::bigint as ended`, [transactionId])
  return row?.ended ?? false
}
