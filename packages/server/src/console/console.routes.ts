import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import { publicRoute, type PublicRoute } from '../platform/http/public-route.ts'
import { buildingPage, failedPage } from './building-page.ts'
import { encodingFor, type Encoding } from './encodings.ts'
import { framePage, frameScript } from './frame-page.ts'
import { createPages, type PageFile } from './pages.shell.ts'
import { framePolicy, pagePolicy } from './policy.ts'

const yearSeconds = 31_536_000
const lookAgainSeconds = 2
const scriptHash = createHash('sha256').update(frameScript).digest('base64')

/** The routes of the console at `/app`, of the frame that displays a message, and the redirect from `/`. */
export function consoleRoutes({ config, log }: App): PublicRoute[] {
  if (!config.console) return []
  const pages = createPages(log)
  const serve = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const current = await pages.current()
    reply.header('content-security-policy', pagePolicy)
    if (current.state !== 'ready') return sendWaiting(reply, current.state)
    const file = current.pages.get(path)
    // A page that was open during a server update requests files of the old version.
    if (file === undefined && path.startsWith('assets/')) return reply.code(404).type('text/plain').send('Not found.')
    return sendFile(request, reply, file ?? current.pages.get('index.html')!)
  }
  return [
    publicRoute({ method: 'GET', path: '/', handler: async (_request, reply) => reply.redirect('/app/', 302) }),
    publicRoute({ method: 'GET', path: '/app', handler: (request, reply) => serve('index.html', request, reply) }),
    publicRoute({
      method: 'GET',
      path: '/app/*',
      handler: (request, reply) => serve((request.params as { '*': string })['*'], request, reply),
    }),
    publicRoute({ method: 'POST', path: '/app/frame', handler: sendFrame }),
  ]
}

function sendWaiting(reply: FastifyReply, state: 'building' | 'failed'): unknown {
  reply.code(503).type('text/html; charset=utf-8').header('cache-control', 'no-store')
  if (state === 'failed') return reply.send(failedPage)
  return reply
    .header('refresh', String(lookAgainSeconds))
    .header('retry-after', String(lookAgainSeconds))
    .send(buildingPage)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): unknown {
  const available: Encoding[] = [...file.bodies.keys()]
  const encoding = encodingFor(request.headers['accept-encoding'], available)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply
    .type(file.type)
    .header('vary', 'accept-encoding')
    .header('cache-control', file.hashed ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
    .send(file.bodies.get(encoding))
}

const sendFrame: PublicRoute['handler'] = async (request, reply) => {
  // Only pages of this server may use the frame: another site could otherwise show any content under this server's name.
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new AppError('NOT_FOUND', 'Not found.')
  const { html = '', images = '', theme = '' } = (request.body ?? {}) as Partial<Record<string, string>>
  return reply
    .header('content-security-policy', framePolicy({ scriptHash, remoteImages: images === '1' }))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(framePage(html, theme === 'dark' ? 'dark' : 'light'))
}
