import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import {
  startProviderSmtp,
  type ProviderSmtp,
  type ProviderSmtpOptions,
} from '@overture/testing/mail/provider-smtp.server.ts'
import { gmail, microsoft, type ProviderWords } from '@overture/testing/mail/provider-words.ts'
import { loopback } from '@overture/testing/mail/reach.ts'
import { bearerMechanism, bearerResponse } from './bearer-login.ts'
import { openMailbox } from './imap-session.client.ts'
import type { MailAuth, MailSecurity, SmtpConnectOptions } from './smtp-connect.client.ts'
import { openSmtpSession } from './smtp-session.client.ts'

const user = 'ada@example.com'
const accessToken = 'ya29.a0-token~with+every/sign='
const patientMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }
const providers: [string, ProviderWords][] = [
  ['Gmail', gmail],
  ['Microsoft', microsoft],
]
let double: ProviderSmtp

afterEach(() => double?.stop())

function target(auth: MailAuth, security: MailSecurity = 'starttls'): SmtpConnectOptions {
  return { host: '127.0.0.1', port: double.port, security, auth, timeoutsMs: patientMs, reach: loopback }
}

async function start(options: ProviderSmtpOptions): Promise<void> {
  double = await startProviderSmtp({ tokens: { [user]: accessToken }, ...options })
}

const bearer = (token = accessToken): MailAuth => ({ kind: 'xoauth2', username: user, accessToken: token })

describe.each(providers)('SMTP at %s', (_name, words) => {
  test.each(['starttls', 'tls'] as const)('logs in by XOAUTH2 over %s and sends', async (security) => {
    await start({ words, security })
    const opened = await openSmtpSession(target(bearer(), security))
    if (opened.kind !== 'open') throw new Error(JSON.stringify(opened))
    const result = await opened.session.send({
      envelope: { from: user, to: ['bob@prospects.test'] },
      raw: Buffer.from('Subject: Hello\r\n\r\nHi'),
      gate: () => Promise.resolve(true),
    })
    await opened.session.close()
    expect(result).toMatchObject({ kind: 'accepted', answer: words.smtp.accepted })
    expect(double.mechanisms).toEqual(['XOAUTH2'])
  })

  test("reports an expired token with the server's text", async () => {
    await start({ words })
    const opened = await openSmtpSession(target(bearer('expired')))
    expect(opened).toMatchObject({ kind: 'refused', stage: 'auth', code: 535 })
    expect(double.mechanisms).toEqual(['XOAUTH2'])
  })

  test('never sends the token to a server without token login', async () => {
    const ehloSecured = words.smtp.ehloSecured.map((line) => (line.startsWith('AUTH') ? 'AUTH LOGIN PLAIN' : line))
    await start({ words, ehloSecured })
    const opened = await openSmtpSession(target(bearer()))
    expect(opened).toMatchObject({ kind: 'dropped', stage: 'auth', reason: 'protocol' })
    expect(double.mechanisms).toEqual([])
  })

  test('logs in by OAUTHBEARER if only that is offered', async () => {
    const ehloSecured = words.smtp.ehloSecured.map((line) =>
      line.startsWith('AUTH') ? 'AUTH PLAIN OAUTHBEARER' : line,
    )
    await start({ words, ehloSecured })
    const opened = await openSmtpSession(target(bearer()))
    expect(opened.kind).toBe('open')
    if (opened.kind === 'open') await opened.session.close()
    expect((await openSmtpSession(target(bearer('expired')))).kind).toBe('refused')
    expect(double.mechanisms).toEqual(['OAUTHBEARER', 'OAUTHBEARER'])
  })

  test('still logs in with a password', async () => {
    await start({ words, passwords: { [user]: 'app password' } })
    const opened = await openSmtpSession(target({ kind: 'password', username: user, password: 'app password' }))
    expect(opened.kind).toBe('open')
    if (opened.kind === 'open') await opened.session.close()
    expect(['PLAIN', 'LOGIN']).toContain(double.mechanisms[0])
  })
})

test('the double fails a test that sends a token as a password', async () => {
  await start({ words: gmail })
  await openSmtpSession(target({ kind: 'password', username: user, password: accessToken }))
  await expect(double.stop()).rejects.toThrow('An access token was sent by PLAIN.')
  await start({ words: gmail })
})

describe.each(providers)('IMAP at %s', (_name, { imap }) => {
  const open = async (auth: MailAuth, passwords: Record<string, string> = {}) => {
    const server = await startImapDouble({ users: passwords, tokens: { [user]: accessToken }, words: imap })
    const opened = await openMailbox({
      host: '127.0.0.1',
      port: server.port,
      security: 'none',
      auth,
      connectTimeoutMs: 30_000,
      reach: loopback,
    })
    if (opened.kind === 'open') await opened.mailbox.close()
    await server.stop()
    return { opened, mechanisms: server.mechanisms }
  }

  test('logs in with a token, never with a password mechanism', async () => {
    const { opened, mechanisms } = await open(bearer())
    expect(opened.kind).toBe('open')
    expect(mechanisms).toEqual([imap.capabilities.includes('AUTH=OAUTHBEARER') ? 'OAUTHBEARER' : 'XOAUTH2'])
  })

  test('reports an expired token as a refused login', async () => {
    const { opened } = await open(bearer('expired'))
    expect(opened).toMatchObject({ kind: 'refused', stage: 'auth' })
  })

  test('still logs in with a password', async () => {
    const { opened, mechanisms } = await open({ kind: 'password', username: user, password: 'app' }, { [user]: 'app' })
    expect([opened.kind, mechanisms]).toEqual(['open', ['PLAIN']])
  })
})

test('the mechanism is chosen by full names, in any order and case', () => {
  expect(bearerMechanism('250-host\n250-auth login xoauth2\n250 SIZE')).toBe('XOAUTH2')
  expect(bearerMechanism('250-host\n250 AUTH=PLAIN OAUTHBEARER')).toBe('OAUTHBEARER')
  expect(bearerMechanism('250-host\n250 AUTH PLAIN XOAUTH2-TEST XOAUTH')).toBeNull()
  expect(bearerMechanism('250-AUTH.XOAUTH2.example\n250 SIZE')).toBeNull()
  expect(bearerMechanism('')).toBeNull()
})

test('an initial response is one line that decodes to its fields', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.base64String(), (username, token) => {
      const login = { username, accessToken: token, host: 'smtp.example.com', port: 587 }
      const decode = (mechanism: 'XOAUTH2' | 'OAUTHBEARER') =>
        Buffer.from(bearerResponse({ mechanism, ...login }), 'base64')
          .toString()
          .split('\u0001')
      expect(decode('XOAUTH2')).toEqual([`user=${username}`, `auth=Bearer ${token}`, '', ''])
      expect(decode('OAUTHBEARER').slice(1)).toEqual([
        'host=smtp.example.com',
        'port=587',
        `auth=Bearer ${token}`,
        '',
        '',
      ])
    }),
  )
})
