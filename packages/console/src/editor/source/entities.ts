const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot ' +
  'cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
  'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ' +
  'ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const latinFrom = 0xa0
const others = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '€',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  bull: '•',
  trade: '™',
}
const named = new Map([
  ...latin.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(latinFrom + index)]),
  ...Object.entries(others),
])

/** A brace could become Liquid, and some numbers mean other characters or none. */
const strange = /[{}%\p{Cc}\p{Co}\p{Cs}]/u
const codePointMax = 0x10_ff_ff

/** The character of `&name;` or `&#number;`, or null if the editor does not know it. */
export function decodeEntity(entity: string): string | null {
  const number = /^#(?:(\d+)|[xX]([\da-fA-F]+))$/.exec(entity)
  if (number === null) return named.get(entity) ?? null
  const code = number[1] === undefined ? Number.parseInt(number[2]!, 16) : Number(number[1])
  if (code > codePointMax) return null
  const character = String.fromCodePoint(code)
  return strange.test(character) ? null : character
}
