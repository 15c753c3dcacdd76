import type pg from 'pg'

export interface TableColumn {
  table: string
  name: string
  type: string
  /** True if the column is part of a key or references one. */
  isKey: boolean
  needed: boolean
  /** The first value that the check constraint of this column, or of a column that it references, allows. */
  allowed: string | null
}

/** The columns of all tables that have the columns `having`, without generated columns. */
export async function listColumns(client: pg.Client, having: readonly string[]): Promise<TableColumn[]> {
  const { rows } = await client.query<TableColumn>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as needed,
       exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey::smallint[]))
         or exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey)) as "isKey",
       (select (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)''::text'))[1] from pg_constraint k
        where k.contype = 'c' and pg_get_constraintdef(k.oid) ~ 'ARRAY|= ''' and (
          (k.conrelid = c.oid and k.conkey = array[a.attnum]) or exists (
            select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and k.conrelid = f.confrelid
              and k.conkey = array[f.confkey[array_position(f.conkey, a.attnum)]]))
        order by k.oid limit 1) as allowed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = ''
       and a.attidentity = ''
       and $2 = (select count(*) from pg_attribute t where t.attrelid = c.oid and t.attname = any($1) and not t.attisdropped)
     order by c.relname, a.attnum`,
    [having, having.length],
  )
  return rows
}

const fillers: Record<string, unknown> = {
  text: 'a text',
  jsonb: '{}',
  'text[]': [],
  'bytea[]': [],
  uuid: '00000000-0000-4000-8000-000000000000',
  integer: 1,
  smallint: 1,
  bigint: 1,
  numeric: 1,
  real: 1,
  boolean: false,
  date: '2026-03-02',
  xid8: '3',
  'timestamp with time zone': new Date(),
  'integer[]': [],
  'bigint[]': [],
  interval: '1 day',
}

/** A value that the column accepts. In keys it varies with `salt`. */
export function valueThatFills(column: TableColumn, { accountId, salt }: { accountId: string; salt: string }): unknown {
  if (column.name === 'account_id') return accountId
  if (column.allowed !== null) return column.allowed
  // The key of single-row tables.
  if (column.name === 'only_row') return true
  if (column.name === 'end_at') return new Date(Date.now() + 3_600_000)
  if (column.type === 'bytea') return Buffer.from(salt)
  if (column.isKey && column.type === 'text') return `key ${salt}`
  return fillers[column.type] ?? null
}

/** Inserts one row unless it exists, and returns the columns that got a value. Foreign keys must be disabled. */
export async function insertFilled(
  client: pg.Client,
  fill: { table: string; columns: readonly TableColumn[]; valueOf: (column: TableColumn) => unknown },
): Promise<TableColumn[]> {
  const used = fill.columns.filter((column) => fill.valueOf(column) !== null)
  const { rowCount } = await client.query(
    `insert into "${fill.table}" (${used.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
     values (${used.map((_, at) => `$${at + 1}`).join(', ')}) on conflict do nothing`,
    used.map((column) => fill.valueOf(column)),
  )
  return rowCount === 0 ? [] : used
}
