export interface CallOptions {
  /** Of a POST; one is made where none is given, and every try of the call carries the same. */
  idempotencyKey?: string
  signal?: AbortSignal
  timeoutMs?: number
  retries?: number
  headers?: Readonly<Record<string, string>>
}

/** A body that is no JSON. One that can be read once only is sent once only. */
export type TextBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface CallInput {
  body?: unknown
  query?: object | undefined
  /** The media type of a body that is no JSON. */
  type?: string
  accept?: string
  /** The answer's body is handed on as it comes, so that it can't be asked for again when it is cut off. */
  live?: boolean
  /** The server keeps no answer to give again, so that asking twice could do it twice. */
  once?: boolean
  options?: CallOptions | undefined
}
