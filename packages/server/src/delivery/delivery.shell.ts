import type { App } from '../platform/app.ts'
import type { Database } from '../platform/db/database.ts'
import type { CopyIds } from '../platform/mail/imap-read.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { TemplateRenderer } from '../templates/index.ts'
import type { MeetingUrl } from './meeting-url.ts'
import type { FaultPoints } from './faults.ts'
import type { Transport } from './transport.ts'

/** The sender's own Sent folder, over IMAP. */
export interface SentFolder {
  /**
   * Finds the copy of a message by our Message-ID or the token in `X-Overture-Ref`. Returns the Message-ID that the copy has,
   * or null if no copy was found or the folder could not be read. Null proves nothing.
   */
  find(tenant: Tenant, sendingAccountId: string, copy: CopyIds): Promise<{ messageId: string } | null>
  /** Best effort, for providers that don't save submitted mail themselves. */
  append(tenant: Tenant, sendingAccountId: string, raw: Buffer): Promise<void>
  /** Resolves when every copy is saved. */
  stop(): Promise<void>
}

/** The tools that the composition root gives to delivery. */
export interface DeliveryTools {
  app: App
  /** Connections reserved for recording the replies of mail servers; those of `app` if absent. */
  records?: Database
  renderer: TemplateRenderer
  /** The simulated mailboxes for the test environment and `sandbox` senders, SMTP for all others. */
  transportFor(tenant: Tenant, provider: 'smtp' | 'google' | 'microsoft' | 'sandbox'): Transport
  faults: FaultPoints
  /** Why no message may pass its gate now, or null if it may. Absent with a single database server, where the gate ensures it. */
  findHindrance?: () => Promise<string | null>
  sentFolder: SentFolder | null
  /** The booking link of a lead; null if there is no booking page. */
  meetingUrl?: (tenant: Tenant, key: { campaignId: string; leadId: string }) => string | null
}

/** The part of these tools that explaining leads needs. */
export interface ExplainTools extends Pick<DeliveryTools, 'renderer'> {
  meetingUrl: MeetingUrl
}
