export interface CallOptions {
  /** For POST. If it is missing one is generated, and all tries of the call use the same key. */
  idempotencyKey?: string
  signal?: AbortSignal
  timeoutMs?: number
  retries?: number
  headers?: Readonly<Record<string, string>>
}

/** A body that is not JSON. A stream can be read only once, so it is sent only once. */
export type TextBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallInput {
  body?: unknown
  query?: object | undefined
  /** The media type of a body that is not JSON. */
  type?: string
  accept?: string
  /** The body of the answer is passed on as it arrives, so the request can't be retried if the body is cut off. */
  live?: boolean
  /** The server stores no answer to replay, so a repeated request could act twice. */
  once?: boolean
  options?: CallOptions | undefined
}
