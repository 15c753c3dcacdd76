export interface Crew {
  workers: number
  /** Mailboxes that are watched, or free to be. */
  mailboxes: number
}

/** How many mailboxes one of several workers may watch: together they cover all, and nobody has two more than another. */
export function fairShare({ workers, mailboxes }: Crew, max: number): number {
  return Math.min(max, Math.ceil(mailboxes / Math.max(1, workers)))
}
