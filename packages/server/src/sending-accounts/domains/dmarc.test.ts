import { describe, expect, test } from 'vitest'
import { discoverDmarc, dmarcDomains } from './dmarc.ts'
import { judgeDmarc } from './judge-dmarc.ts'
import type { Answer } from './dns-answer.ts'

/** The lookups of a domain in a zone that has the given records. */
function lookUp(domain: string, zone: Record<string, string | string[] | null>) {
  return dmarcDomains(domain).map((name) => {
    const values = zone[name]
    const answer: Answer =
      values === undefined
        ? { kind: 'none' }
        : values === null
          ? { kind: 'unknown', message: 'ETIMEOUT' }
          : { kind: 'found', values: [values].flat() }
    return { name, answer }
  })
}
const discover = (domain: string, zone: Record<string, string | string[] | null>) => discoverDmarc(lookUp(domain, zone))
const judge = (domain: string, zone: Record<string, string | string[] | null>) =>
  judgeDmarc(domain, lookUp(domain, zone))

describe('the walk of RFC 9989', () => {
  test('queries a long name eight times', () => {
    expect(dmarcDomains('a.b.c.d.e.f.g.h.i.j.mail.example.com')).toEqual([
      'a.b.c.d.e.f.g.h.i.j.mail.example.com',
      'g.h.i.j.mail.example.com',
      'h.i.j.mail.example.com',
      'i.j.mail.example.com',
      'j.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ])
  })

  test('queries a short name and each of its parents', () => {
    expect(dmarcDomains('a.mail.example.com')).toEqual(['a.mail.example.com', 'mail.example.com', 'example.com', 'com'])
  })

  test('reads the highest record as that of the organization', () => {
    const zone = { 'mail.example.com': 'v=DMARC1; p=reject', 'example.com': 'v=DMARC1; p=quarantine' }
    expect(discover('a.mail.example.com', zone)).toMatchObject({
      kind: 'found',
      at: 'example.com',
      applied: 'quarantine',
      organizationalDomain: 'example.com',
    })
  })

  test('reads the domain below a public suffix as the organization', () => {
    expect(discover('a.mail.example.com', { com: 'v=DMARC1; p=reject; psd=y' })).toMatchObject({
      at: 'com',
      applied: 'reject',
      organizationalDomain: 'example.com',
    })
  })

  test('ends at psd=n', () => {
    const zone = { 'mail.example.com': 'v=DMARC1; p=reject; psd=n', 'example.com': 'v=DMARC1; p=none' }
    expect(discover('a.mail.example.com', zone)).toMatchObject({
      at: 'mail.example.com',
      organizationalDomain: 'mail.example.com',
    })
  })
})

test.each<[string, string, string]>([
  ['p', 'v=DMARC1; p=reject; sp=none; np=quarantine', 'reject'],
  ['none without p', 'v=DMARC1; rua=mailto:x@example.com', 'none'],
  ['none with a faulty p', 'v=DMARC1; p=rejct', 'none'],
  ['p in another case', 'v=DMARC1;P=Reject', 'reject'],
  ['p whatever pct says', 'v=DMARC1; p=reject; pct=0', 'reject'],
])('the domain itself gets %s', (_name, record, applied) => {
  expect(discover('example.com', { 'example.com': record })).toMatchObject({ at: 'example.com', applied })
})

test.each<[string, string, string]>([
  ['sp', 'v=DMARC1; p=reject; sp=quarantine', 'quarantine'],
  ['p without sp, since np is for domains that do not exist', 'v=DMARC1; p=reject; np=none', 'reject'],
])('a subdomain gets %s', (_name, record, applied) => {
  expect(discover('mail.example.com', { 'example.com': record })).toMatchObject({ at: 'example.com', applied })
})

test.each<[string, Record<string, string | string[] | null>, string]>([
  ['is missing without a record', {}, 'missing'],
  ['passes with a policy', { 'example.com': 'v=DMARC1; p=reject; rua=mailto:x@example.com' }, 'pass'],
  ['passes with p=none', { 'example.com': 'v=DMARC1; p=none; rua=mailto:x@example.com' }, 'pass'],
  ['warns without p', { 'example.com': 'v=DMARC1; rua=mailto:x@example.com' }, 'warning'],
  ['is invalid with a faulty p', { 'example.com': 'v=DMARC1; p=rejct' }, 'invalid'],
  ['is invalid with two records', { 'example.com': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, 'invalid'],
  ['is invalid if v is written otherwise', { 'example.com': 'v=dmarc1; p=none' }, 'invalid'],
  ['is invalid if v is not first', { 'example.com': 'p=none; v=DMARC1' }, 'invalid'],
  ['ignores other records', { 'example.com': 'hello' }, 'missing'],
  ['warns of pct', { 'example.com': 'v=DMARC1; p=reject; pct=20' }, 'warning'],
  ['passes with pct=100', { 'example.com': 'v=DMARC1; p=reject; pct=100' }, 'pass'],
  ['is unknown without a response', { 'example.com': null }, 'unknown'],
  ['passes if only a parent gives no response', { 'example.com': 'v=DMARC1; p=reject', com: null }, 'pass'],
])('the DMARC check %s', (_name, zone, status) => {
  expect(judge('example.com', zone).status).toBe(status)
})

test('the record to publish keeps the other tags', () => {
  const put = (record: string) => judge('example.com', { 'example.com': record }).put?.value
  expect(put('v=DMARC1; rua=mailto:x@example.com')).toBe('v=DMARC1; p=none; rua=mailto:x@example.com')
  expect(put('v=DMARC1; p=rejct; adkim=s')).toBe('v=DMARC1; p=none; adkim=s')
  expect(put('v=DMARC1; p=reject; pct=20; ri=3600; aspf=s')).toBe('v=DMARC1; p=reject; aspf=s; t=y')
  expect(put('p=none; v=DMARC1')).toBe('v=DMARC1; p=none')
})

test('the message names the record of a parent and the test mode', () => {
  const zone = { 'example.com': 'v=DMARC1; p=reject; sp=quarantine; t=y; rua=mailto:x@example.com' }
  expect(judge('mail.example.com', zone).message).toBe(
    'DMARC is in place, by the record of example.com: receivers treat mail that fails as spam. The tag sp=quarantine sets the ' +
      'policy of subdomains. The tag t=y asks receivers not to apply it. Remove t=y when the reports show no problems.',
  )
})
