import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import type { Span } from './traces/span.ts'
import { parseTraceparent } from './traces/trace-context.ts'
import { beginSpan, endSpan, isTracing, within } from './traces/traces.shell.ts'
import type { Caller } from './http/admission.ts'

/** Load balancers and Prometheus request these every few seconds. They have no trace, and their log lines have the level `debug`. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])
const failedFrom = 400
const brokenFrom = 500

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, even if the request was refused; null if the caller is unknown. */
    caller: Caller | null
    span: Span | null
  }
}

/**
 * Logs every request in one line and, if tracing is on, as a span. It contains the template of the path instead of the path,
 * which may have a token. It never contains a query, an address, a header or a part of a body.
 */
export function tellRequests(server: FastifyInstance, app: Pick<App, 'log' | 'config'>): void {
  server.decorateRequest('caller', null)
  server.decorateRequest('span', null)
  server.addHook('onRequest', (request, _reply, done) => {
    const span = findSpan(request)
    request.span = span
    if (span === null) done()
    else within(span, done)
  })
  // The body arrives in the async context of the connection, so the handler runs in the context of the request's span.
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.span === null) done()
    else within(request.span, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(app, request, reply)
    done()
  })
}

function findSpan(request: FastifyRequest): Span | null {
  const route = routePath(request)
  if (!isTracing() || probes.has(route)) return null
  const { traceparent } = request.headers
  return beginSpan(route === undefined ? request.method : `${request.method} ${route}`, {
    kind: 'server',
    parent: parseTraceparent(typeof traceparent === 'string' ? traceparent : null),
  })
}

function logRequest({ log, config }: Pick<App, 'log' | 'config'>, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, span, method, id: requestId } = request
  const { statusCode: status } = reply
  const route = routePath(request)
  const { operationId: operation } = request.routeOptions.config
  const { accountId, environment } = caller?.tenant ?? {}
  const wanted = config.requestLog === 'all' || (config.requestLog === 'failed' && status >= failedFrom)
  const level = probes.has(route) && status < failedFrom ? 'debug' : 'info'
  if (wanted && log.isLevelEnabled(level)) {
    log[level]({
      event: 'http.request',
      method,
      ...(route !== undefined && { route }),
      ...(operation !== undefined && operation !== route && { operation }),
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      requestId,
      ...(caller !== null && { accountId, environment, ...callerIds(caller) }),
      ...(span !== null && { traceId: span.context.traceId }),
      // The client disconnected before the end of the response.
      ...(!reply.raw.writableFinished && { cut: true }),
    })
  }
  if (span === null) return
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'overture.operation': operation,
    'overture.request_id': requestId,
    'overture.account_id': accountId,
    'overture.environment': environment,
  })
  endSpan(span, status >= brokenFrom ? String(status) : undefined)
}

function callerIds({ kind, id, userId }: Caller): { keyId: string } | { userId: string | null } {
  return kind === 'key' ? { keyId: id } : { userId }
}

/** For example `/v2/campaigns/:id`; undefined if no route matches. */
function routePath(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url
}
