import type { Resources as Overture } from './generated/resources.ts'
import type {
  SandboxAdvance,
  SandboxClock,
  SandboxInbound,
  SandboxMessage,
  SandboxMessageDetail,
} from './generated/types.ts'

/** The behavior of a simulated person after the first message, within a day. */
export type Behaviour =
  | 'reply'
  | 'interested'
  | 'ooo'
  | 'bounce'
  | 'softbounce'
  | 'quota'
  | 'senderblocked'
  | 'unsubscribe'
  | 'open'
  | 'click'
  | 'book'

/** The address of a simulated person: `ada+open+interested@prospects.test`. Without a behavior the person never reacts. */
export function prospect(name: string, ...behaviours: readonly (Behaviour | undefined)[]): string {
  return `${[name, ...behaviours.filter((one) => one !== undefined)].join('+')}@prospects.test`
}

export interface TestClock {
  now(): Promise<Date>
  /** Stops the clock until it is moved or unfrozen. */
  freeze(): Promise<SandboxClock>
  unfreeze(): Promise<SandboxClock>
  /** `90m`, `12h`, `3d` or `2w`: runs everything that becomes due, and returns what happened. */
  advance(by: string): Promise<SandboxAdvance>
  advanceTo(time: Date | string): Promise<SandboxAdvance>
}

/** Weeks usually pass in seconds. A timeout would not stop an advance on the server, so the limit is high. */
const advanceTimeoutMs = 30 * 60_000

/** The clock of the test environment, for a client with a test key. */
export function testClock(client: Overture): TestClock {
  const { clock } = client.sandbox
  const options = { timeoutMs: advanceTimeoutMs }
  return {
    now: async () => new Date((await clock.get()).now),
    freeze: async () => clock.set({ frozen: true }),
    unfreeze: async () => clock.set({ frozen: false }),
    advance: async (by) => clock.advance({ by }, options),
    advanceTo: async (time) => clock.advance({ to: typeof time === 'string' ? time : time.toISOString() }, options),
  }
}

export interface TestInbox {
  /** The messages that this person received, oldest first, each as a mail program shows it. */
  received(): Promise<SandboxMessageDetail[]>
  reply(text: string): Promise<SandboxInbound>
  replyAutomatically(text?: string): Promise<SandboxInbound>
  bounce(): Promise<SandboxInbound>
  unsubscribe(): Promise<SandboxInbound>
}

/** The simulated mailbox of a lead. */
export function inbox(client: Overture, leadId: string): TestInbox {
  const { sandbox } = client
  const answer = async (kind: 'reply' | 'auto_reply' | 'bounce' | 'unsubscribe', text?: string) =>
    sandbox.inbound({ leadId, kind, ...(text !== undefined && { text }) })
  return {
    async received() {
      const messages: SandboxMessage[] = await sandbox.messages.list({ leadId, direction: 'to_prospect' }).toArray()
      const details: SandboxMessageDetail[] = []
      for (const { id } of messages.sort((a, b) => (a.at < b.at ? -1 : 1))) details.push(await sandbox.messages.get(id))
      return details
    },
    reply: async (text) => answer('reply', text),
    replyAutomatically: async (text) => answer('auto_reply', text),
    bounce: async () => answer('bounce'),
    unsubscribe: async () => answer('unsubscribe'),
  }
}
