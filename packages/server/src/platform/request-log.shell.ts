import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import type { Span } from './traces/span.ts'
import { parseTraceparent } from './traces/trace-context.ts'
import { beginSpan, endSpan, isTracing, within } from './traces/traces.shell.ts'
import type { Caller } from './http/admission.ts'

/** Asked every few seconds by balancers and by Prometheus: they are no part of a trace, and their lines are for `debug`. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics'])
const failedFrom = 400
const brokenFrom = 500

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, also where that is refused; null: nobody who is known. */
    caller: Caller | null
    span: Span | null
  }
}

/**
 * Tells every request in one line and, where somebody wants them, as a span: by the template of its path and never by the
 * path, which may hold a token; never a query, an address, a header or a word of a body.
 */
export function tellRequests(server: FastifyInstance, app: Pick<App, 'log' | 'config'>): void {
  server.decorateRequest('caller', null)
  server.decorateRequest('span', null)
  server.addHook('onRequest', (request, _reply, done) => {
    const span = spanOf(request)
    request.span = span
    if (span === null) done()
    else within(span, done)
  })
  // A body arrives in the name of its connection; what is done with it goes on with its request.
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.span === null) done()
    else within(request.span, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    tell(app, request, reply)
    done()
  })
}

function spanOf(request: FastifyRequest): Span | null {
  const route = routeOf(request)
  if (!isTracing() || probes.has(route)) return null
  const { traceparent } = request.headers
  return beginSpan(route === undefined ? request.method : `${request.method} ${route}`, {
    kind: 'server',
    parent: parseTraceparent(typeof traceparent === 'string' ? traceparent : null),
  })
}

function tell({ log, config }: Pick<App, 'log' | 'config'>, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, span, method, id: requestId } = request
  const { statusCode: status } = reply
  const route = routeOf(request)
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
      ...(caller !== null && { accountId, environment, ...whoOf(caller) }),
      ...(span !== null && { traceId: span.context.traceId }),
      // Whoever asked was gone before the answer had ended.
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

function whoOf({ kind, id, userId }: Caller): { keyId: string } | { userId: string | null } {
  return kind === 'key' ? { keyId: id } : { userId }
}

/** `/v2/campaigns/:id`; undefined where nothing is there. */
function routeOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url
}
