import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedTypes, dryRunType, jsonBytesMax, type Endpoint } from '@overture/contract/endpoint.ts'
import { AppError, type ValidationIssue } from '@overture/contract/errors.ts'
import type { App } from '../app.ts'
import { readCsvItems } from '../files/csv-items.shell.ts'
import { createAddressLimit } from './address-limit.shell.ts'
import type { AddressRate } from './address-rates.ts'
import type { Verdict } from './admission.ts'
import { admit, refuseForeignSignIn, settle, type Admissions } from './admit.shell.ts'
import { recordDenial } from './audited.shell.ts'
import { readClientFacts } from './client-facts.ts'
import { createDenialCounts, type DenialCounts } from '../audit/denial-counts.ts'
import { parseJson, type ParsedBody } from './json.ts'
import type { Tenant } from '../tenant.ts'
import { operate, operateOpenly } from './operate.shell.ts'
import { boundedUpload, tooLarge } from './upload.ts'
import { answerCsv, wantsCsv } from './csv-list.shell.ts'
import type { Operation, Result } from './operation.ts'
import type { Route } from './route.ts'
import { validate } from './validate.ts'

const jsonType = 'application/json; charset=utf-8'
const eventsType = 'text/event-stream'
/** The tenant of requests without a key. It has no account, so lists are never served without a key. */
const nobody: Tenant = { accountId: '', environment: 'live' }
const nothing: ParsedBody = { ok: true, value: undefined }
const noIssues: readonly ValidationIssue[] = []
/**
 * For all requests without key and session. It is wide because a whole office may share one address. Sign-in attempts are limited
 * separately.
 */
const openRate: AddressRate = { name: 'sign_in', perMinute: 600, burst: 300 }

interface ApiOptions extends Admissions {
  app: App
  routes: readonly Route[]
  checkAnswers?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    verdict: Extract<Verdict, { outcome: 'admitted' }> | null
  }
}

/**
 * Mounts the endpoints behind their checks, in the order of the contract. Key, API access, rates, quota and scope come before any
 * byte of the body is read, then size and type of the body, then its content.
 */
export function mountApi(server: FastifyInstance, options: ApiOptions): void {
  const limit = createAddressLimit(options.app.log)(openRate)
  const denials = createDenialCounts()
  void server.register(async (scope) => {
    scope.decorateRequest('verdict', null)
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      done(refusedType(request), body)
    })
    scope.addContentTypeParser('*', (request, payload, done) => {
      const { bytesMax = options.app.config.uploadBytesMax } = request.routeOptions.config
      done(refusedType(request) ?? tooLong(request, bytesMax), payload)
    })
    for (const route of options.routes) {
      // A dry run is mounted together with the call that it simulates.
      if (route.endpoint.always !== undefined) continue
      if (route.kind === 'open') mountOpenRoute(scope, route, { ...options, limit })
      else mountRoute(scope, route, { ...options, denials })
    }
  })
}

function mountRoute(scope: FastifyInstance, route: Route, options: ApiOptions & { denials: DenialCounts }): void {
  const { endpoint } = route
  // The transaction of a command would stay open for as long as the client takes to send the body.
  if (endpoint.bodyType !== undefined && route.kind === 'command')
    throw new Error(`${endpoint.operationId} reads its body while it comes: it has to be phased.`)
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      operationId: endpoint.operationId,
      bodyTypes: acceptedTypes(endpoint),
      isDownload: endpoint.outputType === 'application/octet-stream',
      ...(endpoint.bodyBytesMax !== undefined && { bytesMax: endpoint.bodyBytesMax }),
    },
    ...(endpoint.bodyBytesMax !== undefined && { bodyLimit: endpoint.bodyBytesMax }),
    onRequest(request, reply, done) {
      admit(options, request, (error, verdict) => {
        if (error !== null || verdict === null) return done(error ?? undefined)
        if ('caller' in verdict) request.caller = verdict.caller
        try {
          request.verdict = settle(route, verdict, reply)
          refuseEncoded(request)
          done()
        } catch (refusal) {
          if (!('caller' in verdict)) return done(refusal as Error)
          const facts = { ...factsAbout(route, request), caller: verdict.caller }
          const refuse = () => done(refusal as Error)
          void recordDenial(options.app, options.denials, facts, refusal).then(refuse)
        }
      })
    },
    handler: (request, reply) =>
      answer(route, options, request, reply).catch(async (error: unknown) => {
        const { caller } = request.verdict!
        await recordDenial(options.app, options.denials, { ...factsAbout(route, request), caller }, error)
        throw error
      }),
  })
}

function factsAbout({ endpoint }: Route, request: FastifyRequest) {
  return { endpoint, client: readClientFacts(request), requestId: request.id, path: plainPath(request.url) }
}

type AddressLimit = ReturnType<ReturnType<typeof createAddressLimit>>

