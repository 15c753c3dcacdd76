export interface WorkToShare {
  workers: number
  /** Mailboxes that are watched, or free to be. */
  mailboxes: number
  /** Of senders that could send, those whose mailbox was not read for long. */
  unread: number
}

/** How many mailboxes one of several workers may watch: together they cover all, and nobody has two more than another. */
export function fairShare({ workers, mailboxes }: Pick<WorkToShare, 'workers' | 'mailboxes'>, max: number): number {
  return Math.min(max, Math.ceil(mailboxes / Math.max(1, workers)))
}
