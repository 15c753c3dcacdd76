import type pg from 'pg'
import { walledRole } from '../db/account-wall.sql.ts'
import {
  type Facts,
  distributionPlan,
  type ForeignKey,
  onAllNodes,
  savedKeysTable,
  shardTriggers,
  type Step,
} from './plan.ts'
import { placements, type Placement } from './placements.ts'
import { sessionOfOperator } from '../db/several-servers.ts'

interface NodeAnswer {
  nodeid: number
  success: boolean
  result: string
}

/** The remaining steps until the database is distributed as the product needs it; empty if it is. */
export async function planDistribution(client: pg.ClientBase): Promise<Step[]> {
  return distributionPlan(await readFacts(client), placements)
}

/** Runs the remaining steps, each in its own transaction. If it was interrupted, the next call continues. */
export async function distribute(
  client: pg.ClientBase,
  report: (step: Step, remaining: number) => void,
): Promise<number> {
  await client.query(sessionOfOperator)
  const steps = await planDistribution(client)
  for (const [index, step] of steps.entries()) {
    report(step, steps.length - index)
    await runStep(client, step)
  }
  if ((await hasServerBehind(client)) || (await hasSharedEpoch(client))) await numberServers(client)
  return steps.length
}

async function runStep(client: pg.ClientBase, { what, statements, onNodes }: Step): Promise<void> {
  const run = async (): Promise<void> => {
    for (const statement of statements) {
      const { rows } = await client.query<NodeAnswer>(statement)
      if (onNodes === true) requireAll(what, rows)
    }
  }
  await (statements.length > 1 ? inTransaction(client, run) : run())
}

function requireAll(what: string, answers: readonly NodeAnswer[]): void {
  const failed = answers.find(({ success }) => !success)
  if (failed === undefined) return
  throw new Error(`${what}: server ${failed.nodeid} of pg_dist_node returned: ${failed.result}`)
}

async function askAll(client: pg.ClientBase, command: string): Promise<string[]> {
  const { rows } = await client.query<NodeAnswer>(onAllNodes(command))
  requireAll('Asking each server', rows)
  return rows.map(({ result }) => result)
}

const keyColumns = (table: string, name: string, definition: string, references: string) =>
  `${table} as "table", ${name} as name, ${definition} as definition, ${references} as "references"`

