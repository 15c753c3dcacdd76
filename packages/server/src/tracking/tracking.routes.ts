import { pageLanguage } from '@overture/ground/text/page-language.ts'
import type { FastifyReply } from 'fastify'
import { readOptOut, readTrackingToken } from '../delivery/index.ts'
import type { OptOutToken, TrackingPurpose, TrackingToken } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { isForeignKeyViolation } from '../platform/db/errors.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { optOutPage } from './opt-out-page.ts'
import type { OptOutState } from './words/words.ts'
import { createHitRecorder } from './hit-recorder.shell.ts'
import type { RequestFacts } from './hits.commands.ts'
import { senderOfLink } from './sender-of-link.shell.ts'
import { recordOtherAddress, recordUnsubscribe } from './tracking.commands.ts'

/** A transparent image of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const html = 'text/html; charset=utf-8'
// Mailbox providers post opt-outs and fetch pictures for all their users from a few addresses.
const optOutRate = { name: 'opt_out', perMinute: 600, burst: 300 }
const hitRate = { name: 'hit', perMinute: 1_200, burst: 600 }

/** The routes for the opt-out page, one-click POST, open pixel and click redirect. */
export function trackingRoutes(app: App): PublicRoute[] {
  return [...optOutRoutes(app), ...hitRoutes(app)]
}

function optOutRoutes(app: App): PublicRoute[] {
  const answer = async (request: PublicRequest, reply: FastifyReply, { state, token }: OptOutAnswer) => {
    const page = {
      state,
      language: pageLanguage(request.headers['accept-language']),
      email: token?.email ?? null,
      sender: token === null ? null : await senderOfLink(app, token),
    }
    return reply
      .code(statuses[state])
      .header('cache-control', 'no-store')
      .header('vary', 'accept-language')
      .type(html)
      .send(optOutPage(page))
  }
  return [
    publicRoute({
      method: 'GET',
      path: '/u/:token',
      rate: optOutRate,
      handler: async (request, reply) => {
        const token = readOptOut(app.secrets, request.params.token)
        return answer(request, reply, { state: token === null ? 'unknown' : 'ask', token })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/u/:token',
      rate: optOutRate,
      handler: async (request, reply) => {
        const token = readOptOut(app.secrets, request.params.token)
        const state = token === null ? 'unknown' : await optOut(app, token, request)
        return answer(request, reply, { state, token })
      },
    }),
  ]
}

interface OptOutAnswer {
  state: OptOutState
  /** Null if the link is not valid. */
  token: OptOutToken | null
}

function hitRoutes(app: App): PublicRoute[] {
  const recorder = createHitRecorder(app)
  const record = (what: 'open' | 'click', token: TrackingToken, request: PublicRequest) =>
    recorder.record({
      what,
      token,
      request: readRequestFacts(request),
      // The time of the test environment is in the database, so for hits that wait during an outage it is read afterwards.
      at: token.environment === 'live' ? app.clock.now() : null,
    })
  return [
    publicRoute({
      method: 'GET',
      path: '/o/:token',
      rate: hitRate,
      handler: async (request, reply) => {
        const token = read(app, 'open', request)
        if (token !== null) await record('open', token, request)
        return reply.code(200).header('cache-control', 'no-store, private').type('image/gif').send(pixel)
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/c/:token',
      rate: hitRate,
      handler: async (request, reply) => {
        const token = read(app, 'click', request)
        const location = encodeLocation(token?.target ?? null)
        if (token === null || location === null) {
          const language = pageLanguage(request.headers['accept-language'])
          return reply
            .code(404)
            .type(html)
            .send(optOutPage({ state: 'unknown', language, email: null, sender: null }))
        }
        await record('click', token, request)
        return reply
          .code(302)
          .header('location', location)
          .header('cache-control', 'no-store, private')
          .header('referrer-policy', 'no-referrer')
          .send('')
      },
    }),
  ]
}

function read(app: App, purpose: TrackingPurpose, request: PublicRequest<'/:token'>): TrackingToken | null {
  return readTrackingToken((name, text) => app.secrets.verifyToken(name, text), purpose, request.params.token)
}

const statuses = {
  ask: 200,
  done: 200,
  other: 200,
  invalid: 400,
  too_many: 429,
  unknown: 404,
  gone: 200,
  failed: 503,
} as const satisfies Record<OptOutState, number>

/** Reports success only after the opt-out is stored, so that a mail program retries the POST after a failure. */
async function optOut(app: App, token: OptOutToken, request: PublicRequest): Promise<Exclude<OptOutState, 'ask'>> {
  try {
    const typed = typedAddress(request.body)
    if (typed !== null) return await recordOtherAddress(app, token, typed)
    await recordUnsubscribe(app, token, { via: isOneClick(request.body) ? 'one_click' : 'link' })
    return 'done'
  } catch (error) {
    // For a deleted account nothing can be stored, and it sends no more mail.
    if (isForeignKeyViolation(error, 'suppressions_account_id_fkey')) return 'gone'
    app.log.error({ event: 'opt_out.failed', requestId: request.id, ...errorFacts(error as Error) })
    return 'failed'
  }
}

/** The address that was typed into the page's form; null for every other request. */
function typedAddress(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return null
  const { address } = body as Record<string, unknown>
  return typeof address === 'string' ? address : null
}

function isOneClick(body: unknown): boolean {
  if (Buffer.isBuffer(body)) return body.includes('One-Click')
  return (
    typeof body === 'object' && body !== null && (body as Record<string, unknown>)['List-Unsubscribe'] === 'One-Click'
  )
}

/** The URL in the form of a header: names in ASCII, everything else percent-encoded. */
function encodeLocation(target: string | null): string | null {
  if (target === null || !URL.canParse(target)) return null
  const { protocol, href } = new URL(target)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

function readRequestFacts(request: PublicRequest): RequestFacts {
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
