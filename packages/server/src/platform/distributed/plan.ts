import { distributionColumn, firstTable, type Placement } from './placements.ts'

/** What a database says of itself. */
export interface Facts {
  tables: readonly TableFacts[]
  foreignKeys: readonly ForeignKey[]
  /** Of a run that was broken off: what has still to be added again. */
  savedForeignKeys: readonly ForeignKey[]
  policies: readonly Policy[]
  /** By name, of those that number rows where they are stored. */
  triggers: readonly string[]
  /** Servers that can't number events yet. */
  nodesWithoutEpochs: number
  /** Whoever reads the log asks each server how far it is complete. */
  asksAllHorizons: boolean
  /** Of requests; null: there is none, and no wall. */
  walledRole: { name: string; mayLogIn: boolean } | null
}

interface TableFacts {
  name: string
  /** Null: on one server, like any table. */
  distributedAs: Placement | null
}

export interface ForeignKey {
  table: string
  name: string
  definition: string
  references: string
}

interface Policy {
  table: string
  /** It asks by a sub-select, which no table of several servers may have. */
  hasSubSelect: boolean
}

export interface Step {
  /** In a few words, for whoever waits. */
  what: string
  sql: string
  /** It runs on each server, and any may have failed. */
  onNodes?: boolean
}

/** Constraints while their tables are converted; dropped when all are back. */
export const savedKeysTable = 'overture_saved_foreign_keys'

/** A number of transactions means nothing but on the server that stores the row; its default is made on the coordinator. */
export const shardTriggers = [
  { name: 'event_number_here', table: 'events', column: 'tx_id', number: 'event_number()' },
  { name: 'since_number_here', table: 'webhooks', column: 'since_tx', number: 'event_number()' },
  { name: 'run_number_here', table: 'sandbox_runs', column: 'events_tx', number: 'event_floor()' },
] as const

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * What is still to be done, in order. Each step commits by itself, and a plan that is made again after some of them holds the
 * rest.
 */
export function distributionPlan(facts: Facts, placements: ReadonlyMap<string, Placement>): Step[] {
  const missing = facts.tables.filter(({ name, distributedAs }) => {
    const wanted = placements.get(name)
    return wanted !== undefined && wanted !== 'local' && distributedAs === null
  })
  const converted = missing.map(({ name }) => name)
  return [
    ...roleSteps(facts.walledRole),
    ...epochSteps(facts.nodesWithoutEpochs),
    ...(facts.asksAllHorizons ? [] : [{ what: 'horizons of all servers', sql: allHorizons }]),
    ...policySteps(facts.policies),
    ...(converted.length > 0 ? keysAside(facts.foreignKeys) : []),
    ...triggerSteps(facts.triggers),
    ...tableSteps(converted, placements),
    ...keysBack(facts, placements, converted.length > 0),
  ]
}

// Servers ask each other in the name of whoever asked first.
function roleSteps(role: Facts['walledRole']): Step[] {
  if (role === null || role.mayLogIn) return []
  return [{ what: `${role.name} logs in between servers`, sql: `alter role ${quoted(role.name)} login` }]
}

/** What each server has of its own for the numbers of its events. */
const epochTable = `create table if not exists event_epochs (only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch between 0 and 32767));
grant select on event_epochs to public`
const epochFunctions = ['raise_event_epoch(integer)', 'event_number()', 'event_floor()', 'events_horizon()']

function epochSteps(nodesWithout: number): Step[] {
  if (nodesWithout === 0) return []
  return [
    { what: 'an epoch for each server', sql: onAllNodes(epochTable), onNodes: true },
    ...epochFunctions.map((name) => ({
      what: `${name} on every server`,
      sql: `select create_distributed_function(${literal(name)})`,
    })),
  ]
}

