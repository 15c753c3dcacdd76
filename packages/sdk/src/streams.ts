import { createParser } from 'eventsource-parser'
import { ApiPromise } from './answers.ts'
import type { CallOptions } from './call.ts'
import type { Caller } from './caller.ts'
import { ApiError, ConnectionError, type AnyErrorCode } from './errors.ts'

/** A part of a streamed text: a piece, a restart, or at the end the result that `await` would return. */
export type Part<Data> =
  | { type: 'delta'; field: 'body' | 'subject'; index: number; text: string }
  | { type: 'restart'; reason: string }
  | { type: 'result'; result: Data }

/** An operation that returns its result at once or in pieces. */
export interface StreamedOperation<Body, Data> {
  (body: Body, options?: CallOptions): ApiPromise<Data>
  /** If the caller leaves the loop, the call is canceled and nothing is charged. */
  stream(body: Body, options?: CallOptions): AsyncGenerator<Part<Data>, void, undefined>
}

export function streaming<Body, Data>(caller: Caller, path: string): StreamedOperation<Body, Data> {
  const once = (body: Body, options?: CallOptions) => caller.call<Data>('POST', path, { body, options })
  return Object.assign(once, {
    stream: (body: Body, options?: CallOptions) => streamParts<Body, Data>(caller, path, body, options),
  })
}

async function* streamParts<Body, Data>(
  caller: Caller,
  path: string,
  body: Body,
  options?: CallOptions,
): AsyncGenerator<Part<Data>, void, undefined> {
  const leaving = new AbortController()
  const { signal } = options ?? {}
  const leave = (): void => leaving.abort(signal?.reason)
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const sent = { body, accept: 'text/event-stream', live: true, options: { ...options, signal: leaving.signal } }
    const response = await caller.send('POST', path, sent)
    for await (const { event, data } of readEvents(response)) {
      const payload: unknown = JSON.parse(data)
      if (event === 'error') throw streamError(response, payload)
      if (event === 'result') return yield { type: 'result', result: payload as Data }
      if (event === 'delta' || event === 'restart') yield { type: event, ...(payload as object) } as Part<Data>
    }
    throw new ConnectionError('The stream ended before its result.')
  } finally {
    signal?.removeEventListener('abort', leave)
    leaving.abort()
  }
}

function streamError({ headers }: Response, body: unknown): ApiError {
  const { error } = body as { error: { code: AnyErrorCode; message: string; request_id: string; details?: object } }
  return new ApiError(error.message, {
    status: 200,
    code: error.code,
    requestId: error.request_id ?? headers.get('x-request-id'),
    details: error.details as never,
    retryAfterSeconds: null,
  })
}

// Declared here, because the published types must not import other packages.
export interface ServerSentEvent {
  id?: string | undefined
  event?: string | undefined
  data: string
}

/** Server-sent events as they arrive. A lost connection throws ConnectionError. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  const waiting: ServerSentEvent[] = []
  const parser = createParser({ onEvent: (event) => waiting.push(event) })
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: Error) => {
        if (error.name === 'AbortError') throw error
        throw new ConnectionError(`The stream was cut off. (${error.message})`, { cause: error })
      })
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      while (waiting.length > 0) yield waiting.shift()!
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
