import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database, Executor, Transaction } from './db/database.ts'
import type { Replica } from './replica/replica.client.ts'
import type { Secrets } from './crypto/secrets.shell.ts'
import type { Heartbeats } from './lifecycle/heartbeats.ts'
import type { Logger } from './log.shell.ts'
import type { Names } from './mail/names.client.ts'
import type { Tenant } from './tenant.ts'

/** What every shell is given: made once in main.ts, passed down, never imported. */
export interface App {
  config: Config
  db: Database
  /** Reads of requests that may be answered elsewhere; absent: all are answered by `db`. */
  replica?: Pick<Replica, 'reader' | 'state'>
  /** Real time: limits, quota, keys, trial, credits, idempotency, leases and webhooks run on it in both environments. */
  clock: Clock
  clocks: TenantClocks
  secrets: Secrets
  log: Logger
  heartbeats: Heartbeats
  /** Where host names lead that accounts give us. */
  names: Names
}

/** The time that a tenant lives in: real for live, virtual for test (docs/contract.md, "Test environment"). */
export interface TenantClocks {
  now(db: Executor, tenant: Tenant): Promise<Date>
  /** The same, and a virtual clock then stands still until the transaction ends: nothing later is recorded before it. */
  hold(tx: Transaction, tenant: Tenant): Promise<Date>
}