async function readFacts(client: pg.ClientBase): Promise<Facts> {
  const { rows: tables } = await client.query<{ name: string; distributedAs: Placement | null }>(
    `select c.relname as name, case when p.partmethod = 'h' then 'account' when p.repmodel = 't' then 'reference' end as "distributedAs"
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
  )
  const { rows: foreignKeys } = await client.query<ForeignKey>(
    `select ${keyColumns('t.relname', 'k.conname', 'pg_get_constraintdef(k.oid)', 'r.relname')}
     from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0 order by 1, 2`,
  )
  const { rows: saving } = await client.query<{ there: boolean }>(
    `select to_regclass('${savedKeysTable}') is not null as there`,
  )
  const saved = `select ${keyColumns('table_name', 'name', 'definition', 'refers_to')} from ${savedKeysTable} order by 1, 2`
  const { rows: policies } = await client.query<{ table: string; hasSubSelect: boolean }>(
    `select c.relname as "table", pg_get_expr(p.polqual, p.polrelid) ~* '\\mselect\\M' as "hasSubSelect"
     from pg_policy p join pg_class c on c.oid = p.polrelid where p.polname = 'account_wall' order by 1`,
  )
  const { rows: triggers } = await client.query<{ name: string }>(
    `select distinct tgname as name from pg_trigger where tgname = any($1) and not tgisinternal`,
    [shardTriggers.map(({ name }) => name)],
  )
  const { rows: roles } = await client.query<{ mayLogIn: boolean }>(
    'select rolcanlogin as "mayLogIn" from pg_roles where rolname = $1',
    [walledRole],
  )
  const { rows: lacking } = await client.query<{ count: number }>(nodesWithoutReferences)
  const epochs = await askAll(client, epochsReady)
  const { rows: horizons } = await client.query<{ asksAll: boolean }>(
    `select prosrc ~ 'run_command_on_all_nodes' as "asksAll" from pg_proc where oid = to_regprocedure('event_horizons()')`,
  )
  return {
    tables,
    foreignKeys,
    savedForeignKeys: saving[0]?.there === true ? (await client.query<ForeignKey>(saved)).rows : [],
    policies,
    triggers: triggers.map(({ name }) => name),
    asksAllHorizons: horizons[0]?.asksAll === true,
    nodesWithoutReferences: lacking[0]?.count ?? 0,
    nodesWithoutEpochs: epochs.filter((answer) => answer !== 't').length,
    walledRole: roles[0] === undefined ? null : { name: walledRole, mayLogIn: roles[0].mayLogIn },
  }
}

const nodesWithoutReferences = `select count(*)::int as count from pg_dist_node n where n.isactive and exists (
  select 1 from pg_dist_partition p join pg_dist_shard s on s.logicalrelid = p.logicalrelid
  where p.partmethod = 'n' and p.repmodel = 't'
    and not exists (select 1 from pg_dist_placement c where c.shardid = s.shardid and c.groupid = n.groupid))`

const epochsReady = `select case when to_regclass('event_epochs') is not null and to_regprocedure('event_number()') is not null
  and to_regprocedure('event_floor()') is not null and to_regprocedure('events_horizon()') is not null
  and to_regprocedure('raise_event_epoch(integer)') is not null then 't' else 'f' end`

/** Whether a server's numbers for new events are below those of its stored events, which then came from another server. */
const isBehind = `select case when (select tx_id::text::bigint from %s order by tx_id desc limit 1)
  >= (coalesce((select epoch from event_epochs), 0)::bigint << 48 | pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  then 't' else 'f' end`

/** Whether any server would number new events below its stored ones. Call it only on a distributed database. */
export async function hasServerBehind(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    `select success, result from run_command_on_placements('events', $1)`,
    [isBehind],
  )
  const failed = rows.find(({ success }) => !success)
  if (failed !== undefined) throw new Error(`A part of the log does not answer: ${failed.result}`)
  return rows.some(({ result }) => result === 't')
}

const selectEpoch = 'select coalesce((select epoch from event_epochs), 0)::text'

/** Whether two servers share an epoch. Then it is not known how far the log of that epoch is complete. */
export async function hasSharedEpoch(client: pg.ClientBase): Promise<boolean> {
  const epochs = await askAll(client, selectEpoch)
  return new Set(epochs).size < epochs.length
}

/** Gives each server its own epoch, above those of all stored events. */
async function numberServers(client: pg.ClientBase): Promise<void> {
  await withLogLocked(client, async () => {
    const { rows } = await client.query<{ epoch: number }>(
      `select coalesce((select (tx_id::text::bigint >> 48)::int from events order by tx_id desc limit 1), 0) as epoch`,
    )
    const above = Math.max(rows[0]!.epoch, await highestEpoch(client))
    const { rows: nodes } = await client.query<{ groupid: number }>(
      'select distinct groupid from pg_dist_node where isactive order by groupid',
    )
    for (const [index, { groupid }] of nodes.entries()) await raiseNode(client, groupid, above + index)
  })
}

async function highestEpoch(client: pg.ClientBase): Promise<number> {
  return Math.max(...(await askAll(client, selectEpoch)).map(Number))
}

/** Call it with the log locked. Also adds the new epoch for readers here, because their positions are on the coordinator. */
async function raiseNode(client: pg.ClientBase, groupid: number, above: number): Promise<void> {
  await askAll(
    client,
    `select raise_event_epoch(${above})::text from pg_dist_local_group where groupid = ${Number(groupid)}`,
  )
  await client.query(
    `insert into event_looks (reader, epoch, tx_id, position)
     select distinct reader, $1::int, ($1::bigint << 48)::text::xid8, 0 from event_looks on conflict do nothing`,
    [above + 1],
  )
}

/** Makes a server number new events above those of all other servers, before it receives accounts from them. Returns its epoch. */
export async function raiseReceiver(client: pg.ClientBase, host: string, port: number): Promise<number> {
  await client.query(sessionOfOperator)
  const { rows } = await client.query<{ groupid: number }>(
    'select groupid from pg_dist_node where nodename = $1 and nodeport = $2 and isactive',
    [host, port],
  )
  const node = rows[0]
  if (node === undefined) throw new Error(`${host}:${port} is not an active server of pg_dist_node.`)
  return withLogLocked(client, async () => {
    const highest = await highestEpoch(client)
    await raiseNode(client, node.groupid, highest)
    return highest + 1
  })
}

/** Runs a function while no event is being written. Writers that wait meanwhile write with the new epoch. */
function withLogLocked<Result>(client: pg.ClientBase, run: () => Promise<Result>): Promise<Result> {
  return inTransaction(client, async () => {
    await client.query('lock table events in share row exclusive mode')
    return run()
  })
}

async function inTransaction<Result>(client: pg.ClientBase, run: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
