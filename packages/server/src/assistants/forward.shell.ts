import { AppError } from '@overture/contract/errors.ts'
import type { FastifyReply } from 'fastify'
import type { PublicRequest } from '../platform/http/public-route.ts'
import type { AuthorizationServer, ServerAnswer } from './server.shell.ts'

const bodyCharactersMax = 16 * 1024
const queryCharactersMax = 8 * 1024
const passedHeaders = ['accept', 'authorization', 'content-type', 'cookie', 'origin', 'user-agent'] as const
// Set by the outer server, or meaningless for an answer that is sent whole.
const droppedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

/** Passes a request on to the authorization server. `url` and `body` replace those of the request. */
export function forward(
  server: AuthorizationServer,
  request: PublicRequest,
  { url = request.url, body }: { url?: string; body?: string | undefined } = {},
): Promise<ServerAnswer> {
  if ((body?.length ?? 0) > bodyCharactersMax || url.length > queryCharactersMax)
    throw new AppError('PAYLOAD_TOO_LARGE', 'This request is too large for the authorization server.')
  const headers: Record<string, string> = {}
  for (const name of passedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const method = request.method as 'GET' | 'POST'
  return server.answer({ method, url, headers, ip: request.ip, ...(body !== undefined && { body }) })
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: ServerAnswer): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !droppedHeaders.has(name)) reply.header(name, value)
  return reply.send(body)
}

/** The text of a form. It was parsed before; its repeated parameters stay repeated, so that they are refused. */
export function readForm({ body }: PublicRequest): Promise<string | undefined> {
  if (body === undefined || body === null) return Promise.resolve(undefined)
  if (Buffer.isBuffer(body)) return Promise.resolve(body.toString('utf8'))
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body as Record<string, string | string[]>))
    for (const one of [value].flat()) form.append(name, one)
  return Promise.resolve(form.toString())
}
