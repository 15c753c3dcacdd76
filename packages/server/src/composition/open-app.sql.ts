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

/** Stores the sealed lasting keys if there are none yet; answers those that are stored. */
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

/** Unless another node stored others in the meantime: then 0. */
export async function updateLastingKeys(db: Executor, change: { from: Buffer; to: Buffer }): Promise<number> {
  return db.execute(
    `update settings set value = to_jsonb($2::text) where name = 'lasting_keys' and value = to_jsonb($1::text)`,
    [change.from.toString('base64'), change.to.toString('base64')],
  )
}

/** `public_url`: the operator's, for every node; `listened_url`: what the last node that serves listens on. */
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

/** What a restore has left to do; null: nothing, or somebody else has done it. Held until the transaction ends. */
export async function lockRestored(tx: Executor): Promise<{ madeAt: string; at: string } | null> {
  const [row] = await tx.query<{ value: { madeAt: string; at: string } }>(
    `select value from settings where name = 'restored' for update`,
  )
  return row?.value ?? null
}

export async function deleteRestored(tx: Executor): Promise<void> {
  await tx.execute(`delete from settings where name = 'restored'`)
}

/** When a whole backup was made last, by whatever node; for the doctor and for metrics. */
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

/** Held until the transaction ends, so that of several first starts one makes the account. */
export async function lockFirstStart(tx: Executor): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(7310579603)')
}

export async function hasAnyAccountAcrossAccounts(db: Executor): Promise<boolean> {
  const rows = await db.query('select 1 from accounts limit 1')
  return rows.length > 0
}
