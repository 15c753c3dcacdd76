import type { SenderFault } from '../../ground/refusals/sender-fault.ts'
import type { BounceReason, BounceType } from './bounce-reason.ts'

/** The sender's fault that a report names, with the provider's words. */
export type ReportedFault = SenderFault & { words: string }

/** What became of one recipient. Source: docs/contract.md, "Inbox". */
export interface Bounce {
  /** As we wrote it where the report says so; null where it names nobody. */
  recipient: string | null
  /** Enhanced status; of the reason where the report gives none. */
  status: string | null
  smtpCode: number | null
  type: BounceType
  reason: BounceReason
  /** Null: the report is about the recipient. */
  fault: ReportedFault | null
}

export interface Report {
  rule: string
  bounces: Bounce[]
  /** Of the message that came back. */
  messageIds: string[]
}
