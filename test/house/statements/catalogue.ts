import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { placements } from '../../../packages/server/src/platform/distributed/placements.ts'
import { find, parse, type SqlNode } from './tree.ts'

const schemaFile = resolve(import.meta.dirname, '../../../packages/server/schema.sql')

/** The facts about the database that the rules need. */
export interface Catalogue {
  /** Tables and views whose rows belong to one account. */
  ofAccounts: ReadonlySet<string>
  /** Names of functions of the product's schema that read or change a table. */
  touchingTables: ReadonlySet<string>
  /** Names of functions whose result can change between calls. */
  changeable: ReadonlySet<string>
  /** The functions among them whose result can change within a statement. */
  volatile: ReadonlySet<string>
}

/** Tables that every server has. */
export const referenceTables: ReadonlySet<string> = new Set(
  [...placements].filter(([, placement]) => placement === 'reference').map(([table]) => table),
)

/**
 * Built-in functions in our statements that PostgreSQL doesn't declare immutable for some argument type. The schema contains the
 * product's functions. `statements.test.ts` compares this list with PostgreSQL.
 */
export const changeableFunctions: readonly string[] = [
  'array_to_string',
  'clock_timestamp',
  'concat_ws',
  'current_database',
  'current_setting',
  'date_trunc',
  'extract',
  'format',
  'format_type',
  'generate_series',
  'jsonb_agg',
  'jsonb_build_array',
  'jsonb_build_object',
  'jsonb_to_recordset',
  'length',
  'now',
  'obj_description',
  'pg_advisory_xact_lock',
  'pg_control_checkpoint',
  'pg_control_recovery',
  'pg_control_system',
  'pg_current_wal_flush_lsn',
  'pg_current_xact_id',
  'pg_database_size',
  'pg_get_constraintdef',
  'pg_get_expr',
  'pg_get_functiondef',
  'pg_get_indexdef',
  'pg_get_partkeydef',
  'pg_get_triggerdef',
  'pg_get_userbyid',
  'pg_get_viewdef',
  'pg_has_role',
  'pg_is_in_recovery',
  'pg_last_wal_replay_lsn',
  'pg_notify',
  'pg_sequence_last_value',
  'pg_try_advisory_xact_lock',
  'row_security_active',
  'set_config',
  'timezone',
  'to_char',
  'to_jsonb',
  'to_timestamp',
  'to_tsquery',
  'to_tsvector',
]

/** The volatile functions among them, and others that a statement could begin to use. */
const volatileFunctions: readonly string[] = [
  'clock_timestamp',
  'gen_random_uuid',
  'nextval',
  'pg_advisory_xact_lock',
  'pg_notify',
  'pg_try_advisory_xact_lock',
  'random',
  'set_config',
  'timeofday',
]

/** Tables that exist on every server of a distributed database, so that a function may read them anywhere. */
const tablesOfEachServer: readonly string[] = ['event_epochs']

export function readCatalogue(): Catalogue {
  const schema = readSchema()
  const elsewhere = [...allTables(schema)].filter((table) => !tablesOfEachServer.includes(table))
  return {
    ofAccounts: tablesOfAccounts(schema),
    touchingTables: functionsOnTables(schema, new Set(elsewhere)),
    changeable: new Set([...changeableFunctions, ...functionsOfOurs(schema, (words) => !words.includes('immutable'))]),
    volatile: new Set([
      ...volatileFunctions,
      ...functionsOfOurs(schema, (words) => !words.includes('immutable') && !words.includes('stable')),
    ]),
  }
}

function readSchema(): SqlNode[] {
  return parse(readFileSync(schemaFile, 'utf8'))
}

/** Tables and views with a column `account_id`. */
function tablesOfAccounts(schema: readonly SqlNode[]): Set<string> {
  const tables = find('CreateStmt', schema)
    .filter((table) => find('ColumnDef', table['tableElts']).some((column) => column['colname'] === 'account_id'))
    .map((table) => (table['relation'] as SqlNode)['relname'] as string)
  const views = find('ViewStmt', schema)
    .filter((view) => {
      const targets = ((view['query'] as SqlNode)['SelectStmt'] as SqlNode)['targetList']
      return find('String', targets).some((name) => name['sval'] === 'account_id')
    })
    .map((view) => (view['view'] as SqlNode)['relname'] as string)
  return new Set([...tables, ...views])
}

/** Functions whose body contains the name of a table. */
function functionsOnTables(schema: readonly SqlNode[], tables: ReadonlySet<string>): Set<string> {
  const named = find('CreateFunctionStmt', schema).flatMap((statement) => {
    const name = find('String', statement['funcname']).at(-1)?.['sval'] as string
    const body = find(
      'String',
      find('DefElem', statement['options']).filter(({ defname }) => defname === 'as'),
    )
      .map(({ sval }) => sval as string)
      .join('\n')
    const words = body.match(/\b[a-z_]+\b/g) ?? []
    return words.some((word) => tables.has(word)) || /execute format\('(?:delete|update|select)/.test(body)
      ? [name]
      : []
  })
  return new Set(named)
}

function allTables(schema: readonly SqlNode[]): Set<string> {
  return new Set(find('CreateStmt', schema).map((table) => (table['relation'] as SqlNode)['relname'] as string))
}

function functionsOfOurs(schema: readonly SqlNode[], are: (words: readonly string[]) => boolean): string[] {
  return find('CreateFunctionStmt', schema)
    .filter(({ options }) => are(find('String', find('DefElem', options)).map(({ sval }) => sval as string)))
    .map(({ funcname }) => find('String', funcname).at(-1)?.['sval'] as string)
}

/** Unique indexes and keys of tables of accounts that don't begin with the account. */
export function keysAcrossAccounts(): string[] {
  const schema = readSchema()
  const ofAccounts = tablesOfAccounts(schema)
  return [...uniqueIndexes(schema), ...uniqueConstraints(schema)]
    .filter(({ table, first }) => ofAccounts.has(table) && first !== 'account_id')
    .map(({ table, first }) => `${table} (${first})`)
    .toSorted()
}

interface UniqueKey {
  table: string
  first: string
}

function uniqueIndexes(schema: readonly SqlNode[]): UniqueKey[] {
  return find('IndexStmt', schema)
    .filter((index) => index['unique'] === true)
    .map((index) => ({
      table: (index['relation'] as SqlNode)['relname'] as string,
      first: (find('IndexElem', (index['indexParams'] as unknown[])[0])[0]?.['name'] as string | undefined) ?? '',
    }))
}

function uniqueConstraints(schema: readonly SqlNode[]): UniqueKey[] {
  return find('CreateStmt', schema).flatMap((table) =>
    find('Constraint', table['tableElts'])
      .filter(({ contype }) => contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_UNIQUE')
      .map(({ keys }) => ({
        table: (table['relation'] as SqlNode)['relname'] as string,
        first: (find('String', keys)[0]?.['sval'] as string | undefined) ?? '',
      })),
  )
}
