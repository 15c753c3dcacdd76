import { retryAfterMs } from '@overture/ground/time/retry-after.ts'
import { secondMs } from '@overture/ground/time/spans.ts'
import { isObject } from '@overture/ground/json/object.ts'
import { sleep } from '../../platform/clock.ts'
import { responseText } from '../../platform/response-text.client.ts'
import { ProviderError } from './provider.ts'

const timeoutMs = 20_000
/** A rate limit that ends within this time is waited for once. */
const retryAfterMaxMs = 3_000
const answerBytesMax = 8 * 1024 * 1024

interface ProviderRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: unknown
}

interface ProviderAnswer {
  status: number
  body: Record<string, unknown>
}

/**
 * One JSON call with a time limit. Returns 2xx and 4xx responses. Throws ProviderError on 401, 402, 403, 429, 5xx and lost
 * connections.
 */
export async function callProvider(request: ProviderRequest): Promise<ProviderAnswer> {
  const first = await send(request)
  const waitMs = first.status === 429 ? first.retryAfterMs : null
  if (waitMs === null || waitMs > retryAfterMaxMs) return check(first)
  await sleep(waitMs)
  return check(await send(request))
}

async function send(request: ProviderRequest): Promise<ProviderAnswer & { retryAfterMs: number | null }> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await responseText(response, answerBytesMax)
    if (text === null) throw new ProviderError('answer too large', response.status)
    return { status: response.status, body: parse(text), retryAfterMs: resetMs(response.headers) }
  } catch (error) {
    if (error instanceof ProviderError) throw error
    // The message of a failed fetch contains host names, but never request data.
    throw new ProviderError(`no answer: ${(error as Error).name}`, null)
  }
}

/**
 * The time until a rate limit ends, by Retry-After, the seconds of Prospeo or the times of People Data Labs. Times are compared
 * with the server's own clock. Null if the service doesn't say it, as Apollo: another call would only be refused again.
 */
function resetMs(headers: Headers): number | null {
  const now = new Date(headers.get('date') ?? Number.NaN)
  const standardMs = retryAfterMs(headers.get('retry-after'), now)
  if (standardMs !== null && !Number.isNaN(standardMs)) return standardMs
  const seconds = headers.get('x-second-reset-seconds') ?? headers.get('x-minute-reset-seconds')
  if (seconds !== null && /^\d{1,6}(?:\.\d{1,6})?$/.test(seconds)) return Number(seconds) * secondMs
  const [at] = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?/.exec(headers.get('x-ratelimit-reset') ?? '') ?? []
  const untilMs = at === undefined ? Number.NaN : Date.parse(`${at.replace(' ', 'T')}Z`) - now.getTime()
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs)
}

function check(answer: ProviderAnswer): ProviderAnswer {
  const { status } = answer
  if (status >= 500 || [401, 402, 403, 429].includes(status)) throw new ProviderError(`status ${status}`, status)
  return { status, body: answer.body }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
