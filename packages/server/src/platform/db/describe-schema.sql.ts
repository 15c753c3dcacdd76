import type { Executor } from './database.ts'

interface TableRow {
  name: string
  columns: string[]
  constraints: string[]
  indexes: string[]
}

/**
 * The whole schema as statements, the same text for the same schema: tables by name, then views, functions and triggers.
 * Partitions are left out: which months there are is a matter of the day, not of the schema.
 */
export async function describeSchema(db: Executor): Promise<string> {
  const tables = await listTables(db)
  const views = await listViews(db)
  const functions = await listFunctions(db)
  const triggers = await listTriggers(db)
  const parts = [...tables.map(describeTable), ...views.map(({ definition }) => definition)]
  for (const { definition } of [...functions, ...triggers]) parts.push(`${definition.trimEnd()};`)
  return `${parts.join('\n\n')}\n`
}

function describeTable({ name, columns, constraints, indexes }: TableRow): string {
  const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
  return [`create table ${name} (\n${lines}\n);`, ...indexes.map((index) => `${index};`)].join('\n')
}

function listTables(db: Executor): Promise<TableRow[]> {
  return db.query(
    `select c.relname as name,
       array(
         select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
           || case when co.collname = 'C' then ' collate "C"' else '' end
           || case when a.attidentity = 'a' then ' generated always as identity' else '' end
           || case when d.adbin is null then ''
                when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                else ' default ' || pg_get_expr(d.adbin, d.adrelid) end
           || case when a.attnotnull then ' not null' else '' end
         from pg_attribute a
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
         left join pg_collation co on co.oid = a.attcollation
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         order by a.attnum) as columns,
       array(
         select case when k.contype in ('p', 'u') then '' else format('constraint %I ', k.conname) end
           || pg_get_constraintdef(k.oid)
         from pg_constraint k
         where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
         order by position(k.contype::text in 'pufcx'), k.conname) as constraints,
       array(
         select pg_get_indexdef(i.indexrelid)
         from pg_index i join pg_class ic on ic.oid = i.indexrelid
         where i.indrelid = c.oid
           and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
         order by ic.relname) as indexes
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'schema_migrations'
     order by c.relname`,
  )
}

function listViews(db: Executor): Promise<{ definition: string }[]> {
  return db.query(
    `select format(E'create view %I with (%s) as\n%s', c.relname, array_to_string(c.reloptions, ', '), pg_get_viewdef(c.oid))
       as definition
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' order by c.relname`,
  )
}

function listFunctions(db: Executor): Promise<{ definition: string }[]> {
  return db.query(
    `select pg_get_functiondef(p.oid) as definition
     from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
       and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
     order by p.proname, p.oid`,
  )
}

function listTriggers(db: Executor): Promise<{ definition: string }[]> {
  return db.query(
    `select pg_get_triggerdef(t.oid) as definition
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
     order by c.relname, t.tgname`,
  )
}
