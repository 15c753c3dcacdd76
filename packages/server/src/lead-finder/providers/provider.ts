import { isObject } from '@overture/ground/json/object.ts'
import type {
  CompanySearchInput,
  CompanySearchResult,
  PersonSearchInput,
  PersonSearchResult,
  RevealField,
} from '@overture/contract/lead-finder/lead-finder.ts'

export interface ProviderPage<Result> {
  results: Result[]
  totalCount: number
}

export type ProviderReveal = { outcome: 'found'; value: string } | { outcome: 'none' } | { outcome: 'unknown_person' }

export type ProviderCall = 'search' | 'reveal_email' | 'reveal_mobile'

/** A licensed database over HTTP. Our id of a person is the provider's id with the provider's name in front. Throws ProviderError. */
export interface LeadProvider {
  name: 'prospeo' | 'pdl' | 'apollo'
  /** Filters on people that the provider has no field for. A search with one of them is refused instead of ignoring it. */
  cannotFilter: readonly (keyof PersonSearchInput)[]
  /** Values that the provider does not return in its answer. Revealing one is refused without a call. */
  cannotReveal: readonly RevealField[]
  /**
   * The largest number of units of the monthly provider budget that a call takes. Further pages on the way to the requested one
   * are charged separately.
   */
  countUnits(call: ProviderCall): number
  searchPeople(input: PersonSearchInput): Promise<ProviderPage<PersonSearchResult>>
  searchCompanies(input: CompanySearchInput): Promise<ProviderPage<CompanySearchResult>>
  reveal(personId: string, field: RevealField): Promise<ProviderReveal>
}

/** The provider failed, refused our key or is exhausted. The caller gets 503 and is not charged. */
export class ProviderError extends Error {
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.name = 'ProviderError'
    this.status = status
  }
}

/** Ids contain the provider's name, so that after a change of the provider an old id can't reveal another person. */
export function ownId(provider: string, id: string): string {
  return `${provider}:${id}`
}

// No provider has longer ids. Calls cost money, so a longer id is refused without one.
const idLengthMax = 200

/** Null if the id is not one of this provider's. */
export function providerId(provider: string, id: string): string | null {
  return id.length <= idLengthMax && id.startsWith(`${provider}:`) ? id.slice(provider.length + 1) : null
}

/** A nested object of an answer. Empty if it is missing, since providers leave out unknown values. */
export function objectAt(value: unknown, name: string): Record<string, unknown> {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export function textAt(value: unknown, ...names: string[]): string {
  for (const name of names) {
    const found = isObject(value) ? value[name] : undefined
    if (typeof found === 'string' && found !== '') return found
  }
  return ''
}

export function numberAt(value: unknown, ...names: string[]): number | null {
  for (const name of names) {
    const found = isObject(value) ? value[name] : undefined
    if (typeof found === 'number' && Number.isFinite(found)) return found
  }
  return null
}

/** A list that an answer must have. Throws ProviderError if it is missing, since that doesn't mean no results. */
export function neededList(value: unknown, ...names: string[]): unknown[] {
  for (const name of names) {
    const found = isObject(value) ? value[name] : undefined
    if (Array.isArray(found)) return found
  }
  throw new ProviderError('an answer of another form', null)
}

export function listAt(value: unknown, name: string): unknown[] {
  const found = isObject(value) ? value[name] : undefined
  return Array.isArray(found) ? found : []
}
