export interface NormalizedAddress {
  /** Lower case, with the domain in ASCII (IDNA). Addresses are compared by this form. */
  email: string
  domain: string
}

/** The host of a URL that is then set to another name. If the name is not valid, the URL keeps this host. */
const unchanged = 'unchanged.invalid'

/**
 * Normalizes an address. Addresses are compared in this form, and it is stored next to the form given. Source: docs/contract.md, "Leads".
 */
export function normalizeEmail(given: string): NormalizedAddress {
  const visible = withoutInvisible(given).trim()
  const at = visible.lastIndexOf('@')
  // A text without a local part never equals an address.
  if (at === -1) return { email: foldLocalPart(visible), domain: '' }
  const domain = normalizeDomain(withoutComments(visible.slice(at + 1)))
  return { email: `${foldLocalPart(plainLocalPart(visible.slice(0, at)))}@${domain}`, domain }
}

const plainCharacters = String.raw`[^\s@"(),:;<>[\]\\]`
const plainLocal = new RegExp(`^${plainCharacters}{1,64}$`, 'u')
const writable = new RegExp(String.raw`^(?:${plainCharacters}{1,64}|"[^"\\<>]{1,62}")@${plainCharacters}{1,255}$`, 'u')

/**
 * Whether mail can be sent to this address. Comments, routes, several addresses and invisible characters are refused, because a mail
 * server may read another address in them than `normalizeEmail` compares.
 */
export function isWritable(address: string): boolean {
  return writable.test(address) && invisibleCharacterIn(address) === null && writable.test(address.normalize('NFKC'))
}

// RFC 5322 has several spellings of a local part: with a route, comments, or quotes that are not needed.
function plainLocalPart(given: string): string {
  if (!/["(:]/.test(given)) return given
  const local = given.replace(/^@[^:]*:/, '').trim()
  const bare = quotedText.test(local) ? local : withoutComments(local).trim()
  const quoted = quotedText.exec(bare)?.[1]?.replaceAll(/\\(.)/gsu, '$1')
  if (quoted === undefined) return bare
  return plainLocal.test(quoted) ? quoted : `"${quoted}"`
}

const quotedText = /^"((?:[^"\\]|\\.)*)"$/su

const commentDepthMax = 10

function withoutComments(text: string): string {
  let bare = text
  for (let depth = 0; depth < commentDepthMax && bare.includes('('); depth++) bare = bare.replaceAll(/\([^()]*\)/g, '')
  return bare
}

export function normalizeDomain(given: string): string {
  const lower = withoutInvisible(given).trim().toLowerCase().replace(/\.$/, '')
  return domainToAscii(lower) || lower
}

/**
 * Characters that are not visible: controls, format characters, unassigned and private ones, line and paragraph separators, Hangul fillers,
 * variation selectors and the blank Braille pattern. Two addresses that differ only in these characters look the same.
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
 * Folds the local part as mail systems with SMTPUTF8 compare it. Compatibility forms (full-width letters, ligatures) become the usual
 * letters, and case does not count. The second NFKC composes the letters that the change of case decomposed.
 */
function foldLocalPart(local: string): string {
  const folded = local.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
  return withoutInvisible(folded)
}

// `URL` is the only IDNA implementation that browsers have too. Returns the empty string if the name is not a valid host name.
function domainToAscii(name: string): string {
  const url = new URL(`ws://${unchanged}`)
  url.hostname = name
  return url.hostname === unchanged && name !== unchanged ? '' : url.hostname
}
