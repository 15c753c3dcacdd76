import type { Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { PreflightWarning } from '@overture/contract/delivery/preflight.ts'
import { countryCodeOf } from '@overture/ground/country-code.ts'

/** Countries whose authority requires consent before opens are tracked: CNIL 2026-042 in France, Garante 284/2026 in Italy. */
const consentCountries = ['FR', 'IT']
const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** The leads without consent that gave the same country. */
export interface UnaskedLeads {
  country: string
  count: number
}

/** Whether the campaign tracks opens of leads that did not agree. */
export function tracksWithoutConsent({ openTracking, tracking, textOnly }: Settings): boolean {
  return openTracking && tracking === 'on' && !textOnly
}

/** Warns of each country whose leads need to agree before their opens are tracked. */
export function consentWarnings(unasked: readonly UnaskedLeads[]): PreflightWarning[] {
  return consentCountries.flatMap((code) => {
    const count = unasked.reduce((sum, one) => (countryCodeOf(one.country) === code ? sum + one.count : sum), 0)
    if (count === 0) return []
    const leads = count === 1 ? '1 lead' : `${count} leads`
    const message =
      `Opens of ${leads} in ${names.of(code)} are tracked without their consent, which the law there requires. ` +
      'Track only leads that agreed, or turn open tracking off.'
    return [{ code: 'tracking_consent', message, ref: code, count }]
  })
}
