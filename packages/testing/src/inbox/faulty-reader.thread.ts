import { serveItems } from '@overture/server/platform/threads/serve-items.thread.ts'
import type { MessageReading, ReadingItem } from '@overture/mail-reading/reading/read-message.ts'

/** Replaces the thread that reads mail. Its behavior is set by a message and simulates a fault of the reader. */
export type ReaderFault = 'loop' | 'pattern' | 'memory' | 'throw' | 'exit' | 'none'

const held: object[][] = []

function behave(fault: string | undefined): void {
  if (fault === 'loop') for (;;) held.length = 0
  if (fault === 'pattern') /^(?:a+)+$/.test(`${'a'.repeat(60)}b`)
  if (fault === 'memory') for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
  if (fault === 'throw') throw new Error('A fault of the reader.')
  if (fault === 'exit') process.exit(1)
}

serveItems<ReadingItem, MessageReading>(({ raw }) => {
  behave(/X-Fault: (\w+)/.exec(Buffer.from(raw).toString('latin1'))?.[1])
  return { outcome: 'set_aside', reason: 'empty' }
})
