import { dayMs } from '@overture/ground/time/spans.ts'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { classify } from '@overture/mail-reading/classify/classify.ts'
import { readMail } from '@overture/mail-reading/mime/mail.ts'
import { advanceTarget, showsNow, summariseDays } from './clock.ts'
import { findLinks, readToken, findUnsubscribeUrl } from './mail-links.ts'
import { composeAnswer, prospectName, type AnswerKind, type ReceivedMail } from './prospect-mail.ts'
import { chooseReactions, returnDate, parseTags } from './prospect.ts'

const now = new Date('2026-11-20T10:00:00.000Z')

describe('simulated prospects', () => {
  test.each([
    ['anna+reply@prospects.test', ['reply']],
    ['Anna+OPEN+click@Prospects.test', ['open', 'click']],
    ['anna@prospects.test', []],
    ['anna+reply@elsewhere.test', []],
    ['anna+scan@prospects.test', []],
    ['reply@prospects.test', []],
  ])('%s has the acts %j', (address, acts) => {
    expect(parseTags(address)).toEqual(acts)
  })

  test('act within a day, always the same way, and differently from each other', () => {
    const all = Array.from({ length: 200 }, (_, index) => chooseReactions(`p${index}+open+reply@prospects.test`, 1))
    for (const { delayMs } of all.flat()) expect(delayMs).toBeLessThan(dayMs)
    expect(all).toEqual(
      Array.from({ length: 200 }, (_, index) => chooseReactions(`p${index}+open+reply@prospects.test`, 1)),
    )
    const replies = new Set(all.map((reactions) => reactions.find(({ act }) => act === 'reply')?.delayMs))
    expect(replies.size).toBeGreaterThan(190)
  })

  test('some that open or click have a gateway that opens first', () => {
    const all = Array.from({ length: 200 }, (_, index) => chooseReactions(`p${index}+click@prospects.test`, 1))
    const scanned = all.filter((reactions) => reactions[0]?.act === 'scan')
    expect(scanned.length).toBeGreaterThan(20)
    expect(scanned.length).toBeLessThan(90)
    for (const [scan] of scanned) expect(scan?.delayMs).toBeLessThan(1500)
  })

  test('reply only to the first message, but open and click every one', () => {
    const address = 'a+reply+open@prospects.test'
    expect(chooseReactions(address, 1).map(({ act }) => act)).toContain('reply')
    expect(chooseReactions(address, 2).map(({ act }) => act)).not.toContain('reply')
    expect(chooseReactions(address, 2).map(({ act }) => act)).toContain('open')
  })

  test('do nothing else if they bounce', () => {
    expect(chooseReactions('a+bounce+reply@prospects.test', 1).map(({ act }) => act)).toEqual(['bounce'])
    expect(chooseReactions('a+quota+reply@prospects.test', 1).map(({ act }) => act)).toEqual(['quota'])
    expect(chooseReactions('a+senderblocked+open@prospects.test', 1).map(({ act }) => act)).toEqual(['senderblocked'])
    expect(chooseReactions('a+softbounce+open@prospects.test', 1).map(({ act }) => act)).toEqual(['softbounce'])
    expect(chooseReactions('a+bounce@prospects.test', 2)).toEqual([])
  })

  test('are back within three days if they are away', () => {
    for (let index = 0; index < 50; index++) {
      const awayMs = returnDate(`p${index}@prospects.test`, now).getTime() - now.getTime()
      expect(awayMs).toBeGreaterThan(dayMs)
      expect(awayMs).toBeLessThanOrEqual(3 * dayMs)
    }
  })
})

const mail: ReceivedMail = {
  address: 'anna.meyer+reply@prospects.test',
  senderEmail: 'ben@sender.test',
  senderName: 'Ben Ende',
  subject: 'Grüße aus Köln',
  rfcMessageId: '<msg_1@sender.test>',
  references: ['<msg_0@sender.test>'],
  text: 'Hello Anna,\n\nshall we talk?\n',
  sentAt: now,
}

