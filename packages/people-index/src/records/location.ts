import { normalise } from './text.ts'

/** A place as it is stored and shown. An unknown level is the empty string. */
export interface Place {
  city: string
  state: string
  country: string
}

/** Normalised names. Null matches any name. */
export interface PlacePattern {
  city: string | null
  state: string | null
  country: string | null
}

const countryAliases: Record<string, string> = {
  us: 'united states',
  usa: 'united states',
  'u s': 'united states',
  'u s a': 'united states',
  'united states of america': 'united states',
  america: 'united states',
  uk: 'united kingdom',
  'u k': 'united kingdom',
  gb: 'united kingdom',
  'great britain': 'united kingdom',
  uae: 'united arab emirates',
  holland: 'netherlands',
  'the netherlands': 'netherlands',
  deutschland: 'germany',
  espana: 'spain',
  brasil: 'brazil',
  'czech republic': 'czechia',
  'south korea': 'south korea',
  korea: 'south korea',
  'russian federation': 'russia',
  turkiye: 'turkey',
  'viet nam': 'vietnam',
}

const usStates: Record<string, string> = {
  al: 'alabama',
  ak: 'alaska',
  az: 'arizona',
  ar: 'arkansas',
  ca: 'california',
  co: 'colorado',
  ct: 'connecticut',
  de: 'delaware',
  fl: 'florida',
  ga: 'georgia',
  hi: 'hawaii',
  id: 'idaho',
  il: 'illinois',
  in: 'indiana',
  ia: 'iowa',
  ks: 'kansas',
  ky: 'kentucky',
  la: 'louisiana',
  me: 'maine',
  md: 'maryland',
  ma: 'massachusetts',
  mi: 'michigan',
  mn: 'minnesota',
  ms: 'mississippi',
  mo: 'missouri',
  mt: 'montana',
  ne: 'nebraska',
  nv: 'nevada',
  nh: 'new hampshire',
  nj: 'new jersey',
  nm: 'new mexico',
  ny: 'new york',
  nc: 'north carolina',
  nd: 'north dakota',
  oh: 'ohio',
  ok: 'oklahoma',
  or: 'oregon',
  pa: 'pennsylvania',
  ri: 'rhode island',
  sc: 'south carolina',
  sd: 'south dakota',
  tn: 'tennessee',
  tx: 'texas',
  ut: 'utah',
  vt: 'vermont',
  va: 'virginia',
  wa: 'washington',
  wv: 'west virginia',
  wi: 'wisconsin',
  wy: 'wyoming',
  dc: 'district of columbia',
}

const cityAliases: Record<string, string> = {
  nyc: 'new york city',
  sf: 'san francisco',
  la: 'los angeles',
  munchen: 'munich',
  koln: 'cologne',
  wien: 'vienna',
}

/**
 * The possible meanings of a written location: "City, State, Country", or only some of its levels ("Berlin", "California", "US",
 * "Paris, France"). A place matches if it matches any of the patterns.
 */
export function parseLocation(text: string): PlacePattern[] {
  const parts = text
    .split(',')
    .map(normalise)
    .filter((part) => part !== '')
  const [first, second, third] = parts
  if (first === undefined) return []
  if (second === undefined) {
    return [
      ...cities(first).map((city) => ({ city, state: null, country: null })),
      ...states(first).map((state) => ({ city: null, state, country: null })),
      ...countries(first).map((country) => ({ city: null, state: null, country })),
    ]
  }
  if (third === undefined) {
    return [
      ...product(cities(first), states(second), [null]),
      ...product(cities(first), [null], countries(second)),
      ...product([null], states(first), countries(second)),
    ]
  }
  return product(cities(first), states(parts.at(-2)!), countries(parts.at(-1)!))
}

/** The normalised form in which stored places are compared. */
export function normalisePlace(place: Place): { city: string; state: string; country: string } {
  const city = normalise(place.city)
  const country = normalise(place.country)
  return { city: cityAliases[city] ?? city, state: normalise(place.state), country: countryAliases[country] ?? country }
}

export function matchesPlace(place: { city: string; state: string; country: string }, pattern: PlacePattern): boolean {
  return (
    (pattern.city === null || pattern.city === place.city) &&
    (pattern.state === null || pattern.state === place.state) &&
    (pattern.country === null || pattern.country === place.country)
  )
}

/** Joins the known levels, as in "Berlin, Germany". */
export function printPlace(...levels: (string | null)[]): string {
  return levels.filter((level) => level !== null && level !== '').join(', ')
}

function cities(name: string): string[] {
  const known = cityAliases[name]
  if (known) return [name, known]
  return name === 'new york' ? [name, 'new york city'] : [name]
}

function states(name: string): string[] {
  const known = usStates[name]
  return known ? [name, known] : [name]
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

function countries(name: string): string[] {
  const known = countryAliases[name]
  if (known) return [known]
  if (!/^[a-z]{2}$/.test(name)) return [name]
  const written = regionNames.of(name.toUpperCase())
  return written && written.length > 2 ? [name, countryAliases[normalise(written)] ?? normalise(written)] : [name]
}

function product(
  cityNames: (string | null)[],
  stateNames: (string | null)[],
  countryNames: (string | null)[],
): PlacePattern[] {
  return cityNames.flatMap((city) =>
    stateNames.flatMap((state) => countryNames.map((country) => ({ city, state, country }))),
  )
}

/** Whether a pattern names a whole country. */
export function isCountry({ city, state, country }: PlacePattern): boolean {
  return city === null && state === null && country !== null
}
