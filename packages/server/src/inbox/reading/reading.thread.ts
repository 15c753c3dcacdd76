import { serveItems } from '../../platform/threads/serve-items.thread.ts'
import {
  readItem,
  readMessage,
  type ItemReading,
  type ReadingItem,
} from '@overture/mail-reading/reading/read-message.ts'

// The first message of each kind costs ten times as much as the next: patterns are compiled when they are used.
const samples = [
  'From: a@b.test\nSubject: Hi\n\nPlease remove me\n-- \nA\nOn Mon, 2 Mar 2026 at 09:00, B <b@b.test> wrote:\n> back 3 May',
  'From: MAILER-DAEMON@b.test\nSubject: failure notice\n\n<c@b.test>: 550 5.1.1 user unknown',
  'From: a@b.test\nSubject: Automatic reply\nContent-Type: text/html\n\n<p>I am away until 3 May.</p>',
]
for (const sample of samples) readMessage(Buffer.from(sample))

serveItems<ReadingItem, ItemReading>(readItem)
