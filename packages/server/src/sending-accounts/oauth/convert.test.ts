import { expect, test } from 'vitest'
import { providerOfServers } from '@overture/contract/vocabularies.ts'

test.each([
  ['smtp.office365.com', 'microsoft'],
  ['smtp-mail.outlook.com', 'microsoft'],
  ['smtp.gmail.com', 'google'],
  ['smtp.example.com', null],
  ['notgmail.com', null],
  ['smtp.gmail.com.evil.example', null],
])('an account at %s belongs to %s', (host, provider) => {
  const smtp = { host, port: 587, security: 'starttls' as const, username: null }
  expect(providerOfServers({ provider: 'smtp', smtp })).toBe(provider)
})
