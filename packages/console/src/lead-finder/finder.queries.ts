import type {
  CompanySearchResultPage,
  PersonSearchResultPage,
  RevealedField,
  SearchCompaniesInput,
  SearchPeopleInput,
} from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

const stale = () => [['billing'], ['account']]

/** A search costs credits, so it is an action: opening a page spends nothing. */
export function useFindPeople() {
  return useAction<SearchPeopleInput, PersonSearchResultPage>({
    act: (api, body) => api.leadFinder.searchPeople(body),
    stale,
    answerFirst: true,
  })
}

export function useFindCompanies() {
  return useAction<SearchCompaniesInput, CompanySearchResultPage>({
    act: (api, body) => api.leadFinder.searchCompanies(body),
    stale,
    answerFirst: true,
  })
}

export function useReveal() {
  return useAction<string, RevealedField>({
    act: (api, personId) => api.leadFinder.reveal({ personId, field: 'email' }),
    stale,
    answerFirst: true,
  })
}

export interface RevealRequest {
  people: readonly string[]
  /** Requests each address, and shows it as soon as the server knows it. Null means that the person has no address. */
  found: (personId: string, address: string | null) => void
}

/** Reveals the addresses of several people one after the other. What was revealed before an error stays revealed. */
export function useRevealSeveral() {
  return useAction<RevealRequest, void>({
    async act(api, { people, found }) {
      for (const personId of people) found(personId, (await api.leadFinder.reveal({ personId, field: 'email' })).value)
    },
    stale,
    answerFirst: true,
  })
}

export function useBalance(): number | undefined {
  return useReading({ key: ['billing', 'balance'], read: (api) => api.billing.get() }).data?.balance
}

export function usePrices() {
  return useReading({ key: ['billing', 'prices'], read: (api) => api.billing.prices() })
}

/**
 * Whether people can be searched here. The question starts the index of people while the user types; otherwise it starts with the first
 * search.
 */
export function useSearchReady(): boolean {
  const { error } = useReading({
    key: ['finder', 'ready'],
    read: (api) => api.leadFinder.suggest({ field: 'jobTitle', q: 'engineer' }),
    freshMs: Infinity,
  })
  return !(ApiError.is(error) && error.status === 503)
}
