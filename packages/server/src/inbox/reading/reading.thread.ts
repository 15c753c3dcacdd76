import { parentPort } from 'node:worker_threads'
import type { MailReading } from './mail-reader.ts'
import { readMessage } from './read-message.ts'

/** The raw message comes alone, and one is read at a time: the answer is to the last one. */
export type ReadingAnswer = { ready: true } | { reading: MailReading } | { failed: string }

// The first message of each kind costs ten times as much as the next: patterns are compiled when they are used.
const samples = [
  'From: a@b.test\nSubject: Hi\n\nPlease remove me\n-- \nA\nOn Mon, 2 Mar 2026 at 09:00, B <b@b.test> wrote:\n> back 3 May',
  'From: MAILER-DAEMON@b.test\nSubject: failure notice\n\n<c@b.test>: 550 5.1.1 user unknown',
  'From: a@b.test\nSubject: Automatic reply\nContent-Type: text/html\n\n<p>I am away until 3 May.</p>',
]
for (const sample of samples) readMessage(Buffer.from(sample))
tell({ ready: true })

parentPort!.on('message', (raw: Uint8Array) => tell(answer(raw)))

function answer(raw: Uint8Array): ReadingAnswer {
  try {
    return { reading: readMessage(raw) }
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

function tell(told: ReadingAnswer): void {
  parentPort!.postMessage(told)
}
