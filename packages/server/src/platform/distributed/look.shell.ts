import pg from 'pg'
import { checkStatements } from './check.shell.ts'
import { hasServerBehind, hasSharedEpoch, planDistribution } from './distribute.shell.ts'
import { noteHistories } from './histories.shell.ts'
import { onAllNodes } from './plan.ts'
import { forgetfulNode, type NodeFacts, nodesUnfitness } from './refusals.ts'

const connectTimeoutMs = 10_000

const again = 'run overture distribute, which continues where it stopped.'

/** Why the servers behind a URL can't host the database, with the remedy; null if they can. */
export async function distributedUnfitness(url: string): Promise<string | null> {
  const client = await openClient(url)
  try {
    const unfit = await findNodesUnfitness(client)
    if (unfit !== null) return unfit
    const left = (await planDistribution(client)).length
    if (left > 0)
      return `this database is not distributed as it has to be, and events would be lost without an error: ${left} steps are left; ${again}`
    if (await hasServerBehind(client))
      return `accounts were moved to a server that numbers events below theirs, and readers would miss what comes: ${again}`
    if (await hasSharedEpoch(client))
      return `several servers number events in the same epoch, so readers can't keep their places: ${again}`
    const [refused, ...others] = await checkStatements(client)
    if (refused !== undefined)
      return (
        `these servers refuse ${others.length + 1} statements of this release (${refused.name}: ${refused.reason}): ` +
        'run overture distribute --check for the list, and use the release of Citus that docs/citus.md names.'
      )
    return null
  } finally {
    await client.end()
  }
}

/** Opens an operator's session on the coordinator. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'overture distribute',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const askedOfNode = `select concat_ws(' ', current_setting('synchronous_commit'), current_setting('server_version_num')::int / 10000,
  pg_is_in_recovery(), floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
  coalesce((select extversion from pg_extension where extname = 'citus'), 'none'))`

/** The default of Citus. It is not known to a server without the extension. */
const shardCountDefault = 32
const shardsPerServerMin = 2
const shardsPerServerMax = 4

/**
 * Why accounts should not be distributed with the present `citus.shard_count`, with the remedy; null if they can, or if they are
 * distributed already. Each statement over all accounts asks each shard, and the number can't be changed later.
 */
export async function findShardCountUnfitness(client: pg.ClientBase, servers: number | null): Promise<string | null> {
  const { rows } = await client.query<{ shards: number; nodes: number; isDistributed: boolean }>(
    `select coalesce(current_setting('citus.shard_count', true), '${shardCountDefault}')::int as shards,
       (select count(*)::int from pg_dist_node where isactive) as nodes,
       exists (select 1 from pg_dist_partition where logicalrelid = 'accounts'::regclass) as "isDistributed"`,
  )
  const { shards, nodes, isDistributed } = rows[0]!
  const count = servers ?? nodes
  if (isDistributed || (shards >= shardsPerServerMin * count && shards <= shardsPerServerMax * count)) return null
  return (
    `citus.shard_count is ${shards} for ${count} servers: each statement over all accounts asks as many parts, and the number can't be ` +
    `changed later. Set it to ${shardsPerServerMin} to ${shardsPerServerMax} for each server that there will ever be, on each server ` +
    `("alter database … set citus.shard_count = ${shardsPerServerMin * count}"), and name their number with --servers.`
  )
}

/** Checks only the servers, not what is distributed. */
export async function findNodesUnfitness(client: pg.ClientBase): Promise<string | null> {
  const { rows: groups } = await client.query<{ group: number }>('select groupid as "group" from pg_dist_local_group')
  return nodesUnfitness({ group: groups[0]?.group ?? 0, nodes: await askNodes(client) })
}

/**
 * Why no message may be sent now, with the remedy; null if sending is allowed. The configuration of a server may have changed
 * since the start, or another server may have replaced it.
 */
export async function findHindranceOfNodes(url: string): Promise<string | null> {
  const client = await openClient(url)
  try {
    const nodes = await askNodes(client)
    return nodes.map(forgetfulNode).find((reason) => reason !== null) ?? (await noteHistories(client))
  } finally {
    await client.end()
  }
}

async function askNodes(client: pg.ClientBase): Promise<NodeFacts[]> {
  const { rows } = await client.query<{ name: string; group: number; success: boolean; result: string }>(
    `select n.nodename || ':' || n.nodeport as name, n.groupid as "group", a.success, a.result
     from (${onAllNodes(askedOfNode)}) a join pg_dist_node n on n.nodeid = a.nodeid order by n.nodeid`,
  )
  return rows.map(toNodeFacts)
}

function toNodeFacts(row: { name: string; group: number; success: boolean; result: string }): NodeFacts {
  const [synchronousCommit = '', version = '', standby = '', clockMs = '', citus = ''] = row.success
    ? row.result.split(' ')
    : []
  const { name, group } = row
  return {
    name,
    group,
    error: row.success ? null : row.result,
    synchronousCommit,
    version,
    citus,
    isStandby: standby === 't',
    clockMs: Number(clockMs),
  }
}
