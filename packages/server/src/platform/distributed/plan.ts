import { distributionColumn, firstTable, type Placement } from './placements.ts'

/** Facts read from a database. */
export interface Facts {
  tables: readonly TableFacts[]
  foreignKeys: readonly ForeignKey[]
  /** Foreign keys of an interrupted run that must be added again. */
  savedForeignKeys: readonly ForeignKey[]
  policies: readonly Policy[]
  /** The names of the triggers that number rows on the server that stores them. */
  triggers: readonly string[]
  /** The number of servers that lack a copy of a table that each server has. */
  nodesWithoutReferences: number
  /** The number of servers that can't number events yet. */
  nodesWithoutEpochs: number
  /** Whether readers of the log query each server for how far it is complete. */
  asksAllHorizons: boolean
  /** The role of requests; null if there is none, and so no wall. */
  walledRole: { name: string; mayLogIn: boolean } | null
}

interface TableFacts {
  name: string
  /** Null for a table on one server only. */
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
  /** Whether it uses a subquery, which policies of distributed tables may not have. */
  hasSubSelect: boolean
}

export interface Step {
  /** A short description, shown to the waiting operator. */
  what: string
  /** The statements of one transaction. Citus sends the text of a query to other servers, which accept only one statement. */
  statements: readonly string[]
  /** Whether it runs on each server, where any may have failed. */
  onNodes?: boolean
}

/** The table that stores foreign keys while their tables are converted. It is dropped when all keys are back. */
export const savedKeysTable = 'overture_saved_foreign_keys'

/** A transaction number is only valid on the server that stores the row, but column defaults are computed on the coordinator. */
export const shardTriggers = [
  { name: 'event_number_here', table: 'events', column: 'tx_id', number: 'event_number()' },
  { name: 'since_number_here', table: 'webhooks', column: 'since_tx', number: 'event_number()' },
  { name: 'run_number_here', table: 'sandbox_runs', column: 'events_tx', number: 'event_floor()' },
] as const

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The remaining steps, in order. Each step commits separately. A plan made after some of them contains the rest. */
export function distributionPlan(facts: Facts, placements: ReadonlyMap<string, Placement>): Step[] {
  const missing = facts.tables.filter(({ name, distributedAs }) => {
    const wanted = placements.get(name)
    return wanted !== undefined && wanted !== 'local' && distributedAs === null
  })
  const converted = missing.map(({ name }) => name)
  return [
    ...roleSteps(facts.walledRole),
    ...epochSteps(facts.nodesWithoutEpochs),
    ...(facts.asksAllHorizons ? [] : [{ what: 'horizons of all servers', statements: [allHorizons] }]),
    ...policySteps(facts.policies),
    ...(converted.length > 0 ? keysAside(facts.foreignKeys) : []),
    ...triggerSteps(facts.triggers),
    ...tableSteps(converted, placements),
    ...keysBack(facts, placements, converted.length > 0),
    ...copySteps(facts.nodesWithoutReferences),
  ]
}

// Servers connect to each other with the role of the original session, so it needs to log in.
function roleSteps(role: Facts['walledRole']): Step[] {
  if (role === null || role.mayLogIn) return []
  return [{ what: `${role.name} logs in between servers`, statements: [`alter role ${quoted(role.name)} login`] }]
}

/** The table on each server with its epoch for numbering events. */
const epochTable = `create table if not exists event_epochs (only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch between 0 and 32767));
grant select on event_epochs to public`
const epochFunctions = ['raise_event_epoch(integer)', 'event_number()', 'event_floor()', 'events_horizon()']

function epochSteps(nodesWithout: number): Step[] {
  if (nodesWithout === 0) return []
  return [
    { what: 'an epoch for each server', statements: [onAllNodes(epochTable)], onNodes: true },
    ...epochFunctions.map((name) => ({
      what: `${name} on every server`,
      statements: [`select create_distributed_function(${literal(name)})`],
    })),
  ]
}

// A server that does not reply may add more events to its epoch, so reading stops meanwhile.
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

/** A statement that runs the command on each server and returns the results. */
export function onAllNodes(command: string): string {
  return `select nodeid, success, result from run_command_on_all_nodes(${literal(command)})`
}

function policySteps(policies: readonly Policy[]): Step[] {
  return policies
    .filter(({ hasSubSelect }) => hasSubSelect)
    .map(({ table }) => ({
      what: `wall of ${table}`,
      statements: [
        `alter policy account_wall on ${quoted(table)} using (${distributionColumn} = current_setting('overture.account'))`,
      ],
    }))
}

// Without foreign keys the order of the conversions doesn't matter, and no key refers to a table of another kind meanwhile.
function keysAside(keys: readonly ForeignKey[]): Step[] {
  const columns = '(table_name, name, definition, refers_to)'
  return [
    {
      what: 'a place for foreign keys',
      statements: [
        `create table if not exists ${savedKeysTable} (table_name text, name text, definition text, refers_to text,
  primary key (table_name, name))`,
      ],
    },
    ...keys.map(({ table, name, definition, references }) => ({
      what: `foreign key ${name} aside`,
      statements: [
        `insert into ${savedKeysTable} ${columns} values (${[table, name, definition, references].map(literal).join(', ')})
  on conflict do nothing`,
        `alter table ${quoted(table)} drop constraint ${quoted(name)}`,
      ],
    })),
  ]
}

function triggerSteps(present: readonly string[]): Step[] {
  return shardTriggers
    .filter(({ name }) => !present.includes(name))
    .map(({ name, table, column, number }) => ({
      what: `numbers of ${table} from the server that stores them`,
      statements: [
        `create or replace function ${name}() returns trigger language plpgsql as $f$
begin new.${column} := ${number}; return new; end $f$`,
        `create trigger ${name} before insert on ${quoted(table)} for each row execute function ${name}()`,
      ],
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
      statements: [`select create_reference_table(${literal(name)})`],
    })),
    ...of('account').map((name) => ({
      what: `${name} by account`,
      statements: [
        name === firstTable
          ? `select create_distributed_table(${literal(name)}, ${literal(distributionColumn)})`
          : `select create_distributed_table(${literal(name)}, ${literal(distributionColumn)}, colocate_with => ${literal(firstTable)})`,
      ],
    })),
  ]
}

// A server that was added later gets its copies only on request, and accounts can't be moved to it before.
function copySteps(nodesWithout: number): Step[] {
  if (nodesWithout === 0) return []
  return [
    {
      what: 'copies of the tables that each server has',
      statements: [`select replicate_reference_tables('block_writes')`],
    },
  ]
}

/** Whether a foreign key can be checked: not if a reference or local table refers to a table whose rows are distributed. */
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
      statements: [
        `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
        `delete from ${savedKeysTable} where table_name = ${literal(table)} and name = ${literal(name)}`,
      ],
    }))
  if (!hasTaken && unique.length === 0) return []
  return [...back, { what: 'no key waits', statements: [`drop table if exists ${savedKeysTable}`] }]
}
