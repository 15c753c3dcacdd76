import { expect, test } from 'vitest'
import { senderWarnings } from './sender-warnings.ts'

const now = new Date('2026-11-26T09:00:00.000Z')
const smtp = (host: string) => ({ host, port: 587, security: 'starttls' as const, username: 'ada@example.com' })
const sender = {
  email: 'ada@example.com',
  provider: 'smtp' as const,
  smtp: smtp('smtp.example.com'),
  imap: null,
  statusReason: null,
  tenantConnectionId: null,
}
const codes = (changes: object, options: { at?: Date; secretExpiresOn?: string } = {}) =>
  senderWarnings(
    { ...sender, ...changes },
    { now: options.at ?? now, secretExpiresOn: options.secretExpiresOn ?? null },
  ).map(({ code }) => code)

test.each([
  ['its own server', {}, []],
  ['a password at Microsoft', { smtp: smtp('smtp.office365.com') }, ['password_login_ends']],
  ['a password at Outlook', { smtp: smtp('smtp-mail.outlook.com') }, ['password_login_ends']],
  ['a password at Google', { smtp: smtp('smtp.gmail.com') }, []],
  ['OAuth at Microsoft', { provider: 'microsoft', smtp: smtp('smtp.office365.com') }, []],
  ['a first domain of Microsoft', { email: 'ada@contoso.onmicrosoft.com' }, ['onmicrosoft_domain']],
  ['a domain that only looks like it', { email: 'ada@notonmicrosoft.com' }, []],
  ['a login without encryption', { imap: { ...smtp('imap.example.com'), security: 'none' } }, ['login_unencrypted']],
  ['one on the machine itself', { smtp: { ...smtp('127.0.0.1'), security: 'none' } }, []],
  ['a server without a login', { smtp: { ...smtp('smtp.example.com'), security: 'none', username: null } }, []],
  ['a refused client secret', { provider: 'google', statusReason: 'ask_operator' }, ['client_secret_refused']],
])('%s', (_name, changes, expected) => expect(codes(changes)).toEqual(expected))

test('warns Microsoft accounts thirty days before the client secret expires', () => {
  const at = (secretExpiresOn: string) => codes({ provider: 'microsoft' }, { secretExpiresOn })
  expect([at('2026-12-27'), at('2026-12-26'), at('2026-11-01')]).toEqual([
    [],
    ['client_secret_expires'],
    ['client_secret_expires'],
  ])
  expect(codes({ provider: 'google' }, { secretExpiresOn: '2026-11-01' })).toEqual([])
})

test('announces the end of password logins, and afterwards states it', () => {
  const message = (at: string) =>
    senderWarnings({ ...sender, smtp: smtp('smtp.office365.com') }, { now: new Date(at), secretExpiresOn: null })[0]
      ?.message
  expect(message('2026-12-31T23:59:59.999Z')).toContain('from the end of December 2026')
  expect(message('2027-01-01T00:00:00.000Z')).toContain('Since the end of December 2026')
})
