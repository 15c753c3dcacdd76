import { describe, expect, test } from 'vitest'
import { readReceivedTest, type ReceivedAt } from './received-test.ts'

const gmail: ReceivedAt = { email: 'seed@gmail.com', imapHost: 'imap.gmail.com' }
const own: ReceivedAt = { email: 'seed@mail.example', imapHost: 'imap.mail.example' }
const message = ['From: a@sender.test', 'Message-ID: <new@sender.test>', 'X-Overture-Ref: r', '', 'Hi']
const signature = (h: string, d = 'sender.test') =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=${d};\r\n s=s1; h=${h};\r\n bh=xx; b=yy`
const full = 'From:Subject:List-Unsubscribe:\r\n List-Unsubscribe-Post'
const google =
  'Authentication-Results: mx.google.com; dkim=pass header.i=@sender.test header.d=sender.test; spf=pass; dmarc=pass'

function read(headers: readonly string[], at: ReceivedAt = gmail, body: readonly string[] = message) {
  const reading = readReceivedTest(Buffer.from([...headers, ...body].join('\r\n')), at)
  if (reading.outcome !== 'read') throw new Error(reading.reason)
  return reading.test
}

describe('a test message as it arrived', () => {
  test('has the results of its receiver, and a signature that covers the opt-out headers', () => {
    expect(read(['Received: from a by mx.google.com', google, signature(full)])).toEqual({
      messageId: '<new@sender.test>',
      results: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
      optOutSigned: true,
    })
  })

  test.each([
    ['one of the two headers', signature('From:List-Unsubscribe')],
    ['none', signature('From:Subject')],
    ['both, by a domain that did not pass', signature(full, 'other.test')],
  ])('is not covered by a signature of %s', (_name, header) => {
    expect(read([google, header]).optOutSigned).toBe(false)
  })

  test('fails with the words of the receiver', () => {
    const header = 'Authentication-Results: mx.google.com; dkim=fail header.d=sender.test; spf=softfail; dmarc=none'
    expect(read([header, signature(full)])).toMatchObject({
      results: { spf: 'softfail', dkim: 'fail', dmarc: 'none' },
      optOutSigned: false,
    })
  })

  test('adds the results that one server wrote in several headers', () => {
    const headers = ['dkim=pass header.d=sender.test', 'dmarc=pass', 'spf=fail'].map(
      (result) => `Authentication-Results: mx.mail.example; ${result}`,
    )
    expect(read([...headers, signature(full)], own).results).toEqual({ spf: 'fail', dkim: 'pass', dmarc: 'pass' })
  })

  test('Microsoft leaves out the name of its server', () => {
    const at = { email: 'a@contoso.test', imapHost: 'outlook.office365.com' }
    const header =
      'Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=s.test; dkim=none; dmarc=fail action=none'
    expect(read([header], at).results).toEqual({ spf: 'pass', dkim: 'none', dmarc: 'fail' })
  })

  test.each([
    ['a server with another name', ['Authentication-Results: mx.other.test; spf=pass; dkim=pass header.d=sender.test']],
    ['another server above that of the receiver', ['Authentication-Results: mx.other.test; spf=pass', google]],
    ['a name within a comment', ['Authentication-Results: (mx.google.com) ; spf=pass']],
    ['nothing', []],
  ])('results of %s are not believed', (_name, headers) => {
    expect(read([...headers, signature(full)])).toMatchObject({ results: null, optOutSigned: null })
  })

  test('results within the message itself are not believed', () => {
    const forged = ['From: a@sender.test', google, signature(full), 'Message-ID: <x@y.test>', '', 'Hi']
    expect(read(['Received: from a by mx.google.com'], gmail, forged)).toMatchObject({
      results: null,
      optOutSigned: null,
    })
  })

  test('unreadable headers are set aside, and hostile ones cost little', () => {
    expect(readReceivedTest(Buffer.from('X: y\r\n'.repeat(200_000)), gmail).outcome).toBe('set_aside')
    const long = `Authentication-Results: mx.google.com; ${'dkim=pass header.d=a.test; '.repeat(2_000)}`
    expect(read([long]).results).toBeNull()
    expect(read([google, `DKIM-Signature: ${'h=a:'.repeat(4_000)}`]).optOutSigned).toBe(false)
  })
})
