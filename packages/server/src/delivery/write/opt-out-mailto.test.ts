import { expect, test } from 'vitest'
import { optOutMailto, readAddressToken, signAddressToken } from './opt-out-mailto.ts'

const token = 'a.led_01abcdefghjkmnpq12.AAAAAAAAAAAAAAAAAAAAAA'
const link = 'https://out.test/u/acc.live.x.y'
const plain = 'mailto:eve@sender.test?subject=unsubscribe%20acc.live.x.y'
const tagged = `mailto:eve+${token}@sender.test?subject=unsubscribe%20acc.live.x.y`

test.each([
  [{ email: 'eve@sender.test', provider: 'google' as const }, tagged],
  [{ email: 'eve@sender.test', provider: 'microsoft' as const }, tagged],
  [{ email: 'eve@sender.test', provider: 'smtp' as const, smtpHost: 'smtp.gmail.com' }, tagged],
  [{ email: 'eve@sender.test', provider: 'smtp' as const, smtpHost: 'SMTP.office365.com' }, tagged],
  [{ email: 'eve@sender.test', provider: 'smtp' as const, smtpHost: 'mail.sender.test' }, plain],
  [{ email: 'eve@sender.test', provider: 'smtp' as const, smtpHost: 'smtp.gmail.com.evil.test' }, plain],
  [{ email: 'eve@sender.test' }, plain],
])('puts the token into the address only for providers with plus addresses: %o', (sender, mailto) => {
  expect(optOutMailto(sender, link, token)).toBe(mailto)
})

test.each(['eve+sales@sender.test', `${'e'.repeat(20)}@sender.test`])('leaves the address %s unchanged', (email) => {
  expect(optOutMailto({ email, provider: 'google' }, link, token)).toContain(`mailto:${email}?`)
})

test('reads the lead from an address token only', () => {
  const sign = (purpose: string, fields: readonly string[]) => [purpose, ...fields].join('.')
  const verify = (purpose: string, text: string) => (text.startsWith(`${purpose}.`) ? text.split('.').slice(1) : null)
  expect(readAddressToken(verify, signAddressToken(sign, 'led_1'))).toBe('led_1')
  for (const text of ['open.a.led_1', 'unsubscribe.b.led_1', 'unsubscribe.acc.live.cmp.led.stp', ''])
    expect(readAddressToken(verify, text)).toBeNull()
})
