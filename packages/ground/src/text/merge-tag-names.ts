const nameMax = 64

/**
 * Returns one name for a column and the tag that uses it, however each is written: `First Name`, `first_name` and `firstName` are the same.
 * Letters that templates can't have in a name are replaced by their numbers.
 */
export function variableName(written: string): string {
  const plain = written.normalize('NFKD').replaceAll(/\p{Mark}/gu, '')
  const words = (/[A-Za-z0-9]/.test(plain) ? plain : extractNumbers(plain))
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word))
  const [first = '', ...rest] = words
  const joined = [lowerFirst(first), ...rest.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('')
  const name = /^[A-Za-z]/.test(joined) ? joined : `v${joined}`
  return name.slice(0, nameMax)
}

/** Lead fields by the names that the products give to them. */
const fields: Readonly<Record<string, string>> = {
  email: 'email',
  emailAddress: 'email',
  leadEmail: 'email',
  firstName: 'firstName',
  fname: 'firstName',
  lastName: 'lastName',
  lname: 'lastName',
  company: 'company',
  companyName: 'company',
  companyDomain: 'companyDomain',
  companyUrl: 'companyDomain',
  companyWebsite: 'companyDomain',
  website: 'companyDomain',
  phone: 'mobile',
  phoneNumber: 'mobile',
  mobile: 'mobile',
  linkedin: 'linkedinUrl',
  linkedinUrl: 'linkedinUrl',
  linkedinProfile: 'linkedinUrl',
  linkedInUrl: 'linkedinUrl',
  jobTitle: 'jobTitle',
  title: 'jobTitle',
  country: 'country',
  city: 'city',
  timezone: 'timezone',
}

/** The lead field for a column or tag of that name, or null if it is a custom variable. */
export function findField(written: string): string | null {
  const name = variableName(written)
  return Object.hasOwn(fields, name) ? fields[name]! : null
}

function extractNumbers(text: string): string {
  const letters = text.match(/[\p{Letter}\p{Number}]/gu) ?? []
  return letters.map((letter) => letter.codePointAt(0)!.toString(16)).join('')
}

function lowerFirst(word: string): string {
  return word.slice(0, 1).toLowerCase() + word.slice(1)
}
