import { matchesPlace, normalisePlace, type Place, type PlacePattern } from './location.ts'

/** The places of a segment by each of their names: what a location filter takes is looked up, not searched for. */
export class PlaceIndex {
  readonly places: Place[]
  private readonly byCity = new Map<string, number[]>()
  private readonly byState = new Map<string, number[]>()
  private readonly byCountry = new Map<string, number[]>()

  constructor(written: readonly Place[]) {
    this.places = written.map(normalisePlace)
    this.places.forEach((place, code) => {
      push(this.byCity, place.city, code)
      push(this.byState, place.state, code)
      push(this.byCountry, place.country, code)
    })
  }

  /** Codes of the places that match any of the patterns. */
  codes(patterns: readonly PlacePattern[]): Set<number> {
    const found = new Set<number>()
    for (const pattern of patterns) {
      for (const code of this.candidates(pattern)) {
        if (matchesPlace(this.places[code]!, pattern)) found.add(code)
      }
    }
    return found
  }

  /** 1 for every code that matches. */
  table(patterns: readonly PlacePattern[]): Uint8Array {
    const table = new Uint8Array(this.places.length)
    for (const code of this.codes(patterns)) table[code] = 1
    return table
  }

  private candidates({ city, state, country }: PlacePattern): readonly number[] {
    if (city !== null) return this.byCity.get(city) ?? []
    if (state !== null) return this.byState.get(state) ?? []
    return this.byCountry.get(country ?? '') ?? []
  }
}

/** The levels of a place as a dictionary holds them. */
export function splitPlace(text: string): Place {
  const [city = '', state = '', country = ''] = text.split('\t')
  return { city, state, country }
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
