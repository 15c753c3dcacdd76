import type { SimulatedMailboxes, SimulatedSending } from '../delivery/memory/simulated.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { NewEvent } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { JobHandler } from '../platform/jobs/job.ts'

/** The engine for the test environment's clock: the production functions with a virtual `now`. */
export interface Engine {
  /**
   * Plans and claims due messages and delivers the claims to their end. Returns their number. `leaseToken` is that of the
   * planning lease, which the caller keeps; `failed` ends retries.
   */
  send(tenant: Tenant, at: { now: Date; leaseToken: string; failed?: AbortSignal }): Promise<number>
  /** Plans and sends within the one transaction of the world. */
  openPlanner(
    tenant: Tenant,
    options: { leaseToken: string; mailboxes: SimulatedMailboxes; fromMemory: boolean; failed: AbortSignal },
  ): SimulatedSending
  /** All kinds of jobs. Called late, because the list includes the sandbox's own jobs. */
  jobs(): readonly JobHandler[]
}

/** The acts of simulated people besides sending mail. They call the same functions as the public pages. */
export interface PublicPages {
  /** Fetches links and pictures of messages in order, as mail programs and gateways do. Returns the events to store in the log. */
  visit(tx: Transaction, tenant: Tenant, visits: readonly Visit[]): Promise<NewEvent[]>
  /** The target of our tracked link, or null for another URL. */
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

/** Passes a raw message to the inbox, as the IMAP reader would. */
export type ReceiveMail = (
  tenant: Tenant,
  mail: {
    sendingAccountId: string
    raw: Buffer
    uid: number
    receivedAt: Date
    /** Whether the mail lies in the folder of sent mail. */
    sent?: boolean
  },
) => Promise<void>

/** The parts that a run of the clock uses. */
export interface World {
  app: App
  engine: Engine
  pages: PublicPages
  receive: ReceiveMail
}

export interface SandboxTools extends World {
  /** The source of the plans of a batch: `memory`, or each time the `database`, with which tests compare the results. */
  plansFrom: 'memory' | 'database'
  /**
   * Runs `run` in one transaction with a world whose parts all join it. The world's time is `time.now`. After a deadlock `run`
   * is called again from the start, so it may change nothing but the database.
   */
  inOneTransaction<Result>(
    time: { now: Date },
    run: (world: World, failed: AbortSignal) => Promise<Result>,
  ): Promise<Result>
}
