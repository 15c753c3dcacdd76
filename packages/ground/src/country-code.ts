/** Languages in which the names of countries are recognised. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const

/** Names that the platform's tables lack, in the form of `normalised`. */
const aliases: Readonly<Record<string, string>> = {
  america: 'US',
  brasil: 'BR',
  'czech republic': 'CZ',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'ivory coast': 'CI',
  korea: 'KR',
  macedonia: 'MK',
  'northern ireland': 'GB',
  'republic of ireland': 'IE',
  'republic of korea': 'KR',
  'russian federation': 'RU',
  scotland: 'GB',
  swaziland: 'SZ',
  turkey: 'TR',
  uae: 'AE',
  'u s': 'US',
  'u s a': 'US',
  'united states of america': 'US',
  usa: 'US',
  'u k': 'GB',
  'viet nam': 'VN',
  wales: 'GB',
}

let known: ReadonlyMap<string, string> | null = null

/** The ISO 3166 code of a country that is given as a code or as a name in a common language. Null if it is unknown. */
export function toCountryCode(country: string | null): string | null {
  if (country === null) return null
  known ??= codesByName()
  return known.get(normalised(country)) ?? null
}

function codesByName(): Map<string, string> {
  const codes = allCodes()
  const byName = new Map(Object.entries(aliases))
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
      for (const code of codes) {
        const name = normalised(names.of(code) ?? '')
        if (name !== '' && !byName.has(name)) byName.set(name, code)
      }
    }
  for (const code of codes) byName.set(code.toLowerCase(), code)
  byName.set('uk', 'GB')
  return byName
}

/** The codes in use. Codes of former countries and of groups of countries are left out. */
function allCodes(): string[] {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const isInUse = (code: string): boolean =>
    names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code && !groups.includes(code)
  return letters.flatMap((first) => letters.map((second) => first + second)).filter(isInUse)
}

/** The European Union, the euro area, the United Nations, and regions for tests. */
const groups: readonly string[] = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

function normalised(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
