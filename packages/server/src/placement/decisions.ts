import { dayMs, minuteMs, secondMs } from '@overture/ground/time/spans.ts'
import type { AuthenticationResult, PlacementProblem } from '@overture/contract/placement/placement-tests.ts'

export interface PendingResult {
  id: string
  seedMailboxId: string
  to: string
  ref: string
  /** The status of the message. Null: the message was deleted. */
  status: 'queued' | 'sent' | 'bounced' | 'failed' | 'uncertain' | 'returned' | null
  sentAt: Date | null
}

export interface DecidedResult {
  id: string
  placement: 'inbox' | 'tab' | 'spam' | 'missing'
  problem: PlacementProblem | null
  folder: string | null
  spf: AuthenticationResult | null
  dkim: AuthenticationResult | null
  dmarc: AuthenticationResult | null
  optOutSigned: boolean | null
  receivedMessageId: string | null
  sentAt: Date | null
  seconds: number | null
}

/** A message that is not found within this time after it was sent is missing. */
const foundWithinMs = 30 * minuteMs
/** A message that is not sent within this time after the test began is given up. */
export const sentWithinMs = dayMs

const soonMs = 10 * secondMs
const laterMs = 2 * minuteMs
const soonForMs = 2 * minuteMs

const nothing = {
  folder: null,
  spf: null,
  dkim: null,
  dmarc: null,
  optOutSigned: null,
  receivedMessageId: null,
  seconds: null,
}

export function missing(of: PendingResult, problem: DecidedResult['problem'] = null): DecidedResult {
  return { id: of.id, placement: 'missing', problem, sentAt: of.sentAt, ...nothing }
}

interface SplitResults {
  /** Messages that were not sent and will not be. */
  unsent: PendingResult[]
  /** Messages that may be in their mailbox. */
  toFind: PendingResult[]
}

/** Decides which messages of a test may have arrived, and which will not be sent. */
export function splitPending(pending: readonly PendingResult[], { isLate }: { isLate: boolean }): SplitResults {
  // A message of uncertain delivery may have arrived. If it is not found, it says nothing.
  const isSent = ({ status }: PendingResult) => status === 'sent' || status === 'returned' || status === 'uncertain'
  return {
    unsent: pending.filter((one) => !isSent(one) && (one.status !== 'queued' || isLate)),
    toFind: pending.filter(isSent),
  }
}

/** Whether a message had its time to arrive. */
export function isOverdue({ sentAt }: PendingResult, now: Date, startedAt: Date): boolean {
  return now.getTime() - (sentAt ?? startedAt).getTime() >= foundWithinMs
}

/** The time of the next look. Looks are frequent at the start, since most messages arrive within seconds. */
export function nextLookAt({
  createdAt,
  now,
  sentTimes,
}: {
  createdAt: Date
  now: Date
  sentTimes: readonly Date[]
}): Date {
  const newest = Math.max(createdAt.getTime(), ...sentTimes.map((at) => at.getTime()))
  return new Date(now.getTime() + (now.getTime() - newest < soonForMs ? soonMs : laterMs))
}

const simulatedSeconds = 5
const tags = ['inbox', 'spam', 'tab', 'missing'] as const

/** The result of a simulated mailbox, by the tag of its address. */
export function simulatedResult(of: PendingResult, now: Date): DecidedResult | null {
  const local = of.to.slice(0, of.to.lastIndexOf('@')).toLowerCase().split('+').slice(1)
  const placement = tags.find((tag) => local.includes(tag)) ?? 'inbox'
  if (placement === 'missing') return isOverdue(of, now, now) ? missing(of) : null
  const results = { spf: 'pass', dkim: 'pass', dmarc: 'pass', optOutSigned: true } as const
  const folder = { inbox: 'INBOX', spam: 'Junk', tab: 'Promotions' }[placement]
  return { ...missing(of), ...results, placement, folder, seconds: simulatedSeconds }
}
