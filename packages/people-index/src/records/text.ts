/** The length from which a word of a stored name can be found with a typing error, in every index. */
export const fuzzyLengthMin = 4

/** Converts to lower case without accents, with a single space for every run of other characters. `&` becomes "and". */
export function normalise(text: string): string {
  return fold(text)
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function words(text: string): string[] {
  const plain = normalise(text)
  return plain === '' ? [] : plain.split(' ')
}

const letters: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i', þ: 'th', ð: 'd' }

function fold(text: string): string {
  const plain = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.replace(/(?<=[a-z])['’](?=[a-z])/g, '')
  return plain
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßøłđæœıþð]/g, (letter) => letters[letter]!)
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
}

const fillers = new Set(['of', 'the', 'and', 'for', 'in', 'at', 'to', 'a', 'an'])

// Both sides are synonyms in a job title: a title with one of them is also found by the other, and its other words stay
// searchable.
const titleSynonyms: [string, string][] = [
  ['vp', 'vice president'],
  ['svp', 'senior vice president'],
  ['evp', 'executive vice president'],
  ['avp', 'assistant vice president'],
  ['ceo', 'chief executive officer'],
  ['cto', 'chief technology officer'],
  ['cto', 'chief technical officer'],
  ['cfo', 'chief financial officer'],
  ['cfo', 'chief finance officer'],
  ['cmo', 'chief marketing officer'],
  ['coo', 'chief operating officer'],
  ['coo', 'chief operations officer'],
  ['cio', 'chief information officer'],
  ['ciso', 'chief information security officer'],
  ['cro', 'chief revenue officer'],
  ['cpo', 'chief product officer'],
  ['cpo', 'chief people officer'],
  ['chro', 'chief human resources officer'],
  ['cso', 'chief strategy officer'],
  ['cdo', 'chief data officer'],
  ['hr', 'human resources'],
  ['it', 'information technology'],
  ['sr', 'senior'],
  ['jr', 'junior'],
  ['mgr', 'manager'],
  ['dir', 'director'],
  ['eng', 'engineer'],
  ['dev', 'developer'],
  ['sdr', 'sales development representative'],
  ['bdr', 'business development representative'],
  ['rep', 'representative'],
  ['qa', 'quality assurance'],
  ['ux', 'user experience'],
  ['ui', 'user interface'],
  ['ml', 'machine learning'],
  ['ai', 'artificial intelligence'],
  ['pr', 'public relations'],
  ['cofounder', 'co founder'],
  ['bizdev', 'business development'],
  ['asst', 'assistant'],
  ['assoc', 'associate'],
  ['admin', 'administrator'],
  ['swe', 'software engineer'],
  ['ops', 'operations'],
]
const synonyms = titleSynonyms.flatMap(([short, long]) => [
  { from: [short], to: long.split(' ') },
  { from: long.split(' '), to: [short] },
])
const synonymsByFirst = new Map<string, typeof synonyms>()
for (const entry of synonyms) {
  const first = entry.from[0]!
  synonymsByFirst.set(first, [...(synonymsByFirst.get(first) ?? []), entry])
}

/** The words of a searched title, which must all be found. */
export function titleQuery(title: string): string[] {
  return [
    ...new Set(
      words(title)
        .map(singular)
        .filter((word) => !fillers.has(word)),
    ),
  ]
}

/** The words by which a stored title is found: its own words and those of all their synonyms. */
export function titleTokens(title: string): string[] {
  const own = words(title)
    .map(singular)
    .filter((word) => !fillers.has(word))
  const found = new Set(own)
  for (let index = 0; index < own.length; index++) {
    for (const { from, to } of synonymsByFirst.get(own[index]!) ?? []) {
      if (from.every((word, offset) => own[index + offset] === word)) to.forEach((word) => found.add(word))
    }
  }
  // "SVP" was expanded to "senior vice president", which contains "vice president". So an "SVP" is also found as a "VP".
  if (found.has('vice') && found.has('president')) found.add('vp')
  return [...found]
}

// "engineers" finds "engineer". "sales", "business" and "operations" keep their s.
function singular(word: string): string {
  return /(?:er|or|ist|ant|ive|ect|ent)s$/.test(word) && word.length > 5 ? word.slice(0, -1) : word
}

const legalForms = new Set([
  'inc',
  'incorporated',
  'llc',
  'llp',
  'lp',
  'ltd',
  'limited',
  'plc',
  'corp',
  'corporation',
  'co',
  'company',
  'gmbh',
  'ag',
  'kg',
  'ohg',
  'ug',
  'se',
  'sa',
  'sas',
  'sarl',
  'srl',
  'spa',
  'sl',
  'slu',
  'bv',
  'nv',
  'ab',
  'as',
  'asa',
  'aps',
  'oy',
  'oyj',
  'pty',
  'pvt',
  'pte',
  'kk',
  'sro',
  'doo',
  'zrt',
  'kft',
  'ltda',
  'sp',
  'zoo',
  // The rest of "GmbH & Co. KG".
  'and',
  'holding',
  'holdings',
  'group',
])

/** The words of a company name without its legal form. Never empty if the name has words. */
export function companyWords(name: string): string[] {
  return companyNameParts(name).words
}

/** The words of a company name, and the words of its legal form that are long enough for a search with typing errors. */
export function companyNameParts(name: string): { words: string[]; longForms: string[] } {
  const all = words(name.replace(/\b(?:[a-z]\.){2,}/gi, (initials) => initials.replaceAll('.', '')))
  let end = all.length
  while (end > 1 && legalForms.has(all[end - 1]!)) end -= 1
  return { words: all.slice(0, end), longForms: all.slice(end).filter((word) => word.length >= fuzzyLengthMin) }
}

/** Whether two words differ by exactly one insertion, deletion, substitution or swap of neighbours. Allocates nothing. */
export function isOneEdit(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  const extra = long.length - short.length
  if (extra > 1) return false
  let start = 0
  while (start < short.length && short.charCodeAt(start) === long.charCodeAt(start)) start += 1
  if (start === long.length) return false
  let end = 0
  const rest = short.length - start
  while (end < rest && short.charCodeAt(short.length - 1 - end) === long.charCodeAt(long.length - 1 - end)) end += 1
  const different = rest - end
  if (extra === 1) return different === 0
  if (different === 1) return true
  return (
    different === 2 &&
    short.charCodeAt(start) === long.charCodeAt(start + 1) &&
    short.charCodeAt(start + 1) === long.charCodeAt(start)
  )
}

/** Converts `https://www.Acme.example/about` to `acme.example`. */
export function normaliseDomain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '')
}
