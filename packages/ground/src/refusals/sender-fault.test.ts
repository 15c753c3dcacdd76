import { describe, expect, test } from 'vitest'
import { isRecipientRate, toReturnedBecause, senderFaultIn } from './sender-fault.ts'

/** Reads `550 5.7.1 text` into its parts. */
function faultOf(answer: string) {
  const match = /^(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(answer)
  return senderFaultIn({ code: match ? Number(match[1]) : null, status: match?.[2] ?? null, text: answer })
}

const quota = { reason: 'quota', action: 'hold', scope: 'account' }
const blocked = { reason: 'blocked', action: 'block', scope: 'account' }
const login = { reason: 'login', action: 'sign_in', scope: 'account' }
const tenantLimit = { reason: 'tenant-limit', action: 'hold', scope: 'tenant' }
const authentication = { reason: 'authentication', action: 'hold', scope: 'account' }

const cases: [string, object][] = [
  ['554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message', quota],
  ['550 5.1.90 Your message can’t be sent because you’ve reached your daily limit for message recipients', quota],
  ['550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to', quota],
  ['550-5.4.5 Daily user sending\n550 5.4.5 limit exceeded', quota],
  ['421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address', quota],
  ['You have reached a limit for sending mail. Your message was not sent.', quota],
  [
    '554 5.2.2 mailbox full; STOREDRV.Submission.Exception:ShutoffQuotaExceededException.MapiExceptionShutoffQuotaExceeded',
    { reason: 'mailbox', action: 'block', scope: 'account' },
  ],
  ['554 5.2.252 SendAsDenied; ada@here.example not allowed to send as bo@here.example', blocked],
  ['550 5.1.8 Access denied, bad outbound sender AS(42004)', blocked],
  ['550 5.7.705 Access denied, tenant has exceeded threshold', { ...blocked, scope: 'tenant' }],
  ['550 5.7.232 Your message can’t be sent because your trial tenant has exceeded its daily limit', tenantLimit],
  [
    '550 5.7.233 Your message can’t be sent because your tenant exceeded its daily limit for sending email to external recipients',
    tenantLimit,
  ],
  ['550 5.7.236 Message from onmicrosoft.com rejected', tenantLimit],
  [
    '550 5.7.1 Daily SMTP relay limit exceeded for customer. For more information, contact your administrator',
    tenantLimit,
  ],
  [
    '432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending',
    { reason: 'connections', action: 'retry', scope: 'account' },
  ],
  [
    '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded',
    { reason: 'connections', action: 'retry', scope: 'account' },
  ],
  ['535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.', login],
  ['550 5.7.30 Basic authentication is not supported for Client Submission', login],
  ['530 5.7.57 Client not authenticated to send mail', login],
  ['534 5.7.9 Application-specific password required', login],
  [
    '550 5.7.515 Access denied, sending domain here.example does not meet the required authentication level',
    authentication,
  ],
  ['550 5.7.26 Your email has been blocked because the sender is unauthenticated.', authentication],
]

describe("the sender's fault", () => {
  test.each(cases)('%s', (answer, expected) => {
    expect(faultOf(answer)).toMatchObject(expected)
  })

  test.each([
    '552 5.2.2 The email account that you tried to reach is over quota',
    '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:StorageTransientException; Failed to process message',
    '554 5.2.0 STOREDRV.Deliver; SubmissionQuotaExceeded of the recipient',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
    '550 5.4.5 The recipient has exceeded the daily limit of the mailbox',
    '550 5.7.1 The recipient policy rejects mail of unknown senders',
    '550 5.1.8 <ada@here.example>: Sender address rejected: Domain not found',
    '550 5.1.1 User unknown',
    '554 5.7.1 Message rejected as spam',
    '452 4.2.2 The recipient exceeded the sending quota of its mailbox',
    "550 5.4.5 The user's daily receiving limit has been exceeded",
    '550 5.4.5 The daily incoming message limit of this user is reached',
    '550 5.7.1 You are not allowed to send as many messages to this group',
  ])('is not found in "%s"', (answer) => {
    expect(faultOf(answer)).toBeNull()
  })

  test('always has one or two sentences of advice', () => {
    for (const [answer] of cases) expect(faultOf(answer)?.advice).toMatch(/^[A-Z][^\n]{20,140}\.$/)
  })

  test('uses the reasons of the contract', () => {
    expect(cases.map(([answer]) => toReturnedBecause(faultOf(answer)!.reason))).toEqual(
      expect.arrayContaining(['sender_limit', 'sender_blocked', 'sender_authentication', 'sender_mailbox']),
    )
    expect(toReturnedBecause('mailbox')).toBe('sender_mailbox')
  })

  test('a limit on mail to the recipient is recognised in any line of the reply', () => {
    expect(
      isRecipientRate('550-5.2.1 The user you are trying to contact is receiving\n550 5.2.1 mail at a rate that'),
    ).toBe(true)
    expect(isRecipientRate('550 5.4.5 Daily user sending limit exceeded')).toBe(false)
  })
})
