import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

/** A request as an outside service receives it. */
export interface ServiceRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface ServiceAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** The rules of an outside service by its public documentation, so that a double never accepts what the service refuses. */
export interface Service {
  /** Public pages that describe the requests and the errors. */
  sources: readonly string[]
  /** The answer to a request that lacks something, or null if the service would accept it. */
  toRefusal(request: ServiceRequest, key: string): ServiceAnswer | null
}

export async function readServiceRequest(request: IncomingMessage): Promise<ServiceRequest> {
  const url = new URL(request.url ?? '/', 'http://double.test')
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: await text(request),
  }
}

/** Sends JSON, compressed for a client that accepts it, as every one of the services does. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: ServiceAnswer): void {
  const bytes = Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    date: new Date().toUTCString(),
    ...(isZipped && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    ...answer.headers,
  })
  response.end(isZipped ? gzipSync(bytes) : bytes)
}

export function isJson(request: ServiceRequest): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '')
}

/** The body as an object. Empty if it is none. */
export function jsonBody({ body }: ServiceRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