/** Mounts a route without key and session: rates are limited by address, and foreign pages are refused. */
function mountOpenRoute(scope: FastifyInstance, route: Route, options: ApiOptions & { limit: AddressLimit }): void {
  const { endpoint } = route
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { operationId: endpoint.operationId, bodyTypes: acceptedTypes(endpoint) },
    onRequest(request, reply, done) {
      options.limit(request, reply, (error) => {
        if (error !== undefined) return done(error)
        try {
          refuseForeignSignIn(request)
          refuseEncoded(request)
          done()
        } catch (refusal) {
          done(refusal as Error)
        }
      })
    },
    async handler(request, reply) {
      const { body } = request
      const input = validate(endpoint, {
        tenant: nobody,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body: Buffer.isBuffer(body) ? parseJson(body) : nothing,
        idempotencyKey: undefined,
        checked: noIssues,
      })
      const result = await operateOpenly({
        app: options.app,
        route,
        requestId: request.id,
        client: readClientFacts(request),
        input,
        checkAnswers: options.checkAnswers === true,
      })
      return sendJson(reply, result)
    },
  })
}

function refuseEncoded(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.')
}

async function answer(route: Route, options: ApiOptions, request: FastifyRequest, reply: FastifyReply) {
  const { endpoint } = route
  const { app } = options
  const idempotencyKey = endpoint.method === 'POST' ? singleHeader(request.headers['idempotency-key']) : undefined
  const body = request.body
  const { caller } = request.verdict!
  const parsed = await parsedBody(endpoint, body)
  const input = validate(endpoint, {
    tenant: caller.tenant,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    body: parsed,
    idempotencyKey,
    checked: route.check !== undefined && parsed.ok ? await route.check(parsed.value, caller.tenant) : noIssues,
  })
  const wantsEvents = endpoint.streams !== undefined && (request.headers.accept ?? '').includes(eventsType)
  const disconnected = endpoint.streams === undefined ? null : untilLeft(reply)
  const triesOnly = isDryRun(input.query)
  const operation: Operation = {
    app,
    route: triesOnly ? dryRunRoute(route, options.routes) : route,
    caller,
    requestId: request.id,
    client: readClientFacts(request),
    path: plainPath(request.url),
    input,
    upload:
      body instanceof Readable && endpoint.csvItems === undefined
        ? boundedUpload(body, endpoint.bodyBytesMax ?? app.config.uploadBytesMax)
        : null,
    idempotencyKey,
    checkAnswers: options.checkAnswers === true,
    wantsEvents,
    lastEventId: singleHeader(request.headers['last-event-id']) ?? null,
    disconnected,
  }
  if (wantsCsv(endpoint, input.query, request.headers.accept)) return sendJson(reply, await answerCsv(operation))
  const result = await operate(operation)
  if (wantsEvents && result.status < 400) return sendEvents(withHeaders(reply, result), result)
  if (triesOnly) result.headers['content-type'] = `${dryRunType}; charset=utf-8`
  return sendJson(reply, result)
}

async function parsedBody(endpoint: Endpoint, body: unknown): Promise<ParsedBody> {
  if (Buffer.isBuffer(body)) return parseJson(body)
  const { csvItems, itemsField = '', bodyBytesMax = jsonBytesMax } = endpoint
  if (!(body instanceof Readable) || csvItems === undefined) return nothing
  const read = await readCsvItems(boundedUpload(body, bodyBytesMax), csvItems)
  return read.kind === 'items'
    ? { ok: true, value: { [itemsField]: read.items } }
    : { ok: false, issue: { path: itemsField, rule: 'csv', message: read.message } }
}

function isDryRun(query: unknown): boolean {
  return (query as { dryRun?: boolean } | undefined)?.dryRun === true
}

function dryRunRoute({ endpoint }: Route, routes: readonly Route[]): Route {
  const found = routes.find((route) => route.endpoint === endpoint.dryRun)
  if (found === undefined) throw new Error(`${endpoint.operationId} has no dry run.`)
  return found
}

function sendJson(reply: FastifyReply, result: Result) {
  return withHeaders(reply, result).send(result.body)
}

function withHeaders(reply: FastifyReply, { status, headers, cookies = [] }: Result): FastifyReply {
  reply.code(status).header('content-type', jsonType).header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  for (const name in headers) reply.header(name, headers[name])
  // Fastify appends each further set-cookie header.
  for (const cookie of cookies) reply.header('set-cookie', cookie)
  return reply
}

function untilLeft(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort(new Error('The client has gone.')))
  return leaving.signal
}

// A replayed answer has no deltas any more, so it is sent as one event.
function sendEvents(reply: FastifyReply, { body }: Result) {
  reply.code(200).header('content-type', `${eventsType}; charset=utf-8`).header('x-accel-buffering', 'no')
  return reply.send(body instanceof Readable ? body : `event: result\ndata: ${body}\n\n`)
}

/** The path as an idempotency key stores it, without query and trailing slash. */
function plainPath(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value
}

// Refuses every other type before any byte of the body is read, except JSON, which has its own limit.
function refusedType({ headers, routeOptions }: FastifyRequest): AppError | null {
  const { bodyTypes = [] } = routeOptions.config
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (bodyTypes.includes(type)) return null
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${listWords(bodyTypes)}.`)
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

// A body whose declared length is too large is refused before any byte of it is read.
function tooLong(request: FastifyRequest, bytesMax: number): AppError | null {
  return Number(request.headers['content-length'] ?? 0) > bytesMax ? tooLarge(bytesMax) : null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of the body, the usual one first. */
    bodyTypes?: readonly string[]
    /** Whether the response is a file. */
    isDownload?: boolean
    /** The limit of the body, if the operation has its own. */
    bytesMax?: number
  }
}
