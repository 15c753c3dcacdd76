import { unnamedAccount } from './account.ts'

/** The name of a sender for recipients: person, company or both. Null if neither has a name. */
export function senderName(names: { person: string | null; company: string | null }): string | null {
  const person = names.person?.trim() ?? ''
  const company = names.company === unnamedAccount ? '' : (names.company?.trim() ?? '')
  if (person === '' || company === '' || person === company) return person || company || null
  return `${person} (${company})`
}
