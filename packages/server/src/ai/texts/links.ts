/**
 * The links of a text that the known texts don't have. Mail programs turn more than URLs into links. So a link is a URL of
 * any scheme, a domain, an address of mail, an IP address or a telephone link, also in HTML.
 */
export function foreignLinks(text: string, known: string): string[] {
  const given = findLinks(known).map(comparable)
  return findLinks(text).filter((link) => !isGiven(comparable(link), given))
}

// The characters at which mail programs end a link.
const end = String.raw`\s<>"')\]`
// A scheme needs `//` unless it is one of those that work without.
const schemed = new RegExp(
  String.raw`(?<![a-z0-9])(?:[a-z][a-z0-9+.-]{0,20}:[\\/]{2}|www\.|(?:mailto|tel|sms|callto|skype|whatsapp|javascript|vbscript|data|` +
    String.raw`file|intent|blob|https?|ftp):(?=[^${end}]))[^${end}]{1,2000}`,
  'gi',
)
// `//host` is a link with the scheme of its page.
const withoutScheme = new RegExp(String.raw`(?<![:\w\\/])[\\/]{2}[\p{L}\p{N}\[][^${end}]{1,500}`, 'giu')
const address = /[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){1,5}/giu
const ipAddress = new RegExp(String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])(?:[:/][^${end}]{0,500})?`, 'gi')
const bareDomain = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?:[\p{L}\p{N}_-]{1,63}\.){1,10}(?:xn--[a-z0-9-]{1,59}|\p{L}[\p{L}\p{M}]{1,62})(?![\p{L}\p{N}_-])` +
    String.raw`(?:[:/?#][^${end}]{0,500})?`,
  'giu',
)

/** Endings of names that look like domains and are none, such as `Node.js` or `offer.pdf`. */
const noEndings = new Set(
  'js ts jsx tsx css html htm json xml csv txt pdf doc docx xls xlsx ppt pptx png jpg jpeg gif'.split(' '),
)

function findLinks(source: string): string[] {
  let rest = asReaders(source)
  const found: string[] = []
  for (const pattern of [schemed, withoutScheme, address, ipAddress, bareDomain]) {
    rest = rest.replace(pattern, (match) => {
      if (pattern === bareDomain && !isDomain(match)) return match
      found.push(match)
      return ' '
    })
  }
  return found
}

function isDomain(match: string): boolean {
  const host = match.split(/[:/?#]/)[0] ?? ''
  return host !== match || !noEndings.has(host.slice(host.lastIndexOf('.') + 1).toLowerCase())
}

// The text as a mail program or a person reads it: wide letters, other full stops, entities of HTML, and dots in brackets.
function asReaders(source: string): string {
  return source
    .replace(/&#(\d{1,7});?|&#x([\da-f]{1,6});?/gi, (_match, decimal?: string, hex?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
    })
    .replace(/&(?:period|colon|sol|commat|bsol);/gi, (entity) => entities[entity.toLowerCase()] ?? ' ')
    .normalize('NFKC')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .replace(/\s?[[({](?:\.|dot)[\])}]\s?/gi, '.')
    .replace(/\bhxxp/gi, 'http')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

const entities: Readonly<Record<string, string>> = {
  '&period;': '.',
  '&colon;': ':',
  '&sol;': '/',
  '&commat;': '@',
  '&bsol;': '\\',
}

/** A normal form for comparing links: without scheme, `www.` and closing punctuation. */
function comparable(link: string): string {
  return link
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?…]+$/, '')
    .replace(/\/+$/, '')
}

// The site of a given page may be linked, but not a site whose name only begins the same.
function isGiven(link: string, known: readonly string[]): boolean {
  return known.some((given) => given === link || given.startsWith(`${link}/`) || given.endsWith(`@${link}`))
}
