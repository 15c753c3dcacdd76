import type {
  CompanySearchResultPage,
  PersonSearchResultPage,
  RevealedField,
  SearchCompaniesInput,
  SearchPeopleInput,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { useReading } from '../platform/api/query.ts'

const stale = () => [['billing'], ['account']]

/** Searching costs, so it is an action: nothing is spent by looking at a page. */
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

export function useBalance(): number | undefined {
  return useReading({ key: ['billing', 'balance'], read: (api) => api.billing.get() }).data?.balance
}

export function usePrices() {
  return useReading({ key: ['billing', 'prices'], read: (api) => api.billing.prices() })
}

/** The index of people starts with the first question: while one writes what to search for, it comes up. Live may have none. */
export function useWokenIndex(): void {
  const environment = useEnvironment()
  useReading({
    key: ['finder', 'woken'],
    read: (api) => api.leadFinder.suggest({ field: 'jobTitle', q: 'engineer' }),
    freshMs: Infinity,
    enabled: environment === 'test',
  })
}
