import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import type { Overture } from '@overture/sdk'
import { fillPath, validBody, type Resources } from './resources.ts'

const csv = 'email,first name\nada@prospects.test,Ada\n'
/** Queries of operations whose parameters have no default. */
const queries: Readonly<Record<string, object>> = {
  'sendingAccounts.adminConsent': { provider: 'microsoft', domain: 'contoso.example.com' },
  'leadFinder.suggest': { field: 'jobTitle', q: 'eng' },
  'analytics.grouped': { groupBy: 'weekday,hour' },
  'holidays.get': { calendar: 'DE', year: 2027 },
  'suppressions.import': { list: 'customers' },
}

/** The operations with an SDK method, in an order in which they can be called one after the other: deletions come last. */
export const callable: readonly Endpoint[] = allEndpoints
  .filter((endpoint) => endpoint.outputType !== 'text/event-stream')
  .toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)))

function isEnd({ method, call }: Endpoint): boolean {
  return method === 'DELETE' || call.endsWith('bulkDelete')
}

/** The method of the client with this name, bound and ready to call. */
export function findMethod(client: Overture, call: string): (...given: unknown[]) => Promise<unknown> {
  const parts = call.split('.')
  const name = parts.pop() ?? ''
  let resource = client as unknown as Record<string, unknown>
  for (const part of parts) resource = resource[part] as Record<string, unknown>
  return (resource[name] as (...given: unknown[]) => Promise<unknown>).bind(resource)
}

export interface SdkCall {
  path: string
  body: unknown
  query: object | undefined
  /** The arguments of the method: ids, then the body or the query. */
  given: unknown[]
}

/** Builds a call on existing resources with the example body of the OpenAPI document. */
export function buildCall(endpoint: Endpoint, resources: Resources): SdkCall {
  const path = fillPath(endpoint.path, resources)
  const parts = path.split('/')
  const ids = endpoint.path.split('/').flatMap((part, index) => (part.startsWith(':') ? [parts[index]!] : []))
  const body = endpoint.bodyType === undefined ? validBody(endpoint) : csv
  const isPaged = endpoint.query !== undefined && 'limit' in (endpoint.query as never)['shape']
  const query = queries[endpoint.call] ?? (isPaged ? { limit: 5 } : undefined)
  const given = [...ids, ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query])]
  return { path, body, query, given }
}
