import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import { composeMessage, idOfMessageId, buildMessageId } from './message-bytes.ts'

// Normalises a text as composing does: line ends become LF, and NUL is removed.
const written = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')

const line = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: fc.constantFrom('=', ' ', '\t', '.', '-', 'é', '€', '🙂', 'a'), maxLength: 200 }),
  fc.constantFrom('--a-', '--m-', '', ' ', '.', 'Content-Type: text/html', '=0D=0A', 'From here', '=', '>From'),
)
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
const file = fc.record({
  filename: fc.constantFrom('a.txt', 'Änderung.html', 'b'),
  contentType: fc.constantFrom('text/plain', 'text/html', 'application/pdf', 'message/rfc822'),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
})

test('the texts of a message are read from its bytes, whatever they contain and whatever is attached', () => {
  fc.assert(
    fc.property(text, fc.option(text), fc.array(file, { maxLength: 2 }), text, (plain, html, attachments, subject) => {
      const raw = composeMessage({
        messageId: buildMessageId('msg_1', 'eve@sender.test'),
        date: new Date('2026-03-02T10:00:00.000Z'),
        from: { email: 'eve@sender.test', name: 'Eve: text/plain' },
        replyTo: null,
        to: [{ email: 'ada@acme.test', name: null }],
        cc: [],
        subject,
        text: plain,
        html,
        inReplyTo: null,
        references: [],
        unsubscribe: null,
        attachments,
      })
      expect(readMessageTexts(raw)).toEqual({ text: written(plain), html: html === null ? null : written(html) })
    }),
    { numRuns: 300 },
  )
})

test("our own Message-ID gives the message's id, and any other gives none", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^msg_[0-9a-z]{18}(?:[0-9a-z]{8})?$/),
      fc.stringMatching(/^[a-z.@]{1,20}@[a-z.]{1,20}$/),
      (id, sender) => {
        expect(idOfMessageId(buildMessageId(id, sender))).toBe(id)
        expect(idOfMessageId(buildMessageId(id, sender, 12))).toBe(id)
      },
    ),
  )
  for (const other of ['', '<>', '@', '<@x.test>']) expect(idOfMessageId(other)).toBe('')
})
