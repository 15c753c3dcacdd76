import type { NewEvent } from '../../platform/events/events.sql.ts'

/** The fields of a sent message that the mailboxes of the test environment get. */
export interface ArrivedMessage {
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
  /** Accepts a message at the time of its sending. Returns the reply of a mail server. */
  accept(message: { messageId: string; leadId: string; to: string; at: Date }): string
  /** Stores accepted messages in their mailboxes, in order. Returns the events that simulated people caused by reading them. */
  store(messages: readonly ArrivedMessage[]): Promise<NewEvent[]>
}

/**
 * Plans and sends in memory for a tenant with a simulated clock. An instance belongs to one transaction, which is rolled back as
 * a whole if anything throws. Sent messages are written in batches. Before other code reads, call `flush`; before it writes, call
 * `settle`, and `forget` afterwards.
 */
export interface SimulatedSending {
  /** When to plan next, in milliseconds. Infinity means not before something changes. */
  readonly nextMs: number
  /** False if the tenant's plans need more than is kept here. */
  readonly isPlain: boolean
  /** Takes over a wake-up from the tenant's planning row. */
  takeWake(at: Date): Promise<void>
  /** Makes one plan. Returns the number of messages sent, or null if the plan can't be made from memory. */
  plan(now: Date): Promise<number | null>
  /** Whether the last plan also sent messages that bypass the planner, with the usual functions. Other work may have been woken. */
  readonly tookTurns: boolean
  /** Writes sent messages, so that other code can read them. */
  flush(): Promise<void>
  /** Writes everything, so that other code can plan. */
  settle(): Promise<void>
  /** Other code has written data that plans depend on: either only leads, or anything. */
  forget(what: 'leads' | 'everything'): void
}
