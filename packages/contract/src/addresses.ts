export interface NormalizedAddress {
  /** Lower case, the domain in ASCII (IDNA): what addresses are compared by. */
  email: string
  domain: string
}

/** Some host to change the name of; a name that can't be one leaves it as it was. */
const unchanged = 'unchanged.invalid'

/** The one form in which addresses are compared and stored beside the form given. Source: docs/contract.md, "Leads". */
export function normalizeEmail(given: string): NormalizedAddress {
  const visible = withoutInvisible(given).trim()
  const at = visible.lastIndexOf('@')
  const domain = normalizeDomain(visible.slice(at + 1))
  return { email: `${foldLocalPart(visible.slice(0, at))}@${domain}`, domain }
}

export function normalizeDomain(given: string): string {
  const lower = withoutInvisible(given).trim().toLowerCase().replace(/\.$/, '')
  return domainToAscii(lower) || lower
}

/**
 * Characters that have no shape of their own: controls, format characters, unassigned and private ones, line and
 * paragraph separators, Hangul fillers, variation selectors and the blank Braille pattern. Two addresses that differ in
 * them look the same.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const invisibles = new RegExp(invisible.source, 'gu')

/** The first invisible character as `U+200B`; null if the text has none. */
export function invisibleCharacterIn(text: string): string | null {
  const found = invisible.exec(text)?.[0].codePointAt(0)
  return found === undefined ? null : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
}

function withoutInvisible(text: string): string {
  return text.replace(invisibles, '')
}

/**
 * The local part as mail systems with SMTPUTF8 compare it: compatibility forms (full-width letters, ligatures) are the
 * usual letters, and case does not count. The second NFKC composes what the change of case took apart.
 */
function foldLocalPart(local: string): string {
  const folded = local.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
  return withoutInvisible(folded)
}

// The one way to IDNA that browsers have too. The empty string for what is no name of a host.
function domainToAscii(name: string): string {
  const url = new URL(`ws://${unchanged}`)
  url.hostname = name
  return url.hostname === unchanged && name !== unchanged ? '' : url.hostname
}
