import { readdirSync, readFileSync } from 'node:fs'
import type { Executor } from '../packages/server/src/platform/db/database.ts'

/** The resources used so far. The difference of two readings is the cost between them. */
export interface Costs {
  /** CPU time of all processes of the PostgreSQL that this process started. */
  postgresMs: number
  /** CPU time of this process. */
  processMs: number
  walBytes: number
}

const ticksPerMs = 0.1

export async function readCosts(db: Executor): Promise<Costs> {
  const [wal] = await db.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  const used = process.cpuUsage()
  return {
    postgresMs: postgresMs(),
    processMs: (used.user + used.system) / 1000,
    walBytes: wal?.bytes ?? 0,
  }
}

/** The cost per message if `count` messages were sent between the two readings. */
export function perMessage(before: Costs, after: Costs, count: number): Costs {
  return {
    postgresMs: (after.postgresMs - before.postgresMs) / count,
    processMs: (after.processMs - before.processMs) / count,
    walBytes: (after.walBytes - before.walBytes) / count,
  }
}

interface Process {
  pid: number
  parent: number
  name: string
  ownMs: number
  /** CPU time of ended child processes. */
  reapedMs: number
}

/** CPU time of the postmaster, its ended children and its running children. */
function postgresMs(): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []))
  const master = all.find((one) => one.parent === process.pid && one.name.startsWith('postgres'))
  if (master === undefined) return 0
  return all.reduce(
    (sum, one) => sum + (one.parent === master.pid || one.pid === master.pid ? one.ownMs : 0),
    master.reapedMs,
  )
}

function readProcess(pid: string): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (index: number): number => fields[index] ?? 0
    const ownMs = (at(11) + at(12)) / ticksPerMs
    return [{ pid: Number(pid), parent: at(1), name, ownMs, reapedMs: (at(13) + at(14)) / ticksPerMs }]
  } catch {
    // The process ended while the list was read.
    return []
  }
}
