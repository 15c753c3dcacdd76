import type { Executor } from '@overture/server/platform/db/database.ts'
import type { Durability } from './durability.ts'

export async function findDatabaseFacts(db: Executor): Promise<{ version: string; now: Date; sizeText: string }> {
  const [row] = await db.query<{ version: string; now: Date; sizeText: string }>(
    `select current_setting('server_version') as version, clock_timestamp() as now,
       pg_size_pretty(pg_database_size(current_database())) as size_text`,
  )
  if (row === undefined) throw new Error('The database gave no answer.')
  return row
}

export async function findDurability(db: Executor): Promise<Durability> {
  const [row] = await db.query<Durability>(
    `select current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as full_page_writes,
       (select count(*) from pg_stat_replication)::int as standbys,
       current_setting('synchronous_standby_names') as synchronous_standbys`,
  )
  if (row === undefined) throw new Error('The database gave no answer.')
  return row
}

/** The number of connections available to all processes, and the number of connected processes. */
export async function findConnectionFacts(db: Executor): Promise<{ max: number; nodes: number }> {
  const [row] = await db.query<{ max: number; nodes: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
       greatest(1, (select count(*) from api_nodes), (select count(*) from inbox_workers))::int as nodes`,
  )
  return row ?? { max: 0, nodes: 1 }
}

/** Releases of the processes that are connected to this database; null for a process that does not report its release. */
export async function listConnectedReleases(db: Executor): Promise<(string | null)[]> {
  const rows = await db.query<{ release: string | null }>(
    `select distinct substring(application_name from '^overture ([0-9].*)$') as release from pg_stat_activity
     where datname = current_database() and application_name ~ '^overture( [0-9].*)?$'`,
  )
  return rows.map(({ release }) => release)
}

export interface RefusingProvider {
  provider: string
  accounts: number
}

export interface Trouble {
  deadJobs: number
  stuckMessages: number
  uncertainMessages: number
  failingSenders: number
}

/** Lists the mail providers that refuse the client secret of this installation, with the number of accounts that wait. */
export async function listRefusingProvidersAcrossAccounts(db: Executor): Promise<RefusingProvider[]> {
  return db.query<RefusingProvider>(
    `select provider, count(*) as accounts from sending_accounts
     where environment = 'live' and status_reason = 'ask_operator' group by provider order by provider`,
  )
}

export async function countTroubleAcrossAccounts(db: Executor): Promise<Trouble> {
  const [row] = await db.query<Trouble>(
    `select
       (select count(*) from jobs where dead_at is not null) as dead_jobs,
       (select count(*) from claims where lease_until < now() - interval '2 minutes') as stuck_messages,
       (select count(*) from claims where lease_until is null) as uncertain_messages,
       (select count(*) from sending_accounts where status in ('connection_error', 'auth_required', 'blocked')) as failing_senders`,
  )
  return row ?? { deadJobs: 0, stuckMessages: 0, uncertainMessages: 0, failingSenders: 0 }
}
