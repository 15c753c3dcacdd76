import { readTrackingToken } from '../delivery/index.ts'
import type { TrackingToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { optOutPage } from './opt-out-page.ts'
import { recordClick, recordOpen, recordUnsubscribe } from './tracking.commands.ts'
import type { RequestFacts } from './tracking.commands.ts'

/** A transparent image of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const html = 'text/html; charset=utf-8'

/** Opt-out page and one-click POST, open pixel, click redirect. */
export function trackingRoutes(app: App): PublicRoute[] {
  const read = (purpose: 'unsubscribe' | 'open' | 'click', request: PublicRequest<'/:token'>): TrackingToken | null =>
    readTrackingToken((name, text) => app.secrets.verifyToken(name, text), purpose, request.params.token)
  return [
    publicRoute({
      method: 'GET',
      path: '/u/:token',
      handler: async (request, reply) => {
        const token = read('unsubscribe', request)
        return reply
          .code(token === null ? 404 : 200)
          .header('cache-control', 'no-store')
          .type(html)
          .send(optOutPage(token === null ? 'unknown' : 'ask'))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/u/:token',
      handler: async (request, reply) => {
        const token = read('unsubscribe', request)
        const state = token === null ? 'unknown' : await optOut(app, token, request)
        return reply.code(statusOf[state]).header('cache-control', 'no-store').type(html).send(optOutPage(state))
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/o/:token',
      handler: async (request, reply) => {
        const token = read('open', request)
        if (token !== null) await recordOpen(app, token, factsOf(request))
        return reply.code(200).header('cache-control', 'no-store, private').type('image/gif').send(pixel)
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/c/:token',
      handler: async (request, reply) => {
        const token = read('click', request)
        if (token?.target === null || token?.target === undefined || !/^https?:\/\//i.test(token.target)) {
          return reply.code(404).type(html).send(optOutPage('unknown'))
        }
        await recordClick(app, token, factsOf(request))
        return reply
          .code(302)
          .header('location', token.target)
          .header('cache-control', 'no-store, private')
          .header('referrer-policy', 'no-referrer')
          .send('')
      },
    }),
  ]
}

const statusOf = { done: 200, unknown: 404, too_old: 410, failed: 503 } as const

/** Told as done only when it is stored; a program that posted tries again where it could not be. */
async function optOut(app: App, token: TrackingToken, request: PublicRequest): Promise<'done' | 'too_old' | 'failed'> {
  try {
    const email = await recordUnsubscribe(app, token, { via: isOneClick(request.body) ? 'one_click' : 'link' })
    return email === null ? 'too_old' : 'done'
  } catch (error) {
    app.log.error({ event: 'opt_out.failed', requestId: request.id, ...errorFacts(error as Error) })
    return 'failed'
  }
}

function isOneClick(body: unknown): boolean {
  if (Buffer.isBuffer(body)) return body.includes('One-Click')
  return (
    typeof body === 'object' && body !== null && (body as Record<string, unknown>)['List-Unsubscribe'] === 'One-Click'
  )
}

function factsOf(request: PublicRequest): RequestFacts {
  const header = (name: string) => {
    const value = request.headers[name]
    return (Array.isArray(value) ? value.join(' ') : (value ?? '')).slice(0, 1_000)
  }
  return {
    method: request.method,
    userAgent: header('user-agent'),
    purpose: `${header('purpose')} ${header('sec-purpose')} ${header('x-purpose')} ${header('x-moz')}`,
  }
}
