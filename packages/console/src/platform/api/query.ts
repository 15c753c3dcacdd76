import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Overture } from '@overture/sdk'
import { readTotal } from './list-total.ts'
import { isBeingDeleted, keptWhileDeleted } from './being-deleted.ts'
import { isLostSession, lostSession } from './session-lost.ts'
import { useApi, useEnvironment, type Environment } from './environment.tsx'

/** Data that several parts of a page use is read once. A page that is opened or focused again reads its data again. */
const staleMs = 2_000
/** The number of list pages that are kept, of 100 rows each. */
const pagesMax = 20
export const rowsPerPage = 100

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // The API client already retries, and knows when a retry is safe.
      queries: { staleTime: staleMs, retry: false, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
  const heard = (error: unknown): void => {
    if (isLostSession(error)) lostSession.tell()
  }
  client.getQueryCache().config.onError = heard
  client.getMutationCache().config.onError = (error, _input, _result, mutation) => {
    if (mutation.meta?.['provesIdentity'] !== true) heard(error)
  }
  return client
}

/** Something to read. Its key says what it is about, and which events make it stale. */
export interface ReadOptions<Data> {
  /** The area first, then the parts that identify the data: `['campaigns', 'one', id]`. */
  key: readonly unknown[]
  read: (api: Overture, signal: AbortSignal) => PromiseLike<Data>
  enabled?: boolean
  /** The number of milliseconds until it is read again, depending on the last answer, or false. */
  againMs?: (data: Data | undefined) => number | false
  keepOld?: boolean
  /** Data is not read again within this many milliseconds when a page is opened or focused. */
  freshMs?: number
}

export function useReading<Data>(reading: ReadOptions<Data>) {
  const api = useApi()
  const environment = useEnvironment()
  return useQuery({
    ...readingOptions(environment, api, reading),
    enabled: ({ queryKey }: { queryKey: QueryKey }) => (reading.enabled ?? true) && !isBeingDeleted(queryKey),
    ...(reading.againMs !== undefined && {
      refetchInterval: (query: { state: { data: Data | undefined } }) => reading.againMs!(query.state.data),
    }),
    ...(reading.freshMs !== undefined && { staleTime: reading.freshMs }),
    ...(reading.keepOld === true && { placeholderData: keepPreviousData }),
  })
}

export function readingOptions<Data>(environment: Environment, api: Overture, { key, read }: ReadOptions<Data>) {
  return queryOptions<Data>({
    queryKey: [environment, ...key],
    queryFn: async ({ signal, client, queryKey }) => keptWhileDeleted<Data>(client, queryKey) ?? read(api, signal),
  })
}

interface ListPage<Item> {
  results: Item[]
  pagination: { totalCount: number }
  nextCursor: string | null
}

type KeptList<Item> = InfiniteData<ListPage<Item>, string | null>

function keptPage<Item>(list: KeptList<Item> | undefined, cursor: string | null): ListPage<Item> | undefined {
  return list?.pages[list.pageParams.indexOf(cursor)]
}

/** A list with a cursor. */
export interface ListReading<Item> {
  key: readonly unknown[]
  page: (api: Overture, place: { limit: number; cursor?: string }, signal: AbortSignal) => PromiseLike<ListPage<Item>>
  /** Read again after this many milliseconds, for changes that cause no event. */
  againMs?: number
  /** Whether the API counts the rows only to `countedMax`: for a search by text, and for the event log. */
  isCapped?: boolean
  /** False if the list is not read yet. The default is true. */
  enabled?: boolean
}

export function useListReading<Item>({ key, page, againMs, isCapped = false, enabled = true }: ListReading<Item>) {
  const api = useApi()
  const environment = useEnvironment()
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: [environment, ...key],
      queryFn: ({ pageParam, signal, client, queryKey }) =>
        keptPage(keptWhileDeleted<KeptList<Item>>(client, queryKey), pageParam) ??
        (page(api, { limit: rowsPerPage, ...(pageParam !== null && { cursor: pageParam }) }, signal) as Promise<
          ListPage<Item>
        >),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
      // The API has no backward cursor, so pages that are dropped could not be loaded again. There is no previous page.
      getPreviousPageParam: () => null,
      placeholderData: keepPreviousData,
      enabled: ({ queryKey }) => enabled && !isBeingDeleted(queryKey),
      ...(againMs !== undefined && { refetchInterval: againMs }),
    }),
  )
  const pages = query.data?.pages ?? []
  return {
    query,
    items: pages.flatMap(({ results }) => results),
    total: readTotal(pages[0]?.pagination.totalCount ?? 0, isCapped),
    more: query.hasNextPage && pages.length < pagesMax ? () => void query.fetchNextPage() : null,
  }
}

/** Marks data as stale by the first parts of its key, in the environment of the page. */
export function useStale(): (...areas: readonly (readonly unknown[])[]) => Promise<void> {
  const client = useQueryClient()
  const environment = useEnvironment()
  return async (...areas) => {
    await Promise.all(areas.map((key) => client.invalidateQueries({ queryKey: [environment, ...key] })))
  }
}
