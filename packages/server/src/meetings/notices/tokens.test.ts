import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { newId } from '../../platform/ids.ts'
import { optOutUrl } from '../../delivery/write/opt-out-link.ts'
import { createManageUrl, createMeetingUrl, readBookingToken, type Links } from './tokens.ts'

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)]
const linksOf = (...keys: string[]): Links => ({ config: { publicUrl: '' }, secrets: createSecrets(keys) })
const links = linksOf(first)
const idOf = (prefix: string) => fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{18}$/).map((digits) => `${prefix}_${digits}`)
const tenant = fc.record({ accountId: idOf('acc'), environment: fc.constantFrom('live' as const, 'test' as const) })
const tokenIn = (path: string): string => path.slice('/b/'.length)

test('a booking link is read with its content, also after the key was replaced, and not with another key', () => {
  fc.assert(
    fc.property(tenant, idOf('led'), idOf('mtg'), (given, leadId, meetingId) => {
      const lead = tokenIn(createMeetingUrl(links, given, { leadId }))
      const meeting = tokenIn(createManageUrl(links, given, meetingId))
      for (const reader of [links, linksOf(second, first)]) {
        expect(readBookingToken(reader, lead)).toEqual({ kind: 'lead', tenant: given, leadId })
        expect(readBookingToken(reader, meeting)).toEqual({ kind: 'meeting', tenant: given, meetingId })
      }
      expect(readBookingToken(linksOf(second), lead)).toBe(null)
    }),
  )
})

test('a booking link with one changed, missing or added character is invalid', () => {
  fc.assert(
    fc.property(
      tenant,
      idOf('led'),
      fc.nat(),
      fc.constantFrom('A', 'b', '0', '-', '.', ''),
      (given, leadId, at, character) => {
        const text = tokenIn(createMeetingUrl(links, given, { leadId }))
        const place = at % text.length
        fc.pre(text[place] !== character)
        expect(readBookingToken(links, text.slice(0, place) + character + text.slice(place + 1))).toBe(null)
        if (character !== '')
          expect(readBookingToken(links, text.slice(0, place) + character + text.slice(place))).toBe(null)
      },
    ),
  )
})

test('the path of a booking link has 54 characters, fewer than the path of an opt-out link', () => {
  const given = { accountId: newId('acc'), environment: 'live' as const }
  const lengths = [
    createMeetingUrl(links, given, { leadId: newId('led') }).length,
    createManageUrl(links, given, newId('mtg')).length,
  ]
  expect(lengths).toEqual([54, 54])
  expect(optOutUrl(links.secrets, '', { ...given, leadId: newId('led'), email: 'a@b.test' }).length).toBeGreaterThan(54)
})

test('a lead whose id is not packed books on the page of the account', () => {
  const given = { accountId: newId('acc'), environment: 'live' as const }
  const url = createMeetingUrl(links, given, { leadId: 'led_imported' })
  expect(url).toMatch(/^\/book\/[\w-]+$/)
  expect(url).not.toContain('led_imported')
})
