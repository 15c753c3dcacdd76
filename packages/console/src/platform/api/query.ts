import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Overture } from '@overture/sdk'
import { isLostSession, lostSession } from './session-lost.ts'
import { useApi, useEnvironment, type Environment } from './environment.tsx'

/** What one page reads in several places is read once; a page that is opened or looked at again reads anew. */
const staleMs = 2_000
/** Pages of a list that are kept, 100 rows each. */
const pagesMax = 20
export const rowsPerPage = 100

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // The client of the API tries again by itself, and knows when that can do no harm.
      queries: { staleTime: staleMs, retry: false, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
  const heard = (error: unknown): void => {
    if (isLostSession(error)) lostSession.tell()
  }
  client.getQueryCache().config.onError = heard
  client.getMutationCache().config.onError = heard
  return client
}

/** Something to read: its name is what an event makes stale, and what it is of. */
export interface ReadOptions<Data> {
  /** The area first, then what tells one from another: `['campaigns', 'one', id]`. */
  key: readonly unknown[]
  read: (api: Overture, signal: AbortSignal) => PromiseLike<Data>
  enabled?: boolean
  /** Asked again after so many milliseconds, while the last answer says so. */
  againMs?: (data: Data | undefined) => number | false
  keepOld?: boolean
  /** For so many milliseconds it is not asked for again by opening or looking at a page. */
  freshMs?: number
}

export function useReading<Data>(reading: ReadOptions<Data>) {
  const api = useApi()
  const environment = useEnvironment()
  return useQuery({
    ...readingOptions(environment, api, reading),
    ...(reading.enabled !== undefined && { enabled: reading.enabled }),
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
    queryFn: async ({ signal }) => read(api, signal),
  })
}

interface ListPage<Item> {
  results: Item[]
  pagination: { totalCount: number }
  nextCursor: string | null
}

/** A list by cursor. */
export interface ListReading<Item> {
  key: readonly unknown[]
  page: (api: Overture, place: { limit: number; cursor?: string }, signal: AbortSignal) => PromiseLike<ListPage<Item>>
  /** Read again after so many milliseconds, where no event tells of a change. */
  againMs?: number
}

export function useListReading<Item>({ key, page, againMs }: ListReading<Item>) {
  const api = useApi()
  const environment = useEnvironment()
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: [environment, ...key],
      queryFn: ({ pageParam, signal }) =>
        page(api, { limit: rowsPerPage, ...(pageParam !== null && { cursor: pageParam }) }, signal) as Promise<
          ListPage<Item>
        >,
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
      // Without a way back, pages that fell out could never come again.
      getPreviousPageParam: () => null,
      placeholderData: keepPreviousData,
      ...(againMs !== undefined && { refetchInterval: againMs }),
    }),
  )
  const pages = query.data?.pages ?? []
  return {
    query,
    items: pages.flatMap(({ results }) => results),
    totalCount: pages[0]?.pagination.totalCount ?? 0,
    more: query.hasNextPage && pages.length < pagesMax ? () => void query.fetchNextPage() : null,
  }
}

/** Makes readings stale, by the beginning of their names, in the environment of the page. */
export function useStale(): (...areas: readonly (readonly unknown[])[]) => Promise<void> {
  const client = useQueryClient()
  const environment = useEnvironment()
  return async (...areas) => {
    await Promise.all(areas.map((key) => client.invalidateQueries({ queryKey: [environment, ...key] })))
  }
}
