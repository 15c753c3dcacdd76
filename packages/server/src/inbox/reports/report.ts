import type { BounceReason, BounceType } from './bounce-reason.ts'

/** What became of one recipient. Source: docs/contract.md, "Inbox". */
export interface Bounce {
  /** As we wrote it where the report says so; null where it names nobody. */
  recipient: string | null
  /** Enhanced status; of the reason where the report gives none. */
  status: string | null
  smtpCode: number | null
  type: BounceType
  reason: BounceReason
}

export interface Report {
  rule: string
  bounces: Bounce[]
  /** Of the message that came back. */
  messageIds: string[]
}
