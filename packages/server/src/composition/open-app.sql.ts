import type { Executor } from '../platform/db/database.ts'

/** Stores the id of the encryption key if there is none yet. Returns the stored id. */
export async function claimKeyId(db: Executor, keyId: string): Promise<string> {
  await db.execute(
    `insert into settings (name, value) values ('encryption_key_id', to_jsonb($1::text)) on conflict do nothing`,
    [keyId],
  )
  const [row] = await db.query<{ value: string }>(`select value from settings where name = 'encryption_key_id'`)
  return row?.value ?? keyId
}

/** Stores the sealed lasting keys if there are none yet. Returns the stored ones. */
export async function claimLastingKeys(db: Executor, sealed: Buffer): Promise<Buffer> {
  await db.execute(
    `insert into settings (name, value) values ('lasting_keys', to_jsonb($1::text)) on conflict do nothing`,
    [sealed.toString('base64')],
  )
  return (await findLastingKeys(db)) ?? sealed
}

export async function findLastingKeys(db: Executor): Promise<Buffer | null> {
  const [row] = await db.query<{ value: string }>(`select value from settings where name = 'lasting_keys'`)
  return row === undefined ? null : Buffer.from(row.value, 'base64')
}

/** Returns 0 if another node stored other keys in the meantime. */
export async function updateLastingKeys(db: Executor, change: { from: Buffer; to: Buffer }): Promise<number> {
  return db.execute(
    `update settings set value = to_jsonb($2::text) where name = 'lasting_keys' and value = to_jsonb($1::text)`,
    [change.from.toString('base64'), change.to.toString('base64')],
  )
}

/** `public_url` is the operator's setting for every node. `listened_url` is where the last serving node listens. */
type UrlSetting = 'public_url' | 'listened_url'

export async function upsertUrl(db: Executor, name: UrlSetting, url: string): Promise<void> {
  await db.execute(
    `insert into settings (name, value) values ($1, to_jsonb($2::text)) on conflict (name) do update set value = excluded.value`,
    [name, url],
  )
}

export async function findUrl(db: Executor, name: UrlSetting): Promise<string | null> {
  const [row] = await db.query<{ value: string }>(`select value from settings where name = $1`, [name])
  return row?.value ?? null
}

/** Locks the mark of a restore that is not finished, until the transaction ends. Null: nothing is left to do. */
export async function lockRestored(tx: Executor): Promise<{ madeAt: string; at: string } | null> {
  const [row] = await tx.query<{ value: { madeAt: string; at: string } }>(
    `select value from settings where name = 'restored' for update`,
  )
  return row?.value ?? null
}

export async function deleteRestored(tx: Executor): Promise<void> {
  await tx.execute(`delete from settings where name = 'restored'`)
}

/** Stores when the last complete backup was made, on any node. Used by the doctor and by metrics. */
export async function upsertLastBackup(db: Executor, madeAt: string): Promise<void> {
  await db.execute(
    `insert into settings (name, value) values ('last_backup', to_jsonb($1::text))
     on conflict (name) do update set value = excluded.value`,
    [madeAt],
  )
}

export async function findLastBackup(db: Executor): Promise<Date | null> {
  const [row] = await db.query<{ value: string }>(`select value from settings where name = 'last_backup'`)
  return row === undefined ? null : new Date(row.value)
}

/** Takes a lock until the transaction ends, so that of several concurrent first starts only one makes the account. */
export async function lockFirstStart(tx: Executor): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(7310579603)')
}

export async function hasAnyAccountAcrossAccounts(db: Executor): Promise<boolean> {
  const rows = await db.query('select 1 from accounts limit 1')
  return rows.length > 0
}
