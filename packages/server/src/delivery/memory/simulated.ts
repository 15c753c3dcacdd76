import type { NewEvent } from '../../platform/events/events.sql.ts'

/** The fields of a sent message that the mailboxes of the test environment get. */
export interface ArrivedMessage {
  mailboxId: string
  messageId: string
  campaignId: string
  leadId: string
  stepId: string
  sendingAccountId: string
  from: string
  to: string
  subject: string
  rfcMessageId: string
  raw: Buffer
  at: Date
}

/** The destination of simulated messages: a mail server that accepts everything and is in the same database. */
export interface SimulatedMailboxes {
  /** Called with the leads before one of their messages is accepted. */
  expect(leads: readonly { id: string; email: string }[]): Promise<void>
  /** Accepts a message at the time of its sending. Returns its id there and the reply of a mail server. */
  accept(message: { leadId: string; to: string; at: Date }): { mailboxId: string; answer: string }
  /** Stores accepted messages in their mailboxes, in order. Returns the events that simulated people caused by reading them. */
  store(messages: readonly ArrivedMessage[]): Promise<NewEvent[]>
}

/**
 * Plans and sends for a tenant with a simulated clock. An instance belongs to one transaction, which is rolled back as a whole if
 * anything throws. Messages that are planned from memory are written in batches. Before other code reads, call `flush`; before it
 * plans, call `settle`; after it has written, call `forget`.
 */
export interface SimulatedSending {
  /** When to plan next, in milliseconds. Infinity means not before something changes. */
  readonly nextMs: number
  /** Whether the tenant's plans need no more than is kept in memory. */
  readonly fromMemory: boolean
  /** Takes over a wake-up from the tenant's planning row. */
  takeWake(at: Date): Promise<void>
  /** Makes one plan. Returns the number of messages sent and decisions made. */
  plan(now: Date): Promise<number>
  /** Whether the last plan was made from the database. It may have woken other work. */
  readonly usedDatabase: boolean
  /** Writes what plans changed, so that other code can read it. */
  flush(): Promise<void>
  /** Writes everything, so that other code can plan. */
  settle(): Promise<void>
  /** Other code has written data that plans depend on: either only leads, or anything. */
  forget(what: 'leads' | 'everything'): void
}
