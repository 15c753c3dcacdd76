import { describe, expect, test } from 'vitest'
import { readBouncer, readNeverBounce, readZeroBounce } from './mailbox-replies.ts'

const later = { kind: 'later' }

function summary(reply: ReturnType<typeof readBouncer>): unknown {
  return reply.kind === 'later' ? 'later' : [reply.verdict.result, ...reply.verdict.reasons]
}

test.each([
  [{ status: 'valid', sub_status: '' }, ['deliverable']],
  [{ status: 'invalid', sub_status: 'mailbox_not_found' }, ['undeliverable', 'mailbox_not_found']],
  [{ status: 'invalid', sub_status: 'no_dns_entries' }, ['undeliverable', 'no_mx']],
  [{ status: 'invalid', sub_status: 'constructor' }, ['undeliverable']],
  [{ status: 'catch-all', sub_status: '' }, ['risky', 'catch_all']],
  [{ status: 'do_not_mail', sub_status: 'role_based_catch_all' }, ['risky', 'role', 'catch_all']],
  [{ status: 'spamtrap', sub_status: '' }, ['risky']],
  [{ status: 'unknown', sub_status: 'greylisted' }, 'later'],
  [{ error: 'Invalid API key or your account ran out of credits' }, 'later'],
])('ZeroBounce: %j is %j', (body, expected) => expect(summary(readZeroBounce(body))).toEqual(expected))

test.each([
  [{ status: 'success', result: 'valid', flags: ['has_dns', 'free_email_host'] }, ['deliverable', 'free_mail']],
  [{ status: 'success', result: 'invalid', flags: ['has_dns'] }, ['undeliverable', 'mailbox_not_found']],
  [{ status: 'success', result: 'invalid', flags: ['bad_dns'] }, ['undeliverable', 'no_mx']],
  [{ status: 'success', result: 'catchall', flags: ['accepts_all'] }, ['risky', 'catch_all']],
  [{ status: 'success', result: 'disposable', flags: 'none' }, ['risky', 'disposable']],
  [{ status: 'success', result: 'unknown', flags: [] }, 'later'],
  [{ status: 'throttle_triggered', message: 'Too many requests' }, 'later'],
  [{ status: 'auth_failure', message: 'Invalid API key', result: 'valid' }, 'later'],
])('NeverBounce: %j is %j', (body, expected) => expect(summary(readNeverBounce(body))).toEqual(expected))

test.each([
  [{ status: 'deliverable', reason: 'accepted_email' }, ['deliverable']],
  [{ status: 'undeliverable', reason: 'rejected_email' }, ['undeliverable', 'mailbox_not_found']],
  [
    { status: 'risky', reason: 'low_deliverability', domain: { acceptAll: 'yes' }, account: { fullMailbox: 'yes' } },
    ['risky', 'catch_all', 'mailbox_full'],
  ],
  [{ status: 'unknown', reason: 'timeout' }, 'later'],
  [{ status: 7, domain: 'x' }, 'later'],
])('Bouncer: %j is %j', (body, expected) => expect(summary(readBouncer(body))).toEqual(expected))

describe('a suggestion', () => {
  test('is an address, or nothing', () => {
    const suggested = (given: unknown) => readZeroBounce({ status: 'invalid', did_you_mean: given })
    expect(suggested('Ada@Gmail.com')).toMatchObject({ verdict: { suggestion: 'ada@gmail.com' } })
    for (const given of [null, '', 'gmail', 7])
      expect(suggested(given)).toMatchObject({ verdict: { suggestion: null } })
    expect(readZeroBounce({})).toEqual(later)
  })
})
