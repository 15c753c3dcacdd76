import type { Method, CallInput } from './call.ts'
import { ApiError, ConnectionError, OvertureError, TimeoutError, type AnyErrorCode } from './errors.ts'
import { delayBeforeRetry, type Outcome } from './retry.ts'
import { isBrowser, type Settings } from './settings.ts'
import { version } from './version.ts'

/** The result of one try: an answer to return, or the outcome and its error. */
type Try = { response: Response } | { outcome: Outcome; error: Error }

/** Sends a request, and retries it if that is safe. Throws for every answer that is not a success. */
export async function fetchWithRetries(
  settings: Settings,
  method: Method,
  path: string,
  sent: CallInput,
): Promise<Response> {
  const { options = {} } = sent
  const url = `${settings.baseUrl}${path}${queryText(sent.query)}`
  const init = { method, headers: buildHeaders(settings, method, sent), ...buildBody(sent) }
  const tries = {
    retriesMax: options.retries ?? settings.retries,
    retryAfterMsMax: settings.retryAfterMsMax,
    repeatable: sent.once !== true && !(sent.body instanceof ReadableStream),
  }
  let lost = false
  for (let before = 0; ; before++) {
    const tried = await attempt(settings, url, init, sent)
    if ('response' in tried) return tried.response
    if (lost && ApiError.is(tried.error)) tried.error.afterLostTry = true
    lost ||= tried.outcome.kind !== 'answer'
    const delayMs = delayBeforeRetry(tried.outcome, { ...tries, before }, Math.random())
    settings.logger?.debug(
      `${method} ${path}: ${tried.error.message}${delayMs === null ? '' : `; again in ${delayMs} ms`}`,
    )
    if (delayMs === null) throw tried.error
    await waitUntil(Date.now() + delayMs, options.signal)
  }
}

async function attempt(settings: Settings, url: string, init: RequestInit, sent: CallInput): Promise<Try> {
  const { signal } = sent.options ?? {}
  signal?.throwIfAborted()
  const timeoutMs = sent.options?.timeoutMs ?? settings.timeoutMs
  const cut = new AbortController()
  const leave = (): void => cut.abort(signal?.reason)
  signal?.addEventListener('abort', leave, { once: true })
  let late = false
  const timer = setTimeout(() => {
    late = true
    cut.abort()
  }, timeoutMs)
  let live = false
  try {
    const response = await settings.fetch(url, { ...init, signal: cut.signal })
    settings.logger?.debug(`${init.method} ${url}: ${response.status}, ${response.headers.get('x-request-id')}`)
    if (response.ok && sent.live === true) {
      live = true
      return { response }
    }
    const text = await response.text()
    return response.ok ? { response: new Response(text, response) } : readRefusal(response, text)
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (late) return { outcome: { kind: 'timeout' }, error: new TimeoutError(`No answer within ${timeoutMs} ms.`) }
    return { outcome: { kind: 'lost' }, error: lostError(settings, error) }
  } finally {
    clearTimeout(timer)
    // The caller of a live answer may still abort while reading it.
    if (!live) signal?.removeEventListener('abort', leave)
  }
}

function lostError({ baseUrl }: Settings, error: unknown): Error {
  const { cause, message } = error as Error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  return new ConnectionError(`No answer from ${baseUrl}: is the server running? (${reason})`, { cause: error })
}

function readRefusal({ status, headers }: Response, text: string): Try {
  const waits = headers.get('retry-after')
  const retryAfterSeconds = waits !== null && /^\d+$/.test(waits) ? Number(waits) : null
  const { error } = parsed(text) as { error?: { code?: AnyErrorCode; message?: string; details?: object } }
  const code = error?.code ?? null
  const facts = {
    status,
    code: code ?? `HTTP_${status}`,
    requestId: headers.get('x-request-id'),
    details: error?.details as never,
    retryAfterSeconds,
  }
  const message = error?.message ?? `The server answered ${status} without an error of the API: is baseUrl right?`
  return { outcome: { kind: 'answer', status, code, retryAfterSeconds }, error: new ApiError(message, facts) }
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

function queryText(query: object | undefined): string {
  const values = Object.entries(query ?? {}) as [string, string | number | boolean | null | undefined][]
  const parts = values.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function buildHeaders(settings: Settings, method: Method, { body, type, accept, options = {} }: CallInput) {
  return {
    ...settings.identity,
    ...(accept !== undefined && { accept }),
    ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
    ...(method === 'POST' && { 'idempotency-key': options.idempotencyKey ?? `ovt-${crypto.randomUUID()}` }),
    ...(!isBrowser() && { 'user-agent': `overture-sdk/${version}` }),
    ...options.headers,
  }
}

function buildBody({ body, type }: CallInput): RequestInit {
  if (body === undefined) return {}
  if (type === undefined) return { body: jsonText(body) }
  return { body: body as RequestInit['body'], ...(body instanceof ReadableStream && { duplex: 'half' }) } as RequestInit
}

function jsonText(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    throw new OvertureError('ConfigurationError', `The body is not JSON: ${(error as Error).message}`)
  }
}

/** Never ends early. A timer may fire a millisecond too soon, and a request that is too early counts against the limit. */
export async function waitUntil(atMs: number, signal?: AbortSignal): Promise<void> {
  for (let leftMs = atMs - Date.now(); leftMs > 0; leftMs = atMs - Date.now()) {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(end, leftMs)
      const leave = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      function end(): void {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      if (signal?.aborted === true) return leave()
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
