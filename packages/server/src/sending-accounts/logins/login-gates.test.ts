import { afterAll, beforeAll, expect, test } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { changeableWords, imapRefusals, notConnected, smtpRefusals } from '@overture/testing/mail/login-words.ts'
import { startProviderSmtp, type ProviderSmtp } from '@overture/testing/mail/provider-smtp.server.ts'
import { gmail, microsoft } from '@overture/testing/mail/provider-words.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../index.ts'
import { closedGate } from './login-gates.ts'

/** Tests logins at servers that refuse them with texts of Microsoft and Google. */
const email = 'ada@example.com'
const smtpWords = changeableWords(gmail)
const imapWords = changeableWords(gmail)
const passwords: Record<string, string> = {}
let server: TestServer
let smtp: ProviderSmtp
let imap: ImapDouble
let id: string

beforeAll(async () => {
  smtp = await startProviderSmtp({ words: smtpWords, passwords })
  imap = await startImapDouble({ users: { [email]: 'a password' }, words: imapWords.imap })
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  const at = { host: '127.0.0.1', username: email, password: 'a password' }
  const body = {
    email,
    smtp: { ...at, port: smtp.port, security: 'starttls' },
    imap: { ...at, port: imap.port, security: 'none' },
  }
  id = (await server.call('POST', '/v2/sending-accounts', { key: server.keys.live, body })).body.id
})
afterAll(() => Promise.all([server, smtp, imap].map((one) => one.stop())))

interface Check {
  name: string
  ok: boolean
  message: string
  gate: string | null
  advice: string | null
}

const sender = async () => (await server.call('GET', `/v2/sending-accounts/${id}`, { key: server.keys.live })).body
async function failedCheck(): Promise<Check> {
  const { body } = await server.call('POST', `/v2/sending-accounts/${id}/verify`, { key: server.keys.live })
  const failed = (body.checks as Check[]).filter(({ ok }) => !ok)
  expect(failed).toHaveLength(1)
  return failed[0] as Check
}

test.each([
  ['tenant', 'tenant_smtp_auth', 'Set-TransportConfig -SmtpClientAuthenticationDisabled $false'],
  ['mailbox', 'mailbox_smtp_auth', 'Set-CASMailbox -Identity <address> -SmtpClientAuthenticationDisabled $false'],
  ['securityDefaults', 'security_defaults', 'security defaults off'],
  ['conditionalAccess', 'security_defaults', 'pass conditional access'],
  ['basicOff', 'password_login', 'Connect the mailbox with Microsoft'],
  ['basicGone', 'password_login', 'Connect the mailbox with Microsoft'],
  ['appPassword', 'app_password', 'Create an app password'],
  ['webLogin', 'web_login', 'Sign in to the mailbox in a browser'],
  ['wrongPassword', null, null],
  ['microsoft', null, null],
  ['gmail', null, null],
] as const)('a refused SMTP login (%s) names the gate %s', async (words, gate, advice) => {
  smtpWords.smtp.refused = smtpRefusals[words]
  const check = await failedCheck()
  expect(check).toMatchObject({ name: 'smtp_auth', gate })
  if (advice === null) expect(check.advice).toBeNull()
  else expect(check.advice).toContain(advice)
  expect(await sender()).toMatchObject({
    status: 'auth_required',
    lastError: expect.stringContaining(advice ?? 'SMTP'),
  })
})

test('the advice is stored even after a very long server text', async () => {
  smtpWords.smtp.refused = smtpRefusals.tenant.replace('[', `${'x'.repeat(900)} [`)
  await failedCheck()
  expect((await sender()).lastError).toContain('Set-TransportConfig -SmtpClientAuthenticationDisabled $false.')
})

test.each([
  ['domainOff', 'imap_disabled', 'Google Workspace administrator'],
  ['userOff', 'imap_disabled', 'settings of Gmail'],
  ['appPassword', 'app_password', 'Create an app password'],
  ['webLogin', 'web_login', 'Sign in to the mailbox in a browser'],
  ['gmail', null, null],
] as const)('a refused IMAP login (%s) names the gate %s', async (words, gate, advice) => {
  passwords[email] = 'a password'
  imapWords.imap.refused = imapRefusals[words]
  const known = await refusingImap(failedCheck)
  expect(known).toMatchObject({ name: 'imap_auth', gate })
  if (advice === null) expect(known.advice).toBeNull()
  else expect(known.advice).toContain(advice)
  expect(await sender()).toMatchObject({
    status: 'auth_required',
    lastError: expect.stringContaining(advice ?? 'IMAP'),
  })
})

test('a Microsoft mailbox without IMAP accepts the login and refuses each command', async () => {
  passwords[email] = 'a password'
  imapWords.imap.closed = notConnected
  const check = await failedCheck()
  delete imapWords.imap.closed
  expect(check).toMatchObject({
    name: 'imap_sent_folder',
    message: expect.stringContaining('User is authenticated but not connected.'),
    gate: 'imap_disabled',
    advice: expect.stringContaining('-ImapEnabled $true'),
  })
  expect(await sender()).toMatchObject({ status: 'auth_required' })
})

test('the general refusals of Microsoft name consent only for a token', () => {
  const smtpMessage = microsoft.smtp.refused
  const imapMessage = microsoft.imap.refused.replace('NO ', '')
  expect([closedGate('smtp', smtpMessage, 'token'), closedGate('imap', imapMessage, 'token')]).toMatchObject([
    { gate: 'consent' },
    { gate: 'consent' },
  ])
  expect([closedGate('smtp', smtpMessage, 'password'), closedGate('imap', imapMessage, 'password')]).toEqual([
    null,
    null,
  ])
})

/** Runs with a password that is right at SMTP and wrong at IMAP. */
async function refusingImap<Result>(run: () => Promise<Result>): Promise<Result> {
  const body = { imap: { password: 'another password' } }
  const put = await server.call('PUT', `/v2/sending-accounts/${id}`, { key: server.keys.live, body })
  expect(put.status, put.text).toBe(200)
  try {
    return await run()
  } finally {
    const back = { imap: { password: 'a password' } }
    await server.call('PUT', `/v2/sending-accounts/${id}`, { key: server.keys.live, body: back })
  }
}
