import { describe, expect, test } from 'vitest'
import { toCountryCode } from './country-code.ts'

describe('toCountryCode', () => {
  test.each([
    ['Germany', 'DE'],
    ['  germany ', 'DE'],
    ['DE', 'DE'],
    ['de', 'DE'],
    ['Deutschland', 'DE'],
    ['Österreich', 'AT'],
    ['osterreich', 'AT'],
    ['España', 'ES'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['United Kingdom', 'GB'],
    ['Great Britain', 'GB'],
    ['USA', 'US'],
    ['United States', 'US'],
    ['United States of America', 'US'],
    ['Czech Republic', 'CZ'],
    ['Czechia', 'CZ'],
    ['Côte d’Ivoire', 'CI'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['South Korea', 'KR'],
    ['Schweiz', 'CH'],
    ['Pays-Bas', 'NL'],
  ])('knows %s', (country, code) => expect(toCountryCode(country)).toBe(code))

  test.each([null, '', '  ', 'Atlantis', 'EU', 'European Union', 'DD', 'Bavaria', '12'])(
    'does not know %s',
    (country) => expect(toCountryCode(country)).toBeNull(),
  )
})
