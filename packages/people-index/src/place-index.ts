import { isCountry, matchesPlace, normalisePlace, type Place, type PlacePattern } from './records/location.ts'

interface Location {
  countries: number[]
  codes: number[]
  passes: (place: number) => boolean
}

/** The places of a segment by each of their names, so that a location filter needs no search. */
export class PlaceIndex {
  readonly places: Place[]
  /** The number of countries, and the country code of each place. */
  readonly countries: number
  readonly countryByPlace: Uint32Array
  readonly #codeByCountry: Map<string, number>
  readonly #byCity = new Map<string, number[]>()
  readonly #byState = new Map<string, number[]>()
  readonly #byCountry = new Map<string, number[]>()

  constructor(written: readonly Place[]) {
    this.places = written.map(normalisePlace)
    this.places.forEach((place, code) => {
      push(this.#byCity, place.city, code)
      push(this.#byState, place.state, code)
      push(this.#byCountry, place.country, code)
    })
    this.#codeByCountry = new Map([...this.#byCountry.keys()].map((name, code) => [name, code]))
    this.countries = this.#codeByCountry.size
    this.countryByPlace = Uint32Array.from(this.places, (place) => this.#codeByCountry.get(place.country)!)
  }

  /** The matches of any of the patterns: whole countries by their codes, and other places by theirs. */
  split(patterns: readonly PlacePattern[]): Location {
    const countryByPlace = this.countryByPlace
    const whole = new Uint8Array(this.countries)
    for (const { country } of patterns.filter(isCountry)) {
      const code = this.#codeByCountry.get(country ?? '')
      if (code !== undefined) whole[code] = 1
    }
    const places = new Uint8Array(this.places.length)
    const codes: number[] = []
    for (const pattern of patterns) {
      if (isCountry(pattern)) continue
      for (const code of this.#candidates(pattern)) {
        if (places[code] === 1 || !matchesPlace(this.places[code]!, pattern)) continue
        places[code] = 1
        if (whole[countryByPlace[code]!] === 0) codes.push(code)
      }
    }
    return {
      countries: [...whole.keys()].filter((code) => whole[code] === 1),
      codes,
      passes: (code) => places[code] === 1 || whole[countryByPlace[code]!] === 1,
    }
  }

  /** The codes of the places that match any of the patterns. */
  codes(patterns: readonly PlacePattern[]): Set<number> {
    const found = new Set<number>()
    for (const pattern of patterns) {
      for (const code of this.#candidates(pattern)) {
        if (matchesPlace(this.places[code]!, pattern)) found.add(code)
      }
    }
    return found
  }

  #candidates({ city, state, country }: PlacePattern): readonly number[] {
    if (city !== null) return this.#byCity.get(city) ?? []
    if (state !== null) return this.#byState.get(state) ?? []
    return this.#byCountry.get(country ?? '') ?? []
  }
}

/** The levels of a place from a dictionary entry. */
export function splitPlace(text: string): Place {
  const [city = '', state = '', country = ''] = text.split('\t')
  return { city, state, country }
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
