import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '@overture/contract/errors.ts'
import type { UpdateSendingAccountInput } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { passwordLogins, type SenderSecrets } from './sender-servers.ts'
import { changedSender, newSender, type Sender } from './sending-account.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
const email = 'ada@example.com'
const strength = { none: 0, starttls: 1, tls: 2 }

const part = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined })
const server = {
  host: part(fc.constantFrom('mail.example.com', 'MAIL.example.com', 'thief.test', '192.0.2.7')),
  port: part(fc.constantFrom(25, 465, 587, 993)),
  security: part(fc.constantFrom('tls' as const, 'starttls' as const, 'none' as const)),
  username: part(fc.constantFrom('ada@example.com', 'other@example.com', null)),
  // A password that the caller knows, never a stored one.
  password: part(fc.constant('known to the caller')),
}
const change: fc.Arbitrary<UpdateSendingAccountInput> = fc
  .record({
    smtp: part(fc.record(server)),
    imap: part(fc.option(fc.record({ ...server, sentFolder: part(fc.constantFrom('Sent', null)) }))),
    email: part(fc.constantFrom('ada@example.com', 'new@example.com')),
    fromName: part(fc.constant('Ada')),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as UpdateSendingAccountInput)

const first = fc.record({
  security: fc.constantFrom('tls' as const, 'starttls' as const, 'none' as const),
  imap: fc.constantFrom('none', 'own password', 'the password for sending'),
})

function made({ security, imap }: { security: 'tls' | 'starttls' | 'none'; imap: string }) {
  const { settings, secrets } = newSender(
    {
      email,
      provider: 'smtp',
      smtp: { host: 'mail.example.com', port: 587, security, username: email, password: 'secret for sending' },
      ...(imap === 'none'
        ? {}
        : {
            imap: {
              host: 'mail.example.com',
              port: 993,
              security,
              username: email,
              ...(imap === 'own password' ? { password: 'secret for reading' } : {}),
            },
          }),
    },
    { environment: 'live', accountTimezone: 'UTC', providerServers: null, tenantConnectionId: null, now },
  )
  return { sender: { ...settings, provider: 'smtp' } as Sender, secrets }
}

/** All servers that would get a stored password, with the security used. */
function placesOf(sender: Sender, secrets: SenderSecrets) {
  const logins = passwordLogins(sender, secrets)
  return (['smtp', 'imap'] as const).flatMap((side) => {
    const [at, login] = [sender[side], logins[side]]
    if (at === null || login === null || !login.password.startsWith('secret')) return []
    return [{ side, ...login, host: at.host, port: at.port, security: at.security }]
  })
}

test('no sequence of changes sends a stored password to a new server', () => {
  fc.assert(
    fc.property(first, fc.array(change, { minLength: 1, maxLength: 5 }), (options, changes) => {
      let { sender, secrets } = made(options)
      const places = placesOf(sender, secrets)
      for (const input of changes) {
        try {
          const next = changedSender(sender, secrets, input, now)
          sender = { ...sender, ...next.settings }
          secrets = next.secrets
        } catch (error) {
          if (!(error instanceof AppError)) throw error
        }
        for (const { security, ...place } of placesOf(sender, secrets)) {
          const before = places.find((one) => one.side === place.side)
          expect(before).toMatchObject(place)
          expect(strength[security]).toBeGreaterThanOrEqual(strength[before?.security ?? 'tls'])
        }
      }
    }),
    { numRuns: 5_000 },
  )
})

test("a change that doesn't affect a password needs no password", () => {
  const harmless = fc.record(
    {
      smtp: fc.constantFrom(
        {},
        { host: 'MAIL.example.com' },
        { security: 'tls' as const },
        { port: 587, username: email },
      ),
      imap: fc.constantFrom({}, { sentFolder: 'Sent' }, { host: 'mail.example.com', port: 993 }),
      fromName: fc.constant('Ada'),
      dailyLimit: fc.constant(10),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(harmless, (input) => {
      const { sender, secrets } = made({ security: 'starttls', imap: 'own password' })
      const changed = changedSender(sender, secrets, input as UpdateSendingAccountInput, now)
      expect(changed.secrets).toEqual(secrets)
    }),
  )
})
