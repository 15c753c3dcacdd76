import type pg from 'pg'
import type { BackupHeader, BackupTable } from './backup.ts'

/** The tables of a backup: each table of the product by its root, except for unlogged ones, which a crash may empty anyway. */
const ours = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relpersistence = 'p' and obj_description(c.oid, 'pg_class') ~ '^[a-z-]+: '`

type Client = pg.ClientBase

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Facts about the database that its backup contains. */
interface StoredFacts {
  postgres: string
  keyId: string | null
}

export async function findStoredFacts(client: Client): Promise<StoredFacts> {
  const { rows } = await client.query<StoredFacts>(
    `select current_setting('server_version') as postgres,
       (select value #>> '{}' from settings where name = 'encryption_key_id') as "keyId"`,
  )
  return rows[0] ?? { postgres: '', keyId: null }
}

/** Returns false if no migration ever ran here. */
export async function hasSettings(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(`select to_regclass('public.settings') is not null as has`)
  return rows[0]?.has === true
}

/** The tables with their columns in the order of the table; sorted by table name. */
export async function listStoredTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' order by a.attnum) as columns,
       array(select right(m.relname, 7) from pg_inherits i join pg_class m on m.oid = i.inhrelid
         where i.inhparent = c.oid and m.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1) as months
     from pg_class c where ${ours} order by c.relname`,
  )
  return rows
}

/** The size of each table on disk, for estimating the progress of a copy. */
export async function listTableSizes(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select c.relname as name, (case when c.relkind = 'p'
       then (select coalesce(sum(pg_table_size(i.inhrelid)), 0) from pg_inherits i where i.inhparent = c.oid)
       else pg_table_size(c.oid) end)::text as bytes
     from pg_class c where ${ours}`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

export async function listStoredSequences(client: Client): Promise<BackupHeader['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
       and not exists (select 1 from pg_depend d join pg_class t on t.oid = d.refobjid
         where d.objid = c.oid and d.deptype in ('a', 'i') and t.relpersistence = 'u')
     order by c.relname`,
  )
  const sequences: BackupHeader['sequences'] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoted(name)}`,
    )
    sequences.push({ name, ...rows[0]! })
  }
  return sequences
}

export async function listStoredMigrations(client: Client): Promise<BackupHeader['migrations']> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

/** Begins a snapshot: all statements of the session read the same moment, and no table can be dropped meanwhile. */
export async function beginSnapshot(client: Client): Promise<void> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set row_security = off')
  await client.query(`set timezone = 'UTC'`)
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', c.relname) as name from pg_class c where ${ours}`,
  )
  await client.query('begin isolation level repeatable read read only')
  // The snapshot is taken by the first statement that reads: by then all locks are held.
  if (rows.length > 0) await client.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access share mode`)
}

export function copyOut({ name, columns }: BackupTable): string {
  return `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) to stdout (format binary)`
}

export function copyIn({ name, columns }: BackupTable): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin (format binary)`
}

/** The tables of `names` that contain rows. */
export async function listFilledTables(client: Client, names: readonly string[]): Promise<string[]> {
  const filled: string[] = []
  for (const name of names) {
    const { rows } = await client.query<{ filled: boolean }>(`select exists (select 1 from ${quoted(name)}) as filled`)
    if (rows[0]?.filled === true) filled.push(name)
  }
  return filled
}

/** Returns the relations that prevent a restore into this database: all but those of the product's migrations. */
export async function listForeignRelations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'schema_migrations' and coalesce(obj_description(c.oid, 'pg_class'), '') !~ '^[a-z-]+: '
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by c.relname`,
  )
  return rows.map(({ name }) => name)
}

/** Takes the migrations lock until the transaction ends, so that a starting server waits in its migrations. */
export async function beginRestore(client: Client, migrationsLock: number): Promise<void> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set row_security = off')
  await client.query(`set timezone = 'UTC'; begin`)
  await client.query('select pg_advisory_xact_lock($1)', [migrationsLock])
}

/** Foreign keys are checked once for all rows after the restore, not for each row during it. */
export async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select k.conrelid::regclass::text as table, format('%I', k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
}

export async function addForeignKeys(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

/** Deletes the rows from migrations and the settings from the first connection. */
export async function deleteSeeds(client: Client, tables: readonly string[]): Promise<void> {
  for (const name of tables) await client.query(`delete from ${quoted(name)}`)
}

export async function updateSequence(
  client: Client,
  { name, value, isCalled }: BackupHeader['sequences'][number],
): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint, $3)', [`public.${quoted(name)}`, value, isCalled])
}

const monthMakers: Readonly<Record<string, string>> = {
  events: 'create_events_month',
  audit_entries: 'create_audit_month',
}

/** Creates the partitions for the months of a table's rows. Returns false if the table has no partitions here. */
export async function createMonths(client: Client, { name, months }: BackupTable): Promise<boolean> {
  const maker = Object.hasOwn(monthMakers, name) ? monthMakers[name] : undefined
  if (maker === undefined) return months.length === 0
  for (const month of months) await client.query(`select ${maker}(to_timestamp($1, 'YYYY_MM'))`, [month])
  return true
}

/** Leaves a mark for `finishRestore`. Sending is held until an operator resumes it. */
export async function markRestored(client: Client, restored: { madeAt: string; at: string }): Promise<void> {
  await client.query(
    `insert into settings (name, value) values ('restored', $1)
    on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(restored)],
  )
  await client.query(
    `insert into settings (name, value)
    values ('sending_held', jsonb_build_object('since', $1::text, 'was', null, 'is', null)) on conflict do nothing`,
    [restored.at],
  )
}
