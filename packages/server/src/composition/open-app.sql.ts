import type { Executor } from '../platform/db/database.ts'

/** Stores the id of the encryption key if there is none yet; answers the one that is stored. */
export async function claimKeyId(db: Executor, keyId: string): Promise<string> {
  await db.execute(
    `insert into settings (name, value) values ('encryption_key_id', to_jsonb($1::text)) on conflict do nothing`,
    [keyId],
  )
  const [row] = await db.query<{ value: string }>(`select value from settings where name = 'encryption_key_id'`)
  return row?.value ?? keyId
}

/** Held until the transaction ends, so that of several first starts one makes the account. */
export async function lockFirstStart(tx: Executor): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(7310579603)')
}

export async function hasAnyAccount(db: Executor): Promise<boolean> {
  const rows = await db.query('select 1 from accounts limit 1')
  return rows.length > 0
}
