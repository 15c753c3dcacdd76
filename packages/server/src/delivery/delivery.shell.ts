import type { App } from '../platform/app.ts'
import type { Database } from '../platform/db/database.ts'
import type { CopyIds } from '../platform/mail/imap-read.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { TemplateRenderer } from '../templates/index.ts'
import type { MeetingUrl } from './explain/meeting-url.ts'
import type { FaultPoints } from './faults.ts'
import type { Transport } from './transport.ts'

/** The sender's own Sent folder, over IMAP. */
export interface SentFolder {
  /**
   * Finds the copy of a message by our Message-ID or the token in `X-Overture-Ref`. Returns the Message-ID that the copy has,
   * or null if no copy was found or the folder could not be read. Null proves nothing.
   */
  find(tenant: Tenant, sendingAccountId: string, copy: CopyIds): Promise<{ messageId: string } | null>
  /** Best effort, where the provider does not save submitted mail by itself. */
  append(tenant: Tenant, sendingAccountId: string, raw: Buffer): Promise<void>
  /** Ends when every copy is put away. */
  stop(): Promise<void>
}

/** The tools that the composition root gives to delivery. */
export interface DeliveryTools {
  app: App
  /** Connections for what mail servers answered alone; else those of `app`. */
  records?: Database
  renderer: TemplateRenderer
  /** The simulated mailboxes for the test environment and `sandbox` senders, SMTP for all others. */
  transportFor(tenant: Tenant, provider: 'smtp' | 'google' | 'microsoft' | 'sandbox'): Transport
  faults: FaultPoints
  /** Why no message may pass its gate now; null: it may. Left out where the gate itself sees to it, on one server. */
  findHindrance?: () => Promise<string | null>
  sentFolder: SentFolder | null
  /** The booking link of a lead; null where none is set up. */
  meetingUrl?: (tenant: Tenant, key: { campaignId: string; leadId: string }) => string | null
}

/** The part of these tools that explaining leads needs. */
export interface ExplainTools extends Pick<DeliveryTools, 'renderer'> {
  meetingUrl: MeetingUrl
}