describe('mail of simulated prospects', () => {
  const compose = (kind: AnswerKind, text: string | null = null) =>
    composeAnswer(mail, { kind, text, at: new Date(now.getTime() + 3_600_000), uniqueText: 'msg01' })

  test('has CRLF line ends and always the same bytes', () => {
    for (const kind of ['reply', 'interested', 'auto_reply', 'unsubscribe', 'bounce', 'soft_bounce'] as const) {
      const raw = compose(kind).toString('latin1')
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(compose(kind).equals(compose(kind))).toBe(true)
    }
  })

  test('a reply has quote, signature and thread headers', async () => {
    const reply = await PostalMime.parse(compose('reply', 'Call me.'))
    expect(reply.subject).toBe('Re: Grüße aus Köln')
    expect(reply.from).toEqual({ address: 'anna.meyer+reply@prospects.test', name: 'Anna Meyer' })
    expect(reply.inReplyTo).toBe('<msg_1@sender.test>')
    expect(reply.references).toBe('<msg_0@sender.test> <msg_1@sender.test>')
    expect(reply.text).toMatch(/^Call me\.\r\n/)
    expect(reply.text).toContain('> shall we talk?')
    expect(reply.text).toContain('\r\n-- \r\nAnna Meyer')
    expect(reply.html).toContain('gmail_quote')
  })

  test('the inbox reads the return date of an absence note', () => {
    for (let day = 0; day < 60; day++) {
      const at = new Date(now.getTime() + day * dayMs)
      const address = `p${day}+ooo@prospects.test`
      const read = readMail(
        composeAnswer({ ...mail, address }, { kind: 'auto_reply', text: null, at, uniqueText: 'm' }),
      )
      const expected = returnDate(address, at).toISOString().slice(0, 10)
      expect(read.outcome === 'read' && classify(read.mail).awayUntil).toBe(expected)
    }
  })

  test('an automatic reply is marked as one', async () => {
    const reply = await PostalMime.parse(compose('auto_reply'))
    expect(reply.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-replied' }))
    expect(reply.text).toMatch(/out of the office until 2026-11-2[234]/)
  })

  test.each([
    ['bounce', '5.1.1'],
    ['soft_bounce', '4.2.2'],
  ] as const)('a %s is a delivery report with status %s', (kind, status) => {
    const raw = compose(kind).toString('latin1')
    expect(raw).toContain('Content-Type: multipart/report; report-type=delivery-status')
    expect(raw).toContain(`\r\nAction: failed\r\nStatus: ${status}\r\n`)
    expect(raw).toContain('Message-ID: <msg_1@sender.test>')
  })

  test('names are made from addresses', () => {
    expect(prospectName('anna.meyer+reply@prospects.test')).toBe('Anna Meyer')
    expect(prospectName('+x@prospects.test')).toBe('Prospect')
  })
})

describe('links of a message', () => {
  test('pixels and tracked links are found, and other links are not', () => {
    const html =
      '<a href="https://o.test/c/tok&amp;1">x</a><a href="https://a.test/page">y</a><img src="https://o.test/o/tok2" width="1">'
    expect(findLinks(html)).toEqual({ pixels: ['https://o.test/o/tok2'], clicks: ['https://o.test/c/tok&1'] })
    expect(readToken('https://o.test/c/abc', '/c/')).toBe('abc')
    expect(readToken('https://o.test/c/', '/c/')).toBeNull()
  })

  test('the one-click URL is read from a folded header', () => {
    const raw = Buffer.from(
      'From: a@b.test\r\nList-Unsubscribe: <https://o.test/u/tok>,\r\n <mailto:x@b.test>\r\n\r\nbody',
    )
    expect(findUnsubscribeUrl(raw)).toBe('https://o.test/u/tok')
    expect(findUnsubscribeUrl(Buffer.from('From: a@b.test\r\n\r\nList-Unsubscribe: <https://o.test>'))).toBeNull()
  })
})

describe('the clock', () => {
  test('moves by a duration or to a time, only forward and not too far', () => {
    expect(advanceTarget({ by: '3d' }, now).toISOString()).toBe('2026-11-23T10:00:00.000Z')
    expect(advanceTarget({ by: '2w' }, now).toISOString()).toBe('2026-12-04T10:00:00.000Z')
    expect(advanceTarget({ to: '2026-11-20T12:00:00+01:00' }, now).toISOString()).toBe('2026-11-20T11:00:00.000Z')
    expect(() => advanceTarget({ to: '2026-11-20T10:00:00Z' }, now)).toThrow(/can't be moved back/)
    expect(() => advanceTarget({ to: '2027-11-22T10:00:00Z' }, now)).toThrow(/366 days/)
  })

  test('shows real time plus its offset, or the frozen time', () => {
    expect(showsNow({ offsetMs: 1000, frozenAt: null }, now).getTime()).toBe(now.getTime() + 1000)
    expect(showsNow({ offsetMs: 1000, frozenAt: now }, new Date(0))).toBe(now)
  })

  test("summaries add up days; delivered messages are those that didn't bounce", () => {
    const nothing = { opened: 0, clicked: 0, replied: 0, autoReplied: 0, unsubscribed: 0, meetingsBooked: 0 }
    const summary = summariseDays([
      { date: '2026-11-22', ...nothing, sent: 0, bounced: 0, interested: 0 },
      { date: '2026-11-21', ...nothing, sent: 3, bounced: 0, interested: -1 },
      { date: '2026-11-20', ...nothing, sent: 5, bounced: 2, interested: 1 },
    ])
    expect(summary).toMatchObject({ sent: 8, bounced: 2, delivered: 6, interested: 0 })
    expect(summary.byDay.map((day) => [day.date, day.delivered])).toEqual([
      ['2026-11-20', 3],
      ['2026-11-21', 3],
    ])
  })
})
