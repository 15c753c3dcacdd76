import type {
  CompanySearchResultPage,
  PersonSearchResultPage,
  RevealedField,
  SearchCompaniesInput,
  SearchPeopleInput,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

const stale = () => [['billing'], ['account']]

/** Searching costs, so it is an action: nothing is spent by looking at a page. */
export function useFindPeople() {
  return useAction<SearchPeopleInput, PersonSearchResultPage>({
    act: (api, body) => api.leadFinder.searchPeople(body),
    stale,
  })
}

export function useFindCompanies() {
  return useAction<SearchCompaniesInput, CompanySearchResultPage>({
    act: (api, body) => api.leadFinder.searchCompanies(body),
    stale,
  })
}

export function useReveal() {
  return useAction<string, RevealedField>({
    act: (api, personId) => api.leadFinder.reveal({ personId, field: 'email' }),
    stale,
  })
}

export function useBalance(): number | undefined {
  return useReading({ key: ['billing', 'balance'], read: (api) => api.billing.get() }).data?.balance
}

export function usePrices() {
  return useReading({ key: ['billing', 'prices'], read: (api) => api.billing.prices() })
}
