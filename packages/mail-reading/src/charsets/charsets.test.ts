import { describe, expect, test } from 'vitest'
import { inspectMessage } from '../classify/inspect.ts'
import { readMessage, type ReadMessage } from '../reading/read-message.ts'
import { samples, texts } from './charset-samples.ts'
import { decodeNamed } from './named.ts'

const kinds = ['reply', 'unsubscribe', 'auto_reply']
/** Without a declaration their letters look like those of Windows-1252, as in any mail program. */
const latin = ['windows-1250', 'windows-1254', 'windows-1257']
/** Their bytes are ASCII, so that only the declaration says what they are. */
const declaredOnly = ['hz-gb-2312']
const head = ['From: Ada <ada@there.test>', 'Date: Mon, 02 Mar 2026 09:00:00 +0100', 'In-Reply-To: <m@out.test>']

function mailOf(headers: readonly string[], body: Uint8Array, subject = 'Re: Hi'): Buffer {
  const lines = [...head, `Subject: ${subject}`, ...headers, 'Content-Transfer-Encoding: base64', '', '']
  return Buffer.from(lines.join('\n') + Buffer.from(body).toString('base64'), 'latin1')
}

function read(headers: readonly string[], body: Uint8Array): { text: string | undefined; kind: string } {
  const { reply, kind } = inspectMessage(mailOf(headers, body))
  return { text: reply?.text, kind }
}

function message(raw: Uint8Array): ReadMessage {
  const result = readMessage(raw)
  if (result.outcome === 'set_aside') throw new Error(result.reason)
  return result.message
}

const every = samples.flatMap(({ charset, script, bytes }) =>
  bytes.map((content, at) => ({ charset, script, content, text: texts[script][at]!, kind: kinds[at]! })),
)
const guessable = every.filter(({ charset }) => !latin.includes(charset) && !declaredOnly.includes(charset))

describe('a reply, an opt-out and an automatic note', () => {
  test.each(every)('$charset is decoded by its name: $text', ({ charset, content, text, kind }) => {
    expect(read([`Content-Type: text/plain; charset="${charset}"`], content)).toEqual({ text, kind })
  })

  test.each(guessable)('$charset is decoded without a name: $text', ({ content, text, kind }) => {
    expect(read(['Content-Type: text/plain'], content)).toEqual({ text, kind })
  })

  test.each(guessable)('$charset is decoded under a wrong name: $text', ({ content, text, kind }) => {
    expect(read(['Content-Type: text/plain; charset=utf-8'], content)).toEqual({ text, kind })
    expect(read(['Content-Type: text/plain; charset=iso-8859-1'], content)).toEqual({ text, kind })
  })

  test.each(every.filter(({ charset }) => !declaredOnly.includes(charset)))(
    'UTF-8 is decoded under the name $charset: $text',
    ({ charset, text, kind }) => {
      expect(read([`Content-Type: text/plain; charset=${charset}`], Buffer.from(text))).toEqual({ text, kind })
    },
  )
})

