import { describe, expect, test } from 'vitest'
import { nextRetryAt, decideOutcome, type Outcome } from './outcome.ts'
import { droppedBefore, refusedBy, type SmtpResult, type SmtpStage } from '../../platform/mail/smtp-result.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
const fresh = { attempts: 0, firstAttemptAt: null, now }

function refusal(stage: SmtpStage, answer: string): SmtpResult {
  const refused = refusedBy(stage, answer)
  if (refused === null) throw new Error(`Not a refusal: ${answer}`)
  return refused
}

function answered(stage: SmtpStage, answer: string): Outcome {
  return decideOutcome(refusal(stage, answer), fresh)
}

const bounces: [SmtpStage, string, 'hard' | 'soft' | 'block'][] = [
  ['rcpt', '550 5.1.1 The email account that you tried to reach does not exist', 'hard'],
  ['rcpt', '550 No such user here', 'hard'],
  ['rcpt', '550 5.7.1 <x@y.test>: Recipient address rejected: User unknown in virtual mailbox table', 'hard'],
  ['rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', 'hard'],
  ['rcpt', '551 5.1.6 User has moved', 'hard'],
  ['rcpt', '550 5.2.1 The email account that you tried to reach is disabled', 'hard'],
  ['rcpt', '556 5.1.10 Domain does not accept mail (nullMX)', 'hard'],
  ['rcpt', '550 Requested action not taken', 'hard'],
  ['rcpt', '552 5.2.2 Mailbox full', 'soft'],
  ['rcpt', '550 5.2.2 user is over quota', 'soft'],
  ['end', '552 5.3.4 Message too big for system', 'soft'],
  ['end', '554 5.7.1 Message rejected as spam', 'block'],
  ['end', '550 5.7.1 Unauthenticated email is not accepted due to domain DMARC policy', 'block'],
  [
    'rcpt',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    'soft',
  ],
  ['rcpt', '550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus', 'block'],
  ['rcpt', '554 5.7.1 Access denied', 'block'],
  ['end', '550 Rejected', 'block'],
]

describe('an SMTP reply', () => {
  test.each(bounces)('at %s "%s" is a %s bounce', (stage, answer, type) => {
    expect(answered(stage, answer)).toMatchObject({ kind: 'bounced', type })
  })

  test.each<[SmtpStage, string]>([
    ['rcpt', '451 4.7.1 Greylisted, try again in 300 seconds'],
    ['rcpt', '450 4.2.0 Greylisting in action'],
    ['rcpt', '451 4.7.1 Please try again later'],
    ['end', '451 4.3.0 Temporary failure'],
    ['mail', '421 4.3.2 Service shutting down'],
    [
      'rcpt',
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    ],
    ['rcpt', '452 4.2.2 The email account that you tried to reach is over quota'],
  ])('at %s "%s" is retried after five minutes', (stage, answer) => {
    expect(answered(stage, answer)).toMatchObject({ kind: 'retry', at: new Date('2026-03-02T10:05:00.000Z') })
  })

  test.each<[string, boolean]>([
    ['421 4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume', true],
    ['451 4.7.500 Server busy. Please try again later from [192.0.2.1]', true],
    ['451 4.7.1 Message deferred because of the reputation of its sender', true],
    ['451 4.7.1 Greylisted, try again in 300 seconds', false],
    ['451 4.7.1 Try again later', false],
    ['450 4.7.0 Graylisting in action', false],
    ['451 4.3.0 Temporary failure', false],
    ['451 Please wait', false],
  ])('"%s" is by policy: %s', (answer, byPolicy) => {
    expect(answered('end', answer)).toMatchObject({ kind: 'retry', byPolicy })
  })

  test.each<[SmtpStage, string]>([
    ['end', '550 5.4.5 Daily user sending limit exceeded'],
    ['mail', '421 4.7.28 Gmail has detected an unusual rate'],
    ['rcpt', '452 4.5.3 Too many recipients'],
    ['mail', '421 4.5.3 Too many'],
    ['rcpt', '550 You have exceeded your hourly sending limit'],
    ['end', '554 5.2.0 Submission quota exceeded: too many messages'],
    ['end', '451 You have reached the limit of 100 messages per hour'],
  ])('at %s "%s" holds the mailbox, not the lead', (stage, answer) =>
    expect(answered(stage, answer).kind).toBe('sender_held'),
  )

  test.each<[SmtpStage, string, string]>([
    ['auth', '535 5.7.8 Username and Password not accepted', 'auth_required'],
    ['mail', '530 5.7.0 Authentication Required', 'auth_required'],
    ['auth', '454 4.7.0 Temporary authentication failure', 'connection_error'],
    ['connect', '554 5.7.1 No SMTP service here', 'connection_error'],
    ['connect', '421 4.3.2 busy', 'connection_error'],
    ['mail', '550 5.7.60 SendAsDenied', 'blocked'],
    ['mail', '550 5.1.8 Sender address rejected', 'connection_error'],
    ['rcpt', '554 5.7.1 <x@y.test>: Relay access denied', 'auth_required'],
  ])('at %s "%s" is the sender\'s failure: %s', (stage, answer, status) => {
    expect(answered(stage, answer)).toMatchObject({ kind: 'sender_failed', status })
  })

  test("a connection that fails before MAIL is the sender's failure; one that drops later is retried", () => {
    expect(decideOutcome(droppedBefore('connect', 'closed', 'ECONNREFUSED'), fresh).kind).toBe('sender_failed')
    expect(decideOutcome(droppedBefore('data', 'closed', 'reset'), fresh).kind).toBe('retry')
  })

  test('a missing reply to the end of the message is uncertain, whatever the error', () => {
    expect(decideOutcome({ ...droppedBefore('end', 'closed', 'ECONNECTION'), terminatorSent: true }, fresh).kind).toBe(
      'uncertain',
    )
  })
})

test('retries wait 5, 15, 30, 60, 120 minutes, then 4 hours, and end after 48 hours as a soft bounce', () => {
  const waits: number[] = []
  let at = now
  for (let attempts = 0; ; attempts++) {
    const next = nextRetryAt({ attempts, firstAttemptAt: now, now: at })
    if (next === null) {
      expect(decideOutcome(refusal('rcpt', '451 later'), { attempts, firstAttemptAt: now, now: at })).toMatchObject({
        kind: 'bounced',
        type: 'soft',
      })
      break
    }
    waits.push((next.getTime() - at.getTime()) / 60_000)
    at = next
  }
  expect(waits.slice(0, 7)).toEqual([5, 15, 30, 60, 120, 240, 240])
  expect(at.getTime() - now.getTime()).toBeGreaterThan(44 * 3_600_000)
  expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(48 * 3_600_000)
})
