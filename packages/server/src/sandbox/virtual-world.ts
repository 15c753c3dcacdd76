import type { SimulatedMailboxes, SimulatedSending } from '../delivery/memory/simulated.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { NewEvent } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { JobHandler } from '../platform/jobs/job.ts'

/** The engine as the test environment's clock drives it: the production functions, given a virtual `now`. */
export interface Engine {
  /**
   * Plans what is due, claims it and delivers the claims to their end; answers how many there were. `leaseToken` is
   * that of the planning lease, which the caller keeps; `failed` ends trying again.
   */
  send(tenant: Tenant, at: { now: Date; leaseToken: string; failed?: AbortSignal }): Promise<number>
  /** Plans and sends out of memory, within one transaction of its own world. */
  openPlanner(
    tenant: Tenant,
    options: { leaseToken: string; mailboxes: SimulatedMailboxes; failed: AbortSignal },
  ): SimulatedSending
  /** Every kind of job; asked for late, because the list holds the test environment's own. */
  jobs(): readonly JobHandler[]
}

/** What simulated people do beyond sending mail: the same entries that the public pages use. */
export interface PublicPages {
  /** Fetches links and pictures of messages in turn, as people's programs and gateways do; answers what the log is to keep of it. */
  visit(tx: Transaction, tenant: Tenant, visits: readonly Visit[]): Promise<NewEvent[]>
  /** Where a tracked link of ours leads; null: it is none. */
  targetOf(url: string): string | null
  /** One-click opt-out by POST (RFC 8058). */
  unsubscribe(tenant: Tenant, visit: Visit): Promise<void>
  /** Books a free slot for a lead on the booking page. */
  book(tenant: Tenant, booking: { campaignId: string; leadId: string; address: string; now: Date }): Promise<void>
}

export interface Visit {
  url: string
  userAgent: string
  ip: string
  now: Date
}

/** Hands a raw message to the inbox as IMAP would. */
export type ReceiveMail = (
  tenant: Tenant,
  mail: { sendingAccountId: string; raw: Buffer; uid: number; receivedAt: Date },
) => Promise<void>

/** What moving the clock runs on. */
export interface World {
  app: App
  engine: Engine
  pages: PublicPages
  receive: ReceiveMail
}

export interface SandboxTools extends World {
  /** Where strides have their plans from: `memory`, or, as the measure of what they do, `database` each time anew. */
  plansFrom: 'memory' | 'database'
  /**
   * Runs with everything of a world joined into one transaction, where the time is `time.now`. Run again from the
   * start after a deadlock; nothing but the database may be touched.
   */
  inOneTransaction<Result>(
    time: { now: Date },
    run: (world: World, failed: AbortSignal) => Promise<Result>,
  ): Promise<Result>
}