// A server that does not answer may have an epoch of which more is to come: nothing is read meanwhile.
const allHorizons = `create or replace function event_horizons() returns setof xid8 language plpgsql volatile as $f$
declare one record;
begin
  for one in ${onAllNodes('select events_horizon()')} loop
    if not one.success then
      raise exception 'server % of pg_dist_node does not say how far its log is complete: %', one.nodeid, one.result;
    end if;
    return next one.result::xid8;
  end loop;
end $f$`

/** A statement that runs the command on each server and answers how that went. */
export function onAllNodes(command: string): string {
  return `select nodeid, success, result from run_command_on_all_nodes(${literal(command)})`
}

function policySteps(policies: readonly Policy[]): Step[] {
  return policies
    .filter(({ hasSubSelect }) => hasSubSelect)
    .map(({ table }) => ({
      what: `wall of ${table}`,
      sql: `alter policy account_wall on ${quoted(table)} using (${distributionColumn} = current_setting('overture.account'))`,
    }))
}

// The order in which tables are converted would matter otherwise, and no key may lead to a table of the other kind meanwhile.
function keysAside(keys: readonly ForeignKey[]): Step[] {
  const columns = '(table_name, name, definition, refers_to)'
  return [
    {
      what: 'a place for foreign keys',
      sql: `create table if not exists ${savedKeysTable} (table_name text, name text, definition text, refers_to text,
  primary key (table_name, name))`,
    },
    ...keys.map(({ table, name, definition, references }) => ({
      what: `foreign key ${name} aside`,
      sql: `insert into ${savedKeysTable} ${columns} values (${[table, name, definition, references].map(literal).join(', ')})
  on conflict do nothing;
alter table ${quoted(table)} drop constraint ${quoted(name)}`,
    })),
  ]
}

function triggerSteps(present: readonly string[]): Step[] {
  return shardTriggers
    .filter(({ name }) => !present.includes(name))
    .map(({ name, table, column, number }) => ({
      what: `numbers of ${table} from the server that stores them`,
      sql: `create or replace function ${name}() returns trigger language plpgsql as $f$
begin new.${column} := ${number}; return new; end $f$;
create trigger ${name} before insert on ${quoted(table)} for each row execute function ${name}()`,
    }))
}

function tableSteps(tables: readonly string[], placements: ReadonlyMap<string, Placement>): Step[] {
  const first = (name: string) => (name === firstTable ? 0 : 1)
  const of = (wanted: Placement) =>
    tables
      .filter((name) => placements.get(name) === wanted)
      .toSorted((one, other) => first(one) - first(other) || (one < other ? -1 : 1))
  return [
    ...of('reference').map((name) => ({
      what: `${name} on every server`,
      sql: `select create_reference_table(${literal(name)})`,
    })),
    ...of('account').map((name) => ({
      what: `${name} by account`,
      sql:
        name === firstTable
          ? `select create_distributed_table(${literal(name)}, ${literal(distributionColumn)})`
          : `select create_distributed_table(${literal(name)}, ${literal(distributionColumn)}, colocate_with => ${literal(firstTable)})`,
    })),
  ]
}

/** What a key of a table on every server, or of one server alone, leads to can't be checked where rows are spread. */
export function isPossible(key: ForeignKey, placements: ReadonlyMap<string, Placement>): boolean {
  return placements.get(key.references) !== 'account' || placements.get(key.table) === 'account'
}

function keysBack(facts: Facts, placements: ReadonlyMap<string, Placement>, hasTaken: boolean): Step[] {
  const saved = hasTaken ? [...facts.foreignKeys, ...facts.savedForeignKeys] : facts.savedForeignKeys
  const unique = [...new Map(saved.map((key) => [`${key.table} ${key.name}`, key])).values()]
  const back = unique
    .filter((key) => isPossible(key, placements))
    .map(({ table, name, definition }) => ({
      what: `foreign key ${name} again`,
      sql: `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition};
delete from ${savedKeysTable} where table_name = ${literal(table)} and name = ${literal(name)}`,
    }))
  if (!hasTaken && unique.length === 0) return []
  return [...back, { what: 'no key waits', sql: `drop table if exists ${savedKeysTable}` }]
}
