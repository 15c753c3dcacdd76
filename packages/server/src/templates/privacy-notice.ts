import type { LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import { toCountryCode } from '@overture/ground/country-code.ts'
import { escapeHtml } from '@overture/ground/text/text-html.ts'

/** The European Economic Area, the United Kingdom and Switzerland. */
const noticeCountries: ReadonlySet<string> = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO GB CH'.split(' '),
)

/** The facts that a privacy notice names. A fact of null is left out. */
export interface PrivacyNotice {
  form: 'link' | 'text'
  /** The account, which decides about the data. */
  controller: string | null
  source: string | null
  basis: LeadProfile['lawfulBasis']
  contact: string | null
  url: string | null
}

/** Whether a person in this country gets a notice. A country that is null or not known gets one. */
export function needsNotice(country: string | null): boolean {
  const code = toCountryCode(country)
  return code === null || noticeCountries.has(code)
}

const bases: Record<NonNullable<PrivacyNotice['basis']>, string> = {
  consent: 'consent',
  contract: 'contract',
  legal_obligation: 'legal obligation',
  vital_interests: 'vital interests',
  public_task: 'public task',
  legitimate_interests: 'legitimate interests',
}

/** The notice for both parts of a message. Source: GDPR Art. 14. */
export function noticeParts(notice: PrivacyNotice): { text: string; html: string } {
  const sentences = notice.form === 'link' ? shortSentences(notice) : fullSentences(notice)
  const text = [...sentences, ...(notice.url === null ? [] : [`Privacy policy: ${notice.url}`])].join(' ')
  const link = notice.url === null ? [] : [`<a href="${escapeHtml(notice.url)}">Privacy policy</a>`]
  return { text, html: [...sentences.map(escapeHtml), ...link].join(' ') }
}

function shortSentences({ source, contact, url }: PrivacyNotice): string[] {
  const questions = url === null && contact !== null ? [`Questions about your data: ${contact}.`] : []
  return [...sourceSentence(source), ...questions]
}

function fullSentences({ controller, source, basis, contact }: PrivacyNotice): string[] {
  const names = controller === null ? 'We use' : `${controller} uses`
  const ground = basis === null ? '' : ` Legal basis: ${bases[basis]} (GDPR Art. 6).`
  const how = contact === null ? 'by replying' : `at ${contact}`
  return [
    `${names} your contact data to write to you about a business offer.${ground}`,
    ...sourceSentence(source),
    `You can object, or ask for access, correction or deletion ${how}. You can complain to a data protection authority.`,
  ]
}

function sourceSentence(source: string | null): string[] {
  return source === null || source.trim() === '' ? [] : [`We have your data from this source: ${source.trim()}.`]
}
