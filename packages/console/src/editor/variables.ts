/** Variables of every lead, sender and message. Some may have no value. */
export const knownVariables = [
  'firstName',
  'lastName',
  'jobTitle',
  'company',
  'companyDomain',
  'city',
  'country',
  'email',
  'linkedinUrl',
  'mobile',
  'sender.fromName',
  'sender.email',
  'unsubscribeUrl',
  'meetingUrl',
] as const

const folded = (name: string): string => name.replaceAll('_', '').toLowerCase()
const taken: ReadonlySet<string> = new Set([...knownVariables, 'timezone', 'sender', 'customVariables'].map(folded))
const root = 'customVariables.'

/**
 * The name of a custom variable as the editor inserts it. It has no prefix if the name is a plain word and every other variable of leads
 * has another name.
 */
export function insertedName(variable: string): string {
  if (!variable.startsWith(root)) return variable
  const name = variable.slice(root.length)
  return /^[a-z]\w*$/i.test(name) && !taken.has(folded(name)) ? name : variable
}
