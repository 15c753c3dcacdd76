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
/** Stands for the server's URL in the document that is kept. */
const serverUrlMark = 'https://server.invalid'

interface SiteOptions {
  app: App
  routes: readonly Route[]
  publicUrl?: string | undefined
  isDraining(): boolean
  measure?: () => Promise<void>
}

/** Health, metrics, the document and the reference that renders it. */
export function siteRoutes(options: SiteOptions): PublicRoute[] {
  const databaseAnswers = createProbe(options.app)
  const documentFor = createDocuments(options)
  return [
    get('/healthz', async (_request, reply) => sendHealth(options.app, reply)),
    get('/readyz', async (request, reply) => {
      const ready = !options.isDraining() && (await databaseAnswers())
      // For overture doctor, which asks by the public URL: what a proxy in between makes of it.
      reply.header('x-overture-scheme', request.protocol)
      if (isForwardedByUnknown(request)) reply.header('x-overture-proxy', 'unknown')
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' })
    }),
    get('/metrics', async (request, reply) => sendMetrics(options, request, reply)),
    ...(['/openapi.json', '/openapi-3.0.json'] as const).map((path) =>
      get(path, async (request, reply) => {
        const text = documentFor.text(path, serverUrlOf(request, options.publicUrl))
        return reply.type('application/json').header('cache-control', 'no-cache').send(text)
      }),
    ),
    ...docsRoutes(options.app.log, () => documentFor.parsed()),
  ]
}

/** A process that serves and works no more is to be started again; its database is another matter, which /readyz tells. */
function sendHealth({ heartbeats, log, replica }: App, reply: FastifyReply): FastifyReply {
  const stuck = heartbeats.stuck(monotonicMs())
  // Without its replica it serves as well, and what hinders gates lies elsewhere: no reasons to start it again.
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
  throw new AppError('UNAUTHORIZED', 'Metrics are for who shows OVERTURE_METRICS_TOKEN; without one, for this machine.')
}

type DocumentPath = '/openapi.json' | '/openapi-3.0.json'

interface Documents {
  text(path: DocumentPath, serverUrl: string): string
  /** What the first of them says. */
  parsed(): object
}

/** Building the document takes a tenth of a second, so it is built once, whatever name it is asked by. */
function createDocuments({ routes }: SiteOptions): Documents {
  let built: Record<DocumentPath, readonly string[]> | null = null
  const splitAtUrl = (document: object) => JSON.stringify(document).split(JSON.stringify(serverUrlMark))
  const text = (path: DocumentPath, serverUrl: string): string => {
    if (built === null) {
      // A dry run is told with the call that it is of.
      const endpoints = routes.map((route) => route.endpoint).filter(({ always }) => always === undefined)
      const document = buildOpenApi(endpoints, { serverUrl: serverUrlMark })
      built = { '/openapi.json': splitAtUrl(document), '/openapi-3.0.json': splitAtUrl(toOpenApi30(document)) }
    }
    return built[path].join(JSON.stringify(serverUrl))
  }
  return { text, parsed: () => JSON.parse(text('/openapi.json', '/')) as object }
}

/** Mounts what needs no key, with the headers that a browser should see. */
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
      // The pixel is shown by webmail on another origin; whether to insist on TLS is the proxy's to say.
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

// "Try it" works from whatever name the page was asked by: the operator's URL, which knows whether a proxy speaks TLS; the
// very address that was connected to; and for any other name, which is the client's word alone, a path without one.
function serverUrlOf(request: PublicRequest, publicUrl: string | undefined): string {
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

/** Asks one question at a time: while the database is silent, those who want to know take up no more connections. */
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
