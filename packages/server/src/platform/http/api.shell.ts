import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import type { App } from '../app.ts'
import type { Admission, Verdict } from './admission.ts'
import { parseJson, type ParsedBody } from './json.ts'
import { operate } from './operate.shell.ts'
import { boundedUpload, tooLarge } from './upload.ts'
import type { Result } from './operation.ts'
import type { Route } from './route.ts'
import { validate } from './validate.ts'

const jsonType = 'application/json; charset=utf-8'
const eventsType = 'text/event-stream'
const nothing: ParsedBody = { ok: true, value: undefined }
const noIssues: readonly ValidationIssue[] = []

interface ApiOptions {
  app: App
  routes: readonly Route[]
  limiter: Admission
  checkAnswers?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    verdict: Extract<Verdict, { outcome: 'admitted' }> | null
  }
}

/**
 * Mounts the endpoints behind their checks, in the contract's order: key, API access, rates, quota and scope before
 * a byte of the body is read, then its size and type, then everything in it.
 */
export function mountApi(server: FastifyInstance, options: ApiOptions): void {
  void server.register(async (scope) => {
    scope.decorateRequest('verdict', null)
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      done(takesJson(request) ? null : unsupportedType(), body)
    })
    scope.addContentTypeParser('text/csv', (request, payload, done) => {
      done(takesCsv(request) ? tooLong(request, options.app.config.uploadBytesMax) : unsupportedType(), payload)
    })
    for (const route of options.routes) mountRoute(scope, route, options)
  })
}

function mountRoute(scope: FastifyInstance, route: Route, options: ApiOptions): void {
  const { endpoint } = route
  // A command's transaction would stay open for as long as its client likes to write.
  if (endpoint.bodyType !== undefined && route.kind === 'command')
    throw new Error(`${endpoint.operationId} reads its body while it comes: it has to be phased.`)
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { operationId: endpoint.operationId, bodyType: endpoint.bodyType ?? 'application/json' },
    ...(endpoint.bodyBytesMax !== undefined && { bodyLimit: endpoint.bodyBytesMax }),
    onRequest(request, reply, done) {
      admit(options.limiter, request, (error, verdict) => {
        if (error !== null || verdict === null) return done(error ?? undefined)
        try {
          settle(route, verdict, request, reply)
          done()
        } catch (refusal) {
          done(refusal as Error)
        }
      })
    },
    handler: (request, reply) => answer(route, options, request, reply),
  })
}

function admit(
  limiter: Admission,
  request: FastifyRequest,
  decide: (error: Error | null, verdict: Verdict | null) => void,
): void {
  let verdict: Verdict | Promise<Verdict>
  try {
    verdict = limiter.admit(request.headers.authorization)
  } catch (error) {
    return decide(error as Error, null)
  }
  if (!(verdict instanceof Promise)) return decide(null, verdict)
  verdict.then(
    (settled) => decide(null, settled),
    (error: Error) => decide(error, null),
  )
}

/** Tells clients of what is going away, as RFC 9745 and RFC 8594 have it. */
function tellDeprecation({ endpoint: { deprecated } }: Route, reply: FastifyReply): void {
  if (deprecated === undefined) return
  reply.header('deprecation', `@${Date.parse(deprecated.since) / 1000}`)
  reply.header('sunset', new Date(deprecated.sunset).toUTCString())
}

/** Turns a verdict into headers and, where it is not in favour, into a refusal. */
function settle(route: Route, verdict: Verdict, request: FastifyRequest, reply: FastifyReply): void {
  if (verdict.outcome === 'unknown_key') {
    reply.header('www-authenticate', 'Bearer')
    throw new AppError('UNAUTHORIZED', 'The API key is missing, malformed, unknown, revoked or expired.')
  }
  tellDeprecation(route, reply)
  reply.header('x-ratelimit-limit', String(verdict.limit))
  reply.header('x-ratelimit-remaining', String(verdict.remaining))
  switch (verdict.outcome) {
    case 'access_disabled':
      throw new AppError('API_ACCESS_DISABLED', 'API access is turned off for this account.')
    case 'limited':
      reply.header('retry-after', String(verdict.retryAfterSeconds))
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait as long as Retry-After says.')
    case 'over_quota':
      throw new AppError('QUOTA_EXCEEDED', 'The monthly quota of this account is used up.')
    case 'admitted':
  }
  if (!verdict.caller.scopes.includes(route.endpoint.scope)) {
    throw new AppError('INSUFFICIENT_SCOPE', `This operation needs a key with the scope ${route.endpoint.scope}.`)
  }
  const { environment = verdict.caller.tenant.environment } = route.endpoint
  if (environment !== verdict.caller.tenant.environment) throw notFound()
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupportedType()
  request.verdict = verdict
}

async function answer(route: Route, options: ApiOptions, request: FastifyRequest, reply: FastifyReply) {
  const { endpoint } = route
  const { app } = options
  const idempotencyKey = endpoint.method === 'POST' ? singleHeader(request.headers['idempotency-key']) : undefined
  const body = request.body
  const { caller } = request.verdict!
  const parsed = Buffer.isBuffer(body) ? parseJson(body) : nothing
  const input = validate(endpoint, {
    tenant: caller.tenant,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    body: parsed,
    idempotencyKey,
    checked: route.check !== undefined && parsed.ok ? await route.check(parsed.value, caller.tenant) : noIssues,
  })
  const wantsEvents = endpoint.streams !== undefined && (request.headers.accept ?? '').includes(eventsType)
  const left = endpoint.streams === undefined ? null : untilLeft(reply)
  const result = await operate({
    app,
    route,
    caller,
    requestId: request.id,
    path: pathOf(request.url),
    input,
    upload: body instanceof Readable ? boundedUpload(body, app.config.uploadBytesMax) : null,
    idempotencyKey,
    checkAnswers: options.checkAnswers === true,
    wantsEvents,
    lastEventId: singleHeader(request.headers['last-event-id']) ?? null,
    left,
  })
  reply.code(result.status).header('content-type', jsonType).header('cache-control', 'no-store')
  for (const name in result.headers) reply.header(name, result.headers[name])
  if (wantsEvents && result.status < 400) return sendEvents(reply, result)
  return reply.send(result.body)
}

function untilLeft(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort(new Error('The client has gone.')))
  return leaving.signal
}

// A stored answer that is given again has no deltas any more: it is one event.
function sendEvents(reply: FastifyReply, { body }: Result) {
  reply.code(200).header('content-type', `${eventsType}; charset=utf-8`).header('x-accel-buffering', 'no')
  return reply.send(body instanceof Readable ? body : `event: result\ndata: ${body}\n\n`)
}

/** The path as an idempotency key knows it: without query and trailing slash. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

function takesJson(request: FastifyRequest): boolean {
  return request.routeOptions.config.bodyType === 'application/json'
}

function takesCsv(request: FastifyRequest): boolean {
  return request.routeOptions.config.bodyType === 'text/csv'
}

// What says itself that it is too long is refused before a byte of it is read.
function tooLong(request: FastifyRequest, bytesMax: number): AppError | null {
  return Number(request.headers['content-length'] ?? 0) > bytesMax ? tooLarge(bytesMax) : null
}

function unsupportedType(): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as the media type that this operation takes.')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyType?: string
  }
}
