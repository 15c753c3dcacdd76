import { expect, test } from 'vitest'
import { findDkimSelectors, judgeHealth, type HealthInput } from './domain-health.ts'
import type { Answer } from './domains/dns-answer.ts'

const none: Answer = { kind: 'none' }
const found = (...values: string[]): Answer => ({ kind: 'found', values })
const rsa2048 = 'A'.repeat(392)

function judge(changes: Partial<HealthInput>) {
  return judgeHealth({
    domain: 'example.com',
    provider: 'smtp',
    smtpHost: 'smtp.example.com',
    spf: none,
    spfWalk: null,
    dkim: [],
    dmarc: [],
    mx: none,
    tracking: null,
    ...changes,
  })
}

test.each<[string, Answer, string]>([
  ['none', none, 'missing'],
  ['other records only', found('google-site-verification=x'), 'missing'],
  ['soft fail', found('v=spf1 include:_spf.example.com ~all'), 'pass'],
  ['fail', found('v=spf1 mx -all'), 'pass'],
  ['a redirect', found('v=spf1 redirect=_spf.example.com'), 'pass'],
  ['neutral', found('v=spf1 mx ?all'), 'warning'],
  ['no end', found('v=spf1 mx'), 'warning'],
  ['everybody', found('v=spf1 +all'), 'invalid'],
  ['two records', found('v=spf1 mx ~all', 'v=spf1 include:x.test ~all'), 'invalid'],
  ['no name server', { kind: 'unknown', message: 'ETIMEOUT' }, 'unknown'],
])('SPF: %s', (_name, spf, status) => {
  expect(judge({ spf }).spf.status).toBe(status)
})

test('the suggested SPF record is merged with the existing one', () => {
  expect(judge({}).spf.put).toEqual({ type: 'TXT', name: 'example.com', value: 'v=spf1 a:smtp.example.com ~all' })
  expect(judge({ smtpHost: '192.0.2.7' }).spf.put?.value).toBe('v=spf1 ip4:192.0.2.7 ~all')
  expect(judge({ smtpHost: '2001:db8::7' }).spf.put?.value).toBe('v=spf1 ip6:2001:db8::7 ~all')
  expect(judge({ spf: found('v=spf1 mx ~all', 'v=spf1 include:x.test -all') }).spf.put?.value).toBe(
    'v=spf1 mx include:x.test ~all',
  )
  const google = judge({ provider: 'google', spf: found('v=spf1 include:mailgun.org ~all') }).spf
  expect(google).toMatchObject({
    status: 'invalid',
    put: { value: 'v=spf1 include:_spf.google.com include:mailgun.org ~all' },
  })
})

test.each<[string, Answer, string]>([
  ['none', none, 'missing'],
  ['a long key', found(`v=DKIM1; k=rsa; p=${rsa2048}`), 'pass'],
  ['a key of 1,024 bits', found(`k=rsa; p=${'A'.repeat(216)}`), 'warning'],
  ['a key of 512 bits', found(`p=${'A'.repeat(128)}`), 'invalid'],
  ['a withdrawn key', found('v=DKIM1; p='), 'invalid'],
  ['Ed25519', found('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='), 'pass'],
])('DKIM: %s', (_name, answer, status) => {
  expect(
    judge({
      dkim: [
        { selector: 's1', answer: none },
        { selector: 's2', answer },
      ],
    }).dkim.status,
  ).toBe(status)
})

test('MX and tracking domain', () => {
  expect(judge({ mx: found('mx.example.com') }).mx.status).toBe('pass')
  expect(judge({ mx: found('') }).mx.status).toBe('invalid')
  expect(judge({}).mx.status).toBe('missing')
  expect(judge({}).tracking).toBeNull()
  const tracking = { name: 't.example.com', target: 'go.example.com' }
  expect(judge({ tracking: { ...tracking, answer: found('go.example.com.') } }).tracking?.status).toBe('pass')
  expect(judge({ tracking: { ...tracking, answer: found('other.test') } }).tracking).toMatchObject({
    status: 'invalid',
    put: { type: 'CNAME', name: 't.example.com', value: 'go.example.com' },
  })
})

test('the DKIM selector is read from a received message that quotes a sent one', () => {
  const raw = [
    'Content-Type: message/rfc822',
    '',
    'DKIM-Signature: v=1; a=rsa-sha256; d=other.test; s=no;',
    ' bh=x; b=y',
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=Example.com;',
    '\ts=mail2026; h=from:to; bh=x; b=y',
    'Subject: x',
    '',
  ].join('\r\n')
  expect(findDkimSelectors(raw, 'example.com')).toEqual(['mail2026'])
})
