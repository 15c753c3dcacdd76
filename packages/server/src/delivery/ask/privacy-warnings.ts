import type { Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { PreflightWarning } from '@overture/contract/delivery/preflight.ts'
import { needsNotice } from '../../templates/privacy-notice.ts'
import type { AccountFooter } from '../write/compose.ts'
import { toCountryCode } from '@overture/ground/country-code.ts'

/** Countries whose authority requires consent before opens are tracked: CNIL 2026-042 in France, Garante 284/2026 in Italy. */
const consentCountries = ['FR', 'IT']
const names = new Intl.DisplayNames(['en'], { type: 'region' })

/** The leads with the same text as their country. */
export interface LeadsOfCountry {
  country: string | null
  /** Leads that did not agree to tracking. */
  unasked: number
  /** Leads that get their first message and whose data has no source. */
  unsourced: number
}

/** Whether the campaign tracks opens of leads that did not agree. */
export function tracksWithoutConsent({ openTracking, tracking, textOnly }: Settings): boolean {
  return openTracking && tracking === 'on' && !textOnly
}

/** Warns of each country whose leads need to agree before their opens are tracked. */
export function consentWarnings(leads: readonly LeadsOfCountry[]): PreflightWarning[] {
  return consentCountries.flatMap((code) => {
    const count = leads.reduce((sum, one) => (toCountryCode(one.country) === code ? sum + one.unasked : sum), 0)
    if (count === 0) return []
    const those = count === 1 ? '1 lead' : `${count} leads`
    const message =
      `Opens of ${those} in ${names.of(code)} are tracked without their consent, which the law there requires. ` +
      'Track only leads that agreed, or turn open tracking off.'
    return [{ code: 'tracking_consent', message, ref: code, count }]
  })
}

/** Warns if a privacy notice lacks the contact, the page or the source that it should name. */
export function noticeWarnings(
  form: Settings['privacyNotice'],
  leads: readonly LeadsOfCountry[],
  { privacyContact, privacyUrl }: Pick<AccountFooter, 'privacyContact' | 'privacyUrl'>,
): PreflightWarning[] {
  if (form === 'off') return []
  const warnings: PreflightWarning[] = []
  const add = (ref: string, message: string, count: number | null) =>
    warnings.push({ code: 'privacy_notice', message, ref, count })
  if (form === 'link' && privacyUrl === null)
    add('privacyUrl', 'The privacy notice has no link. Add the page with your privacy policy to the account.', null)
  if (form === 'text' && privacyContact === null)
    add('privacyContact', 'The privacy notice names no contact. Add one to the account.', null)
  const count = leads.reduce((sum, { country, unsourced }) => (needsNotice(country) ? sum + unsourced : sum), 0)
  const have = count === 1 ? '1 lead has' : `${count} leads have`
  if (count > 0) add('dataSource', `${have} no source of the data, so the privacy notice can't name it.`, count)
  return warnings
}
