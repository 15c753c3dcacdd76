import { defaultSettings } from '@overture/contract/campaigns/campaigns.ts'
import { describe, expect, test } from 'vitest'
import { consentWarnings, tracksWithoutConsent } from './consent-warnings.ts'

describe('consentWarnings', () => {
  test('adds the leads of a country up, whatever name or code they have', () => {
    const unasked = [
      { country: 'France', count: 2 },
      { country: 'fr', count: 1 },
      { country: 'Italia', count: 1 },
      { country: 'Germany', count: 7 },
      { country: 'Atlantis', count: 9 },
    ]
    expect(consentWarnings(unasked)).toEqual([
      { code: 'tracking_consent', ref: 'FR', count: 3, message: expect.stringContaining('3 leads in France') },
      { code: 'tracking_consent', ref: 'IT', count: 1, message: expect.stringContaining('1 lead in Italy') },
    ])
  })

  test('is silent without such leads', () => expect(consentWarnings([{ country: 'DE', count: 3 }])).toEqual([]))
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
