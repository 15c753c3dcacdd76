import { minuteMs } from '../../ground/time/spans.ts'

export interface MailboxCount {
  /** Mailboxes that are watched, or free to be. */
  mailboxes: number
  /** Of senders that could send, those whose mailbox was not read for long. */
  unread: number
}

export interface WorkToShare extends MailboxCount {
  workers: number
}

/** Counting takes no more than this part of the time, however many mailboxes and workers there are. */
const countingPart = 1 / 20
export const countGoodMsMax = minuteMs

/** For how long a count is good that took so long. */
export function countGoodMs(tookMs: number): number {
  return Math.min(countGoodMsMax, Math.ceil(tookMs / countingPart))
}

/** How many mailboxes one of several workers may watch: together they cover all, and nobody has two more than another. */
export function fairShare({ workers, mailboxes }: Pick<WorkToShare, 'workers' | 'mailboxes'>, max: number): number {
  return Math.min(max, Math.ceil(mailboxes / Math.max(1, workers)))
}
