import { isJson, jsonBody, type Service, type ServiceAnswer } from './service-request.ts'

const prospeoError = (status: number, code: string) => ({ status, body: { error: true, error_code: code } })

export const prospeo: Service = {
  sources: [
    'https://prospeo.io/api/authentication',
    'https://prospeo.io/api-docs/search-person',
    'https://help.prospeo.io/en/article/api-rate-limits-19vqf50',
  ],
  toRefusal(request, key) {
    if (request.headers['x-key'] !== key) return prospeoError(401, 'INVALID_API_KEY')
    if (request.method !== 'POST' || !isJson(request)) return prospeoError(400, 'INVALID_REQUEST')
    const body = jsonBody(request)
    if (/^\/search-(?:person|company)$/.test(request.path))
      return isFilled(body['filters']) && readPage(body) <= 1_000 ? null : prospeoError(400, 'INVALID_FILTERS')
    if (request.path !== '/enrich-person') return prospeoError(404, 'NOT_FOUND')
    return isFilled(body['data']) ? null : prospeoError(400, 'INVALID_DATAPOINTS')
  },
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function readPage(body: Record<string, unknown>): number {
  const page = body['page'] ?? 1
  return Number.isInteger(page) && Number(page) >= 1 ? Number(page) : Infinity
}

const pdlError = (status: number, type: string, message: string) => ({
  status,
  body: { status, error: { type: [type], message } },
})
const pdlPageMax = 100

export const pdl: Service = {
  sources: [
    'https://docs.peopledatalabs.com/docs/authentication',
    'https://docs.peopledatalabs.com/docs/errors.md',
    'https://docs.peopledatalabs.com/docs/input-parameters-person-search-api',
    'https://docs.peopledatalabs.com/support/troubleshooting/rate-limit-errors.md',
  ],
  toRefusal(request, key) {
    if (request.headers['x-api-key'] !== key)
      return pdlError(401, 'authentication_error', 'Request contained a missing or invalid key')
    if (request.method === 'GET' && /^\/v5\/person\/retrieve\/[^/]+$/.test(request.path)) return null
    if (request.method !== 'POST' || !/^\/v5\/(?:person|company)\/search$/.test(request.path))
      return pdlError(405, 'invalid_request_error', 'Method not allowed')
    if (!isJson(request)) return pdlError(400, 'invalid_request_error', 'Content-Type must be application/json')
    const { query, sql, size = 1, from } = jsonBody(request)
    if (query === undefined && sql === undefined)
      return pdlError(400, 'invalid_request_error', 'Either query or sql must be given')
    if (!Number.isInteger(size) || Number(size) < 1 || Number(size) > pdlPageMax || from !== undefined)
      return pdlError(400, 'invalid_request_error', 'size must be between 1 and 100')
    return null
  },
}

const apolloError = (status: number, error: string) => ({ status, body: { error } })

export const apollo: Service = {
  sources: [
    'https://docs.apollo.io/reference/authentication',
    'https://docs.apollo.io/reference/people-api-search',
    'https://docs.apollo.io/reference/people-enrichment',
  ],
  toRefusal(request, key) {
    const { query } = request
    if (request.headers['x-api-key'] !== key) return apolloError(401, 'Invalid access credentials.')
    if (request.method !== 'POST') return apolloError(404, 'Not Found')
    if (/^\/api\/v1\/mixed_(?:people\/api_search|companies\/search)$/.test(request.path))
      return Number(query.get('per_page') ?? 10) <= 100 ? null : apolloError(422, 'per_page must be at most 100')
    if (request.path !== '/api/v1/people/match') return apolloError(404, 'Not Found')
    // Numbers are sent to a webhook of the caller, minutes later.
    if (query.get('reveal_phone_number') === 'true' && !query.get('webhook_url')?.startsWith('https:'))
      return apolloError(400, "Please add a valid 'webhook_url' parameter when using 'reveal_phone_number'")
    return ['id', 'email', 'name', 'linkedin_url'].some((name) => query.has(name))
      ? null
      : apolloError(422, 'Not enough information to match a person')
  },
}

export const peopleServices = { prospeo, pdl, apollo }

/** The answer to a call beyond the rate limit. None of these services sends Retry-After; Apollo's limits have no reset at all. */
export const rateLimited: Record<keyof typeof peopleServices, (resetSeconds: number) => ServiceAnswer> = {
  prospeo: (resetSeconds) => ({
    ...prospeoError(429, 'RATE_LIMITED'),
    headers: { 'x-minute-request-left': '0', 'x-minute-reset-seconds': String(resetSeconds) },
  }),
  pdl: (resetSeconds) => ({
    ...pdlError(429, 'rate_limit_error', 'An error occurred due to requests hitting the API too quickly'),
    headers: {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': new Date(Date.now() + resetSeconds * 1000).toISOString(),
    },
  }),
  apollo: () => ({
    ...apolloError(429, 'The maximum number of api calls allowed has been reached'),
    headers: { 'x-rate-limit-minute': '200', 'x-minute-requests-left': '0' },
  }),
}
