import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '@overture/contract/errors.ts'
import { toOpenApi30 } from '@overture/contract/document/openapi-30.ts'
import { buildOpenApi } from '@overture/contract/document/openapi.ts'
import type { App } from '../app.ts'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { clockSkewMsMax, measureClockSkew } from '../db/clock-skew.sql.ts'
import { metrics } from '../metrics.shell.ts'
import { createAddressLimit, isForwardedByUnknown } from './address-limit.shell.ts'
import { mayReadMetrics } from '../metrics-access.ts'
import { docsRoutes } from './docs.routes.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from './public-route.ts'
import type { Route } from './route.ts'

const publicBodyBytesMax = 1024 * 1024
const readyTimeoutMs = 2000
/** Placeholder for the server's URL in the cached document. */
const serverUrlMark = 'https://server.invalid'

interface SiteOptions {
  app: App
  routes: readonly Route[]
  publicUrl?: string | undefined
  isDraining(): boolean
  measure?: () => Promise<void>
}

/** Health, metrics, the API document and the reference page that renders it. */
export function siteRoutes(options: SiteOptions): PublicRoute[] {
  const databaseAnswers = createProbe(options.app)
  const documentFor = createDocuments(options)
  return [
    get('/healthz', async (_request, reply) => sendHealth(options.app, reply)),
    get('/readyz', async (request, reply) => {
      const failing = options.app.heartbeats.failing()
      const ready = !options.isDraining() && failing.length === 0 && (await databaseAnswers())
      // For `overture doctor`, which requests the public URL and checks how a proxy in between changes the request.
      reply.header('x-overture-scheme', request.protocol)
      if (isForwardedByUnknown(request)) reply.header('x-overture-proxy', 'unknown')
      const body = { status: ready ? 'ok' : 'unavailable', ...(failing.length > 0 && { failing }) }
      return reply.code(ready ? 200 : 503).send(body)
    }),
    get('/metrics', async (request, reply) => sendMetrics(options, request, reply)),
    ...(['/openapi.json', '/openapi-3.0.json'] as const).map((path) =>
      get(path, async (request, reply) => {
        const text = documentFor.text(path, findServerUrl(request, options.publicUrl))
        return reply.type('application/json').header('cache-control', 'no-cache').send(text)
      }),
    ),
    ...docsRoutes(options.app.log, () => documentFor.parsed()),
  ]
}

/** A process that serves requests but whose workers are stuck must be restarted. The database is the concern of /readyz. */
function sendHealth({ heartbeats, log, replica }: App, reply: FastifyReply): FastifyReply {
  const stuck = heartbeats.stuck(monotonicMs())
  // A missing replica or hindered gates are no reason for a restart: the process works without a replica, and gates are hindered
  // from outside.
  const beside = {
    ...(replica !== undefined && { replica: replica.state }),
    ...(heartbeats.areGatesHindered && { gates: 'hindered' }),
  }
  if (stuck.length === 0) return reply.send({ status: 'ok', ...beside })
  log.error({ event: 'process.stuck', loops: stuck })
  return reply.code(503).send({ status: 'stuck', loops: stuck, ...beside })
}

async function sendMetrics(
  { app: { config }, measure }: SiteOptions,
  request: PublicRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { headers, ip, socket } = request
  const forwarded = headers['x-forwarded-for'] ?? headers['forwarded']
  const isForwarded = forwarded !== undefined && ip === socket.remoteAddress
  if (mayReadMetrics(config.metricsToken, { authorization: headers.authorization, address: ip, isForwarded })) {
    await measure?.()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  }
  reply.header('www-authenticate', 'Bearer')
  throw new AppError(
    'UNAUTHORIZED',
    'Send OVERTURE_METRICS_TOKEN as a bearer token. Without a token, metrics are served only to this machine.',
  )
}

type DocumentPath = '/openapi.json' | '/openapi-3.0.json'

interface Documents {
  text(path: DocumentPath, serverUrl: string): string
  /** The parsed document of the first path. */
  parsed(): object
}

/** Caches the document, whatever host name is requested: building it takes a tenth of a second. */
function createDocuments({ routes }: SiteOptions): Documents {
  let built: Record<DocumentPath, readonly string[]> | null = null
  const splitAtUrl = (document: object) => JSON.stringify(document).split(JSON.stringify(serverUrlMark))
  const text = (path: DocumentPath, serverUrl: string): string => {
    if (built === null) {
      // A dry run is described with the call that it simulates.
      const endpoints = routes.map((route) => route.endpoint).filter(({ always }) => always === undefined)
      const document = buildOpenApi(endpoints, { serverUrl: serverUrlMark })
      built = { '/openapi.json': splitAtUrl(document), '/openapi-3.0.json': splitAtUrl(toOpenApi30(document)) }
    }
    return built[path].join(JSON.stringify(serverUrl))
  }
  return { text, parsed: () => JSON.parse(text('/openapi.json', '/')) as object }
}

/** Mounts the routes that need no key, with security headers for browsers. */
export function mountPublicRoutes(server: FastifyInstance, log: Logger, routes: readonly PublicRoute[]): void {
  const limit = createAddressLimit(log)
  void server.register(async (scope) => {
    await scope.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
        },
      },
      // Webmail shows the pixel from another origin. HSTS is the decision of the proxy.
      crossOriginResourcePolicy: { policy: 'cross-origin' },
      strictTransportSecurity: false,
    })
    await scope.register(formbody, { bodyLimit: publicBodyBytesMax })
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: publicBodyBytesMax }, (_request, body, done) => {
      done(null, body)
    })
    for (const route of routes) {
      scope.route({
        method: route.method,
        url: route.path,
        config: { operationId: route.path },
        ...(route.rate !== undefined && { onRequest: limit(route.rate) }),
        handler: (request, reply) => route.handler(request as PublicRequest, reply),
      })
    }
  })
}

function get<const Path extends string>(path: Path, handler: PublicRoute<Path>['handler']): PublicRoute {
  return publicRoute({ method: 'GET', path, handler })
}

// The server URL for "Try it", for every host name of the page. It is the operator's URL if the host matches, since that URL
// knows whether a proxy uses TLS, or the address of the connection. Any other name is only the client's claim, so the result is a
// path without a host.
function findServerUrl(request: PublicRequest, publicUrl: string | undefined): string {
  const { host, protocol, socket } = request
  if (publicUrl !== undefined && new URL(publicUrl).host === host) return publicUrl
  const { localAddress = '', localPort } = socket
  const address = localAddress.replace(/^::ffff:/, '')
  const names = [address.includes(':') ? `[${address}]` : address, ...(isLoopback(address) ? ['localhost'] : [])]
  return names.some((name) => host === `${name}:${localPort}`) ? `${protocol}://${host}` : '/'
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** Sends one query at a time: while the database is silent, further readiness checks use no more connections. */
function createProbe(app: App): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null
  return () => {
    asking ??= measureClockSkew(app.db, app.clock)
      .then(
        (skewMs) => isInTime(app, skewMs),
        () => false,
      )
      .finally(() => (asking = null))
    return Promise.race([asking, sleep(readyTimeoutMs).then(() => false)])
  }
}

function isInTime({ log }: App, skewMs: number): boolean {
  if (Math.abs(skewMs) <= clockSkewMsMax) return true
  log.error({ event: 'clock.skewed', skewMs })
  return false
}
