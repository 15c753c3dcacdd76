import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTokenAnswer } from './oauth.ts'

const unit = fc.oneof(
  fc.integer({ min: 0, max: 0x9f }),
  fc.integer({ min: 0xd800, max: 0xdfff }),
  fc.integer({ min: 0, max: 0xffff }),
)
const anything = fc.array(unit, { maxLength: 600 }).map((units) => String.fromCharCode(...units))

test('the reason of a refusal is text that can be stored', () => {
  fc.assert(
    fc.property(anything, anything, (error, description) => {
      const answer = readTokenAnswer('google', 400, { error, error_description: description })
      const message = answer.kind === 'token' ? '' : answer.message
      expect(message.isWellFormed()).toBe(true)
      expect(message.replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
      expect(message.length).toBeLessThanOrEqual(400)
    }),
  )
})

test("the organization is the tenant of Microsoft's issuer, except for private accounts", () => {
  const organizationOf = (iss: unknown, provider: 'microsoft' | 'google' = 'microsoft') => {
    const claims = Buffer.from(JSON.stringify({ iss, email: 'ada@example.com' })).toString('base64url')
    const answer = readTokenAnswer(provider, 200, { access_token: 'token', id_token: `e30.${claims}.sig` })
    return answer.kind === 'token' ? answer.organization : undefined
  }
  const tenant = '11111111-aaaa-4bbb-8ccc-0123456789ab'
  const issuer = (id: string) => `https://login.microsoftonline.com/${id}/v2.0`
  expect(organizationOf(issuer(tenant))).toBe(tenant)
  const others = [
    issuer('9188040d-6c67-4c5b-b112-36a304b66dad'),
    issuer('common'),
    'https://accounts.google.com',
    7,
    null,
  ]
  for (const iss of others) expect(organizationOf(iss)).toBe(null)
  expect(organizationOf(issuer(tenant), 'google')).toBe(null)
})

test("the mailbox's address is read from a valid email claim only", () => {
  const tokenOf = (claims: object) => ({
    access_token: 'token',
    id_token: `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`,
  })
  const emailOf = (claims: object) => {
    const answer = readTokenAnswer('google', 200, tokenOf(claims))
    return answer.kind === 'token' ? answer.email : undefined
  }
  expect(emailOf({ email: 'ada@example.com' })).toBe('ada@example.com')
  expect(emailOf({ email: 7, preferred_username: 'no address', upn: 'ada@example.com' })).toBe('ada@example.com')
  fc.assert(
    fc.property(anything, (noise) => {
      const email = emailOf({ email: `ada${noise}@example.com` })
      expect(email ?? '').not.toMatch(/[\p{Cc}\p{Cs}]/u)
    }),
  )
})
