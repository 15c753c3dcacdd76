import type pg from 'pg'
import { onAllNodes } from './plan.ts'

/** The cluster and timeline of each server, by its group. */
type Histories = Readonly<Record<string, string>>

/** The groups whose history changed. An unknown group is a new server and doesn't count. */
export function changedHistories(known: Histories, here: Histories): string[] {
  return Object.keys(here).filter((group) => known[group] !== undefined && known[group] !== here[group])
}

// A server that denies the query or follows another one returns an error, so its history is unknown.
const historyOfNode = `select (select system_identifier from pg_control_system()) || ' '
  || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

/**
 * Holds live sending if the history of a server changed: the server may lack the record of messages that were already sent. Each
 * connection checks the coordinator's history; this checks the servers behind it. Returns the reason, once per change.
 */
export async function noteHistories(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ group: string; name: string; result: string | null }>(
    `select n.groupid::text as "group", n.nodename || ':' || n.nodeport as name, a.result
     from (${onAllNodes(historyOfNode)}) a join pg_dist_node n on n.nodeid = a.nodeid where a.success`,
  )
  const here: Histories = Object.fromEntries(
    rows.flatMap(({ group, result }) => (result === null ? [] : [[group, result]])),
  )
  await client.query('begin')
  try {
    await client.query(`insert into settings (name, value) values ('node_histories', '{}') on conflict do nothing`)
    const { rows: kept } = await client.query<{ value: Histories }>(
      `select value from settings where name = 'node_histories' for update`,
    )
    const known = kept[0]!.value
    const changed = changedHistories(known, here)
    if (changed.length > 0) await holdSending(client, describe(changed, known), describe(changed, here))
    await client.query(
      `update settings set value = value || $1::jsonb where name = 'node_histories' and not value @> $1::jsonb`,
      [JSON.stringify(here)],
    )
    await client.query('commit')
    const names = rows.filter(({ group }) => changed.includes(group)).map(({ name }) => name)
    if (names.length === 0) return null
    return `${names.join(', ')} has another history than before. Live mail is held: compare, then run overture resume-after-restore.`
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

function describe(groups: readonly string[], histories: Histories): string {
  return groups.map((group) => `${group}: ${histories[group]}`).join(', ')
}

async function holdSending(client: pg.ClientBase, was: string, is: string): Promise<void> {
  await client.query(
    `insert into settings (name, value) values ('sending_held', jsonb_build_object('since', now(), 'was', $1::text, 'is', $2::text))
     on conflict do nothing`,
    [was, is],
  )
}
