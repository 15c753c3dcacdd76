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

const mebibyte = 2 ** 20
/** With TLS and what the server told of its folders; without TLS it is 55 kB (bench/README.md). */
const bytesOfIdleMailbox = mebibyte / 8
/** Of a machine's memory, what connections to mailboxes may take. */
const memoryPart = 1 / 4
/** The rest is for what is sent, asked and read meanwhile. */
const filesPart = 1 / 2
const idleMailboxes = { min: 1_000, max: 10_000 }

/** In how many mailboxes a process idles that has so much memory and may open so many files, unless it is told. */
export function idleMailboxesMax({ memoryBytes, openFiles }: { memoryBytes: number; openFiles: number }): number {
  const fitting = Math.floor((memoryBytes * memoryPart) / bytesOfIdleMailbox)
  const within = Math.min(idleMailboxes.max, Math.max(idleMailboxes.min, fitting))
  return Math.max(1, Math.min(within, Math.floor(openFiles * filesPart)))
}
