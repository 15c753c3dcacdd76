/** The configuration of one of several servers. */
export interface NodeFacts {
  /** `host:port`. */
  name: string
  /** 0 for the coordinator. */
  group: number
  /** The error of the query; null if the server replied. */
  error: string | null
  synchronousCommit: string
  version: string
  citus: string
  isStandby: boolean
  /** Its clock at the query, in ms since 1970. */
  clockMs: number
}

interface DistributedFacts {
  /** The group of the server in DATABASE_URL. */
  group: number
  nodes: readonly NodeFacts[]
}

/** The query takes time, so a difference of a second or two doesn't mean a wrong clock. */
const clockOffMsMax = 5_000

/** Why the servers together can't host the product's database, with the remedy; null if they can. */
export function nodesUnfitness({ group, nodes }: DistributedFacts): string | null {
  if (group !== 0) return 'this is a Citus worker. Use its coordinator.'
  if (!nodes.some((node) => node.group === 0))
    return (
      'the coordinator is missing in its own pg_dist_node: ' +
      `run "select citus_set_coordinator_host('…', 5432)" there, and overture distribute.`
    )
  const coordinator = nodes.find((node) => node.group === 0)!
  for (const node of nodes) {
    const reason = unfitNode(node, coordinator)
    if (reason !== null) return reason
  }
  return null
}

function unfitNode(node: NodeFacts, coordinator: NodeFacts): string | null {
  const { name, error, version, citus, isStandby } = node
  if (error !== null)
    return `the server ${name} does not respond (${error}). Start it, or remove it with citus_remove_node.`
  const forgetful = forgetfulNode(node)
  if (forgetful !== null) return forgetful
  const offMs = Math.abs(node.clockMs - coordinator.clockMs)
  if (offMs > clockOffMsMax)
    return (
      `the clock of ${name} is ${Math.round(offMs / 1000)} s off the coordinator's, but both use the same leases: ` +
      'use the same time servers for both.'
    )
  if (isStandby) return `the server ${name} is a read-only replica. Put its primary into pg_dist_node.`
  if (version !== coordinator.version)
    return `the server ${name} runs PostgreSQL ${version} and the coordinator ${coordinator.version}. Use the same major version on both.`
  if (citus !== coordinator.citus)
    return (
      `the server ${name} has Citus ${citus} and the coordinator ${coordinator.citus}: ` +
      'run "alter extension citus update" where it is older.'
    )
  return null
}

/** Why no message may pass its gate on a server, with the remedy. Null if it may, or if the server is not reachable anyway. */
export function forgetfulNode({ name, error, synchronousCommit }: NodeFacts): string | null {
  if (error !== null || synchronousCommit !== 'off') return null
  return (
    `synchronous_commit is off on ${name}, where messages pass their gate: one could be sent twice after a crash. ` +
    'Set it to on there, by "alter system set synchronous_commit = on" and "select pg_reload_conf()".'
  )
}