describe('headers', () => {
  const word = (charset: string, bytes: Uint8Array, encoding: 'B' | 'Q') =>
    encoding === 'B'
      ? `=?${charset}?B?${Buffer.from(bytes).toString('base64')}?=`
      : `=?${charset}?Q?${[...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')}?=`

  test.each(every)('encoded words of $charset may be cut within a letter: $text', ({ charset, content, text }) => {
    for (let at = 1; at < content.length; at += 3) {
      const [first, second] = [content.subarray(0, at), content.subarray(at)]
      const subject = `${word(charset, first, 'B')}\n ${word(charset.toUpperCase(), second, 'Q')}`
      expect(message(mailOf([], Buffer.from('Ok'), subject)).subject).toBe(text)
    }
  })

  test.each(every)('base64 of $charset may be cut anywhere: $text', ({ charset, content, text }) => {
    const base64 = content.toString('base64')
    for (let at = 1; at < base64.length - 4; at += 5) {
      const subject = `=?${charset}?B?${base64.slice(0, at)}?=\n =?${charset}?B?${base64.slice(at)}?=`
      expect(message(mailOf([], Buffer.from('Ok'), subject)).subject).toBe(text)
    }
  })

  test.each(every)('a parameter in $charset may be cut within a letter: $text', ({ charset, content, text }) => {
    const escaped = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const disposition =
      `Content-Disposition: attachment; filename*0*=${charset}''${escaped(content.subarray(0, 9))};\n` +
      ` filename*1*=${escaped(content.subarray(9))}`
    const named = message(mailOf(['Content-Type: application/pdf', disposition], Buffer.from('x'))).attachments[0]!
    expect(named.filename).toBe(text.replaceAll(/[:?]/g, '_').replace(/\.$/, ''))
  })

  test.each(every.filter(({ charset }) => !/^(?:utf-16|hz)/.test(charset)))(
    'raw letters in a header are in the charset of the body, $charset: $text',
    ({ charset, content, text }) => {
      const raw = content.toString('latin1').trim()
      const read = message(mailOf([`Content-Type: text/plain; charset=${charset}`], content, raw))
      expect(read.subject).toBe(text)
    },
  )

  test('the name of a sender in raw Shift_JIS is read', () => {
    const raw = Buffer.from('8d8291ba', 'hex').toString('latin1')
    const headers = ['Content-Type: text/plain; charset=shift_jis', `Reply-To: ${raw} <ada@there.test>`]
    expect(message(mailOf(headers, Buffer.from('Ok'))).replyTo).toEqual([{ name: '高村', email: 'ada@there.test' }])
  })

  test.each([
    [`filename*0="it's 5 o'clock"; filename*1=" 100%41.pdf"`, `it's 5 o'clock 100%41.pdf`],
    [`filename*0*=utf-8''gr%C3%BC; filename*1=%C3%9Fe.pdf`, 'grüße.pdf'],
    [`filename*=iso-8859-1:1987'en'f%FCr.pdf`, 'für.pdf'],
    [`filename*=''%E4%BD%A0%E5%A5%BD.pdf`, '你好.pdf'],
  ])('%s is decoded', (parameters, filename) => {
    const headers = ['Content-Type: application/pdf', `Content-Disposition: attachment; ${parameters}`]
    expect(message(mailOf(headers, Buffer.from('x'))).attachments[0]!.filename).toBe(filename)
  })

  test.each([
    ['=?utf-8?B?w6Q?= =?utf-8?B?w7Y?=', 'äö'],
    ['=?gb2312*zh-CN?B?xOO6ww==?=', '你好'],
    ['=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?=', '日本'],
    ['\u001b$BF|K\\\u001b(B', '日本'],
  ])('the subject %s is decoded', (subject, text) => {
    expect(message(mailOf([], Buffer.from('Ok'), subject)).subject).toBe(text)
  })
})

describe('tables', () => {
  test.each([
    ['big5', 'C755 C6A1 F9D6', 'の①碁'],
    ['big5-hkscs', '8740 FEFE', '䏰秔'],
    ['x-x-big5', 'A741', '你'],
    ['gb18030', '95328239', '𠀃'],
    ['eucjp', '8FB0FD 8EB1', '侂ｱ'],
    ['cp943', '8740 FBFC', '①髙'],
    ['iso-2022-jp-1', '1B2428443 07D1B2842', '侂'],
    ['iso-2022-jp-2', '1B2441 5562 1B242843 4751 1B2842', '这한'],
    ['iso-2022-jp', '1B2849 36 37 1B2842', 'ｶｷ'],
    ['cp50222', '0E 36 37 0F', 'ｶｷ'],
    ['iso-2022-jp', '1B2442 4E 0A 41', '\ufffd\nA'],
    ['iso-2022-kr', '1B242943 0A 0E 3E48 0F 21', '\n안!'],
    ['korean', '8C63', '똠'],
    ['x-mac-cyrillic', '8F F0', 'Пр'],
  ])('%s decodes %s', (charset, hex, text) => {
    expect(decodeNamed(Buffer.from(hex.replaceAll(' ', ''), 'hex'), charset)).toBe(text)
  })
})

describe('text that must not be taken for another charset', () => {
  const latin1 = 'Content-Type: text/plain; charset=iso-8859-1'
  test.each([
    ['«CAFÉ» für 20 m³ – ¿Qué?', latin1],
    ['Ä Ö Ü, ÅÄÖ and ÃO PAULO', latin1],
    ['Sí, mañana. Ñandú ñoño', latin1],
    ['ÆØÅ æøå blåbær', latin1],
    ['déjà vu à la carte', 'Content-Type: text/plain'],
    ['smörgåsbord på Öland', 'Content-Type: text/plain'],
  ])('Windows-1252 stays: %s', (text, header) => {
    expect(read([header], Buffer.from(text.replace('–', '\x96'), 'latin1')).text).toBe(text)
  })

  test('a single Cyrillic word whose bytes are a pair of UTF-8 stays Cyrillic', () => {
    expect(read(['Content-Type: text/plain; charset=windows-1251'], Buffer.from('CDB3', 'hex')).text).toBe('Ні')
  })

  test('ASCII under the name of UTF-16 stays ASCII', () => {
    expect(read(['Content-Type: text/plain; charset=utf-16'], Buffer.from('Yes, on Friday please.')).text).toBe(
      'Yes, on Friday please.',
    )
  })

  test('a text with a stray control character is not UTF-16', () => {
    expect(read(['Content-Type: text/plain'], Buffer.from('Yes,\u0001 on Friday please.')).text).toContain('on Friday')
  })
})
