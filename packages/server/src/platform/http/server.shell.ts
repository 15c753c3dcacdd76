import { minuteMs } from '@overture/ground/time/spans.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { jsonBytesMax } from '@overture/contract/endpoint.ts'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../app.ts'
import { httpRequests, httpSeconds, refusals } from '../metrics.shell.ts'
import type { Admissions } from './admit.shell.ts'
import { mountApi } from './api.shell.ts'
import { describeError, errorBody, StillRunningError, toErrorAnswer } from './error-body.ts'
import type { PublicRoute } from './public-route.ts'
import { createRequestIds } from '../request-ids.ts'
import type { Route } from './route.ts'
import { version } from '../version.ts'
import { tellRequests } from '../request-log.shell.ts'
import { mountPublicRoutes, siteRoutes } from './site.routes.ts'

const apiPrefix = '/v2/'
const drainedBytesMax = 64 * 1024 * 1024
const requestTimeoutMs = 10 * minuteMs
const keepAliveTimeoutMs = 72_000
const unusedCheckMs = 100
const unusedChecksMax = 50
// Ids are opaque and may be any text that fits a URL; Node limits the header block to 16 KiB.
const paramLengthMax = 20_000

interface HttpServerOptions extends Admissions {
  app: App
  routes: readonly Route[]
  publicRoutes?: readonly PublicRoute[]
  /** The URL for `servers` of /openapi.json; defaults to the requested host. */
  publicUrl?: string | undefined
  /** Updates values that are measured only on request. */
  measure?: () => Promise<void>
  /** Validates every answer against the output schema of its endpoint and throws on a mismatch; for tests. */
  checkAnswers?: boolean
}

export interface HttpServer {
  /** Listens and returns `http://HOST:PORT`. Port 0 chooses a free port. */
  listen(address: { host: string; port: number }): Promise<string>
  /** From now on /readyz returns 503, so that a load balancer sends no new requests. */
  drain(): void
  /** Accepts no new connections, answers running requests, then resolves. */
  close(): Promise<void>
}

/** The whole HTTP server: `/v2` with its checks, the pages and hooks outside of it, health, metrics and the API document. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app } = options
  let draining = false
  const server = createServer(app, () => draining)
  const closeUnused = followConnections(server.server)
  mountApi(server, options)
  const site = siteRoutes({ ...options, isDraining: () => draining })
  mountPublicRoutes(server, app.log, [...site, ...(options.publicRoutes ?? [])])
  await server.ready()
  return {
    async listen(address) {
      await server.listen(address)
      const bound = server.server.address()
      const port = typeof bound === 'object' && bound !== null ? bound.port : address.port
      const host = address.host.includes(':') ? `[${address.host}]` : address.host
      return `http://${host}:${port}`
    },
    drain() {
      draining = true
    },
    async close() {
      draining = true
      const checks = setInterval(closeUnused, unusedCheckMs)
      await server.close().finally(() => clearInterval(checks))
    },
  }
}

function createServer(app: App, isDraining: () => boolean): FastifyInstance {
  const nextId = createRequestIds()
  const server = Fastify({
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    bodyLimit: jsonBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    trustProxy: [...app.config.trustedProxies],
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramLengthMax },
    frameworkErrors: (error, request, reply) => sendError(app, error, request, reply),
    clientErrorHandler(_error, socket) {
      if (socket.writable) socket.end(unreadable(nextId()))
      else socket.destroy()
    },
  })
  server.decorate('publicUrlIsSecure', app.config.publicUrl.startsWith('https:'))
  // Lets GET requests have a body, so that an unexpected body is refused like an unknown field and not dropped silently.
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  server.removeAllContentTypeParsers()
  tellRequests(server, app)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith(apiPrefix)) reply.header('x-overture-version', version)
    // Sent here, because an unknown route with a body would otherwise be refused for its media type.
    if (request.is404) return sendNotFound(request, reply)
    if (!hasBody(request)) delete request.raw.headers['content-type']
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operationId ?? 'other'
    httpRequests.inc({ operation, status: reply.statusCode })
    httpSeconds.observe(reply.elapsedTime / 1000)
    readToEnd(request, reply, isDraining())
    done()
  })
  server.setNotFoundHandler(sendNotFound)
  server.setErrorHandler((error, request, reply) => sendError(app, error, request, reply))
  return server
}

// Node counts a connection as busy before its first request, which browsers and clients open ahead, and while the rest of a refused
// upload arrives. Without this, such a connection would delay a stop by a minute.
function followConnections(server: Server): () => void {
  const connections = new Map<Socket, { running: number; unusedChecks: number }>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { running: 0, unusedChecks: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    connection.running++
    response.once('close', () => connection.running--)
  })
  return () => {
    for (const [socket, connection] of connections) {
      connection.unusedChecks = connection.running === 0 ? connection.unusedChecks + 1 : 0
      if (connection.running > 0) continue
      // The rest of an upload has some seconds, so that its client reads the response.
      if (socket.bytesRead === 0 || connection.unusedChecks > unusedChecksMax) socket.destroy()
    }
  }
}

// Input that is not HTTP, or has endless headers, never becomes a request. It still gets a response in the usual error format.
function unreadable(requestId: string): string {
  const body = errorBody(toErrorAnswer({ statusCode: 400 }), requestId)
  const head = [
    'HTTP/1.1 400 Bad Request',
    'connection: close',
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
  ]
  return [...head, `x-request-id: ${requestId}`, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  keepOpen(request, reply)
  const body = errorBody({ status: 404, code: 'NOT_FOUND', message: 'Not found.', details: undefined }, request.id)
  void asError(reply.code(404)).send(body)
}

function sendError(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = toErrorAnswer(error, request.routeOptions?.bodyLimit)
  refusals.inc({ code: answer.code })
  if (answer.status === 500) {
    const operation = request.routeOptions?.config?.operationId
    app.log.error({ event: 'http.request_failed', requestId: request.id, operation, error: describeError(error) })
  }
  reply.header('x-request-id', request.id)
  if (error instanceof StillRunningError) reply.header('retry-after', String(error.retryAfterSeconds))
  const waitSeconds = answer.details?.['retryAfterSeconds']
  if (typeof waitSeconds === 'number') reply.header('retry-after', String(waitSeconds))
  keepOpen(request, reply)
  void asError(reply.code(answer.status)).send(errorBody(answer, request.id))
}

/** The headers of an error: no cache stores it, and browsers read it as JSON only. */
function asError(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
}

// Keeps the connection open until the request body was read. If it were closed at once, a client that is still writing would lose
// the connection before it reads the response.
function keepOpen(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers } = request
  const isWriting = hasBody(request) && !raw.complete
  if (!isWriting || !(Number(headers['content-length']) <= drainedBytesMax)) return
  reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
}

// Reads the rest of a refused upload; otherwise it would keep its connection open and block a stop. Closes the connection after
// the last response of a stop, because a keep-alive client would also block it.
function readToEnd({ raw, headers }: FastifyRequest, reply: FastifyReply, isDraining: boolean): void {
  const wanted = headers.connection?.toLowerCase()
  const isLast = isDraining || wanted === 'close' || (raw.httpVersion === '1.0' && wanted !== 'keep-alive')
  if (reply.raw.shouldKeepAlive && isLast) {
    if (raw.complete) raw.socket.end()
    else raw.once('end', () => raw.socket.end())
  }
  if (!raw.complete) raw.resume()
}

function hasBody(request: FastifyRequest): boolean {
  const length = request.headers['content-length']
  return (length !== undefined && length !== '0') || request.headers['transfer-encoding'] !== undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
  }
}
