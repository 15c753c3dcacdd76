import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { composeMessage, buildMessageId, type MimeInput } from './message-bytes.ts'

const input: MimeInput = {
  messageId: '<msg_1@sender.test>',
  date: new Date('2026-03-02T10:00:00.000Z'),
  from: { email: 'eve@sender.test', name: 'Eve "E" O’Neil' },
  replyTo: null,
  to: [{ email: 'ada@acme.test', name: null }],
  cc: [],
  subject: 'Grüße an Ada – eine sehr lange Betreffzeile, die gefaltet werden muss 🎉🎉🎉',
  text: 'Hällo\n\n.dot\nFrom here \n' + 'x'.repeat(200),
  html: '<p>Hällo</p>',
  inReplyTo: '<a@sender.test>',
  references: ['<a@sender.test>'],
  unsubscribe: { url: 'https://out.test/u/abc', mailto: 'mailto:eve@sender.test?subject=unsubscribe' },
}

describe('a composed message', () => {
  test('can be parsed with the same values', async () => {
    const mail = await PostalMime.parse(composeMessage(input))
    expect(mail.subject).toBe(input.subject)
    expect(mail.from).toMatchObject({ name: 'Eve "E" O’Neil', address: 'eve@sender.test' })
    expect(mail.text?.trimEnd()).toBe(input.text)
    expect(mail.html?.trim()).toBe('<p>Hällo</p>')
    expect(mail.inReplyTo).toBe('<a@sender.test>')
    expect(mail.messageId).toBe('<msg_1@sender.test>')
    const headers = Object.fromEntries(mail.headers.map((header) => [header.key, header.value]))
    expect(headers['list-unsubscribe']).toBe('<https://out.test/u/abc>, <mailto:eve@sender.test?subject=unsubscribe>')
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(headers['date']).toBe('Mon, 2 Mar 2026 10:00:00 +0000')
  })

  test('has lines of at most 76 characters in quoted parts, whatever the text', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.constantFrom('\n', '--', '=\n', 'word '.repeat(30)),
    )
    const words = fc.array(word).map((parts) => `ä${parts.join('')}`)
    fc.assert(
      fc.property(words, fc.option(words), (text, html) => {
        const message = composeMessage({ ...input, text, html })
        const body = message.subarray(message.indexOf('\r\n\r\n'))
        for (const line of body.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
      }),
    )
  })

  test('has only CRLF line ends and no line over 998 characters', () => {
    const bytes = composeMessage({
      ...input,
      references: Array.from({ length: 40 }, (_, index) => `<${index}@sender.test>`),
    }).toString('latin1')
    expect(bytes.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of bytes.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  })

  test.each([
    ['no space in 1,200 characters', 'x'.repeat(1_200)],
    ['a long word at the end', `Offer ${'=?utf-8?q?'.repeat(120)}`],
    ['a long word among short ones', `See https://shop.example/${'a/'.repeat(600)} today`],
    ['a word of 251 characters', 'w'.repeat(251)],
  ])('a subject and a name with %s are sent in short lines and can be parsed', async (_what, text) => {
    const bytes = composeMessage({
      ...input,
      subject: text,
      from: { email: 'eve@sender.test', name: text },
      inReplyTo: `<${'m'.repeat(2_000)}@elsewhere.test>`,
      references: [`<${'m'.repeat(2_000)}@elsewhere.test>`, '<b@sender.test>'],
    })
    for (const line of bytes.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    const mail = await PostalMime.parse(bytes)
    expect([mail.subject, mail.from?.name, mail.references]).toEqual([text, text, '<b@sender.test>'])
    expect(mail.inReplyTo).toBeUndefined()
  })

  test.each(['\r\n', '\n', '\r', '\0', '\u2028', '\u2029', '\u0085'])('no field lets %j add a header', (separator) => {
    const evil = `x${separator}Bcc: all@victim.test`
    const bytes = composeMessage({
      ...input,
      subject: evil,
      from: { email: 'eve@sender.test', name: evil },
      replyTo: evil,
      to: [{ email: 'ada@acme.test', name: evil }],
      inReplyTo: evil,
      references: [evil],
      unsubscribe: { url: evil, mailto: evil },
    }).toString()
    const head = bytes.slice(0, bytes.indexOf('\r\n\r\n'))
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).not.toContain('\u2028')
  })

  test('keeps its attachments byte for byte', async () => {
    const content = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256))
    const mail = await PostalMime.parse(
      composeMessage({
        ...input,
        attachments: [{ filename: 'a.ics', contentType: 'application/octet-stream', content }],
      }),
    )
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(content)
  })

  test.each(['Angebot für „Ada“ – 見積書 (final) 100%.pdf', `${'长'.repeat(251)}.pdf`, `${'a b'.repeat(84)}.txt`])(
    'a file name %s is written in lines of valid length',
    async (filename) => {
      const content = Buffer.from('x')
      const bytes = composeMessage({ ...input, attachments: [{ filename, contentType: 'message/rfc822', content }] })
      expect(
        Math.max(
          ...bytes
            .toString()
            .split('\r\n')
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(998)
      expect(bytes.toString()).not.toMatch(/[^\r]\n|filename="=\?/)
      const mail = await PostalMime.parse(bytes)
      expect(mail.attachments).toMatchObject([{ filename, mimeType: 'application/octet-stream' }])
    },
  )

  test('has one part if there is only plain text', async () => {
    const bytes = composeMessage({ ...input, html: null, text: 'Hi' }).toString()
    expect(bytes).toContain('Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHi')
  })
})

test("the Message-ID contains the message id and the sender's domain", () => {
  expect(buildMessageId('msg_1', 'Eve@Sender.Test')).toBe('<msg_1@sender.test>')
})
