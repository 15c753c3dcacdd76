import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database, Executor, Transaction } from './db/database.ts'
import type { Replica } from './replica/replica.client.ts'
import type { Secrets } from './crypto/secrets.shell.ts'
import type { Heartbeats } from './lifecycle/heartbeats.ts'
import type { Logger } from './log.shell.ts'
import type { Names } from './mail/names.client.ts'
import type { Tenant } from './tenant.ts'

/** The shared dependencies of all shells: created once in main.ts and passed down, never imported. */
export interface App {
  config: Config
  db: Database
  /** Reads requests that a replica may serve. If absent, `db` serves all of them. */
  replica?: Pick<Replica, 'reader' | 'state'>
  /** Real time. Limits, quota, keys, trial, credits, idempotency, leases and webhooks use it in both environments. */
  clock: Clock
  clocks: TenantClocks
  secrets: Secrets
  log: Logger
  heartbeats: Heartbeats
  /** Resolves host names that accounts enter. */
  names: Names
}

/** The time of a tenant: real in live, virtual in test (docs/contract.md, "Test environment"). */
export interface TenantClocks {
  now(db: Executor, tenant: Tenant): Promise<Date>
  /** The same. A virtual clock also stays stopped until the transaction ends, so that no later event is stored before this one. */
  hold(tx: Transaction, tenant: Tenant): Promise<Date>
}
