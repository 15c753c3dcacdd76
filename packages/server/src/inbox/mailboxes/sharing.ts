import { minuteMs } from '@overture/ground/time/spans.ts'

export interface MailboxCount {
  /** Mailboxes that are watched or free. */
  mailboxes: number
  /** Senders that could send, but whose mailbox has not been read for long. */
  unread: number
}

export interface WorkToShare extends MailboxCount {
  workers: number
}

/** The largest part of the time for counting, however many mailboxes and workers there are. */
const countingPart = 1 / 20
export const countGoodMsMax = minuteMs

/** How long a count is valid that took `tookMs`. */
export function countGoodMs(tookMs: number): number {
  return Math.min(countGoodMsMax, Math.ceil(tookMs / countingPart))
}

/** How many mailboxes one of several workers may watch. Together the workers cover all mailboxes evenly. */
export function fairShare({ workers, mailboxes }: Pick<WorkToShare, 'workers' | 'mailboxes'>, max: number): number {
  return Math.min(max, Math.ceil(mailboxes / Math.max(1, workers)))
}

const mebibyte = 2 ** 20
/** The memory of an idle mailbox with TLS and the server's data about its folders. Without TLS it is 55 kB (bench/README.md). */
const bytesOfIdleMailbox = mebibyte / 8
/** The part of a machine's memory that connections to mailboxes may take. */
const memoryPart = 1 / 4
/** The part of the open files that mailboxes may take. The rest is for sending, for requests and for other reads. */
const filesPart = 1 / 2
const idleMailboxes = { min: 1_000, max: 10_000 }

/** In how many mailboxes a process idles by default, given its memory and its limit of open files. */
export function idleMailboxesMax({ memoryBytes, openFiles }: { memoryBytes: number; openFiles: number }): number {
  const fitting = Math.floor((memoryBytes * memoryPart) / bytesOfIdleMailbox)
  const within = Math.min(idleMailboxes.max, Math.max(idleMailboxes.min, fitting))
  return Math.max(1, Math.min(within, Math.floor(openFiles * filesPart)))
}
