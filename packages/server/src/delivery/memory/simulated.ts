import type { NewEvent } from '../../platform/events/events.sql.ts'

/** What the mailboxes of the test environment are told of a message that left. */
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

/** Where simulated messages go: a mail server that accepts everything, and lies in the same database. */
export interface SimulatedMailboxes {
  /** Told of leads before a message of theirs is accepted. */
  expect(leads: readonly { id: string; email: string }[]): Promise<void>
  /** Takes a message at the time when it leaves; answers as a mail server does. */
  accept(message: { messageId: string; leadId: string; to: string; at: Date }): string
  /** Puts messages that were accepted where they are read, in order; answers what people who looked at theirs left for the log. */
  store(messages: readonly ArrivedMessage[]): Promise<NewEvent[]>
}

/**
 * Plans and sends for a tenant whose time is simulated, out of memory: made for one transaction, which is undone as a
 * whole where something throws. What left is written in batches; whoever else reads or writes is to `flush` or `settle`
 * before, and to have it `forget` after.
 */
export interface SimulatedSending {
  /** When to plan next, in ms; Infinity: not before something changes. */
  readonly nextMs: number
  /** False: the tenant's plans ask for more than is kept here. */
  readonly isPlain: boolean
  /** Takes a wake-up that stands in the tenant's planning row. */
  takeWake(at: Date): Promise<void>
  /** One plan; answers how many messages left, null where it can't be made from memory. */
  plan(now: Date): Promise<number | null>
  /** True: the last plan let messages go that wait for none, by the functions that send; others may have been woken. */
  readonly tookTurns: boolean
  /** Writes what left, so that others can read it. */
  flush(): Promise<void>
  /** Writes everything, so that others can plan. */
  settle(): Promise<void>
  /** Others have written what plans depend on: of leads alone, or of anything. */
  forget(what: 'leads' | 'everything'): void
}
