import { defaultSettings } from '@overture/contract/campaigns/campaigns.ts'
import { describe, expect, test } from 'vitest'
import { consentWarnings, noticeWarnings, tracksWithoutConsent } from './privacy-warnings.ts'

const ofCountry = (country: string | null, unasked: number, unsourced = 0) => ({ country, unasked, unsourced })

describe('consentWarnings', () => {
  test('adds the leads of a country up, whatever name or code they have', () => {
    const unasked = [
      ofCountry('France', 2),
      ofCountry('fr', 1),
      ofCountry('Italia', 1),
      ofCountry('Germany', 7),
      ofCountry('Atlantis', 9),
      ofCountry(null, 5),
    ]
    expect(consentWarnings(unasked)).toEqual([
      { code: 'tracking_consent', ref: 'FR', count: 3, message: expect.stringContaining('3 leads in France') },
      { code: 'tracking_consent', ref: 'IT', count: 1, message: expect.stringContaining('1 lead in Italy') },
    ])
  })

  test('is silent without such leads', () => expect(consentWarnings([ofCountry('DE', 3)])).toEqual([]))
})

test.each([
  [{ openTracking: true }, true],
  [{ openTracking: false }, false],
  [{ openTracking: true, tracking: 'by_consent' as const }, false],
  [{ openTracking: true, tracking: 'off' as const }, false],
  // A message without HTML has no pixel.
  [{ openTracking: true, textOnly: true }, false],
])('with %o opens are tracked without consent: %s', (settings, tracks) => {
  expect(tracksWithoutConsent({ ...defaultSettings, ...settings })).toBe(tracks)
})

describe('noticeWarnings', () => {
  const nothing = { privacyContact: null, privacyUrl: null }
  const refs = (...asked: Parameters<typeof noticeWarnings>) => noticeWarnings(...asked).map(({ ref }) => ref)

  test('names what the form of the notice lacks', () => {
    expect(refs('link', [], nothing)).toEqual(['privacyUrl'])
    expect(refs('text', [], nothing)).toEqual(['privacyContact'])
    expect(refs('off', [ofCountry('FR', 0, 4)], nothing)).toEqual([])
    expect(refs('link', [], { ...nothing, privacyUrl: 'https://example.com/' })).toEqual([])
    expect(refs('text', [], { ...nothing, privacyContact: 'privacy@example.com' })).toEqual([])
  })

  test('counts leads without a source where a notice is due or the country is unknown', () => {
    const leads = [ofCountry('FR', 0, 2), ofCountry('US', 0, 4), ofCountry(null, 0, 1), ofCountry('GB', 0, 1)]
    const known = { privacyContact: 'privacy@example.com', privacyUrl: 'https://example.com/' }
    expect(noticeWarnings('text', leads, known)).toEqual([
      { code: 'privacy_notice', ref: 'dataSource', count: 4, message: expect.stringContaining('4 leads have') },
    ])
  })
})
