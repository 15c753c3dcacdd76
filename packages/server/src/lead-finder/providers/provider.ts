import { isObject } from '../../ground/json/object.ts'
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

/** A licensed database over HTTP. Its person ids are ours without the provider's prefix. Throws ProviderError. */
export interface LeadProvider {
  name: 'prospeo' | 'pdl' | 'apollo'
  /** Filters on people that it has no field for: a search that asks for one is refused, not answered without it. */
  cannotFilter: readonly (keyof PersonSearchInput)[]
  /** What a call takes of the monthly provider budget at most; further pages that it walks over are taken as it goes. */
  unitsOf(call: ProviderCall): number
  searchPeople(input: PersonSearchInput): Promise<ProviderPage<PersonSearchResult>>
  searchCompanies(input: CompanySearchInput): Promise<ProviderPage<CompanySearchResult>>
  reveal(personId: string, field: RevealField): Promise<ProviderReveal>
}

/** The provider's trouble, its refusal of our key or its own exhaustion: 503 to the caller, nothing charged. */
export class ProviderError extends Error {
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.name = 'ProviderError'
    this.status = status
  }
}

/** Ids of a provider's people carry its name, so that a change of provider can't reveal somebody else. */
export function ownId(provider: string, id: string): string {
  return `${provider}:${id}`
}

// No provider's id is longer. Asking costs, so nobody is asked about one that can't be.
const idLengthMax = 200

/** Null when the id is not one of this provider's. */
export function providerId(provider: string, id: string): string | null {
  return id.length <= idLengthMax && id.startsWith(`${provider}:`) ? id.slice(provider.length + 1) : null
}

/** A nested object of an answer, empty where it is missing: providers leave out what they do not know. */
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

/** A list that an answer has to have. Throws ProviderError: an answer without it is not one of no results. */
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
