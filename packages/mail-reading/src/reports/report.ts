import type { SenderFault } from '@overture/ground/refusals/sender-fault.ts'
import type { BounceReason, BounceType } from './bounce-reason.ts'

/** The sender's fault that a report names, with the provider's words. */
export type ReportedFault = SenderFault & { words: string }

/** The result for one recipient. Source: docs/contract.md, "Inbox". */
export interface Bounce {
  /** The address as we wrote it, if the report contains it. Null if it names no recipient. */
  recipient: string | null
  /** The enhanced status, or that of the reason if the report gives none. */
  status: string | null
  smtpCode: number | null
  type: BounceType
  reason: BounceReason
  /** Null if the report is about the recipient. */
  fault: ReportedFault | null
}

export interface Report {
  rule: string
  bounces: Bounce[]
  /** The Message-IDs of the message that came back. */
  messageIds: string[]
}
