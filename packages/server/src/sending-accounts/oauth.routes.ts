import type { FastifyReply } from 'fastify'
import type { App } from '../platform/app.ts'
import { readClientFacts, cookieNamed, stepCookie } from '../platform/http/client-facts.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { asksFirst, proofCookie, wasTaken } from './oauth/consent.ts'
import {
  accountOfLink,
  finishAuthorization,
  buildPageUrl,
  buildProviderUrl,
  stateLifeMs,
  stateOfLink,
} from './oauth/oauth.shell.ts'
import type { State } from './oauth/oauth-state.ts'
import { providerNames } from './oauth/oauth.ts'
import { finishAdminConsent } from './tenants/admin-consent.shell.ts'
import type { SendingAccountsTools } from './sending-accounts.routes.ts'

const linkRate = { name: 'oauth_link', perMinute: 30, burst: 30 }
const notValid = 'This link is not valid or has expired. Ask for a new one.'

type LinkRequest = PublicRequest<'/hooks/oauth/:provider/start'>

/**
 * The three pages that connect a mailbox: `start` names the account, `go` redirects to the provider, and the callback finishes.
 * A person with a link must visit them in this order in one browser. A same-site cookie proves that `go` was requested from the
 * `start` page, and the callback must come from the browser that started.
 */
export function sendingAccountsPublicRoutes(app: App, tools: SendingAccountsTools = {}): PublicRoute[] {
  return [
    publicRoute({
      method: 'GET',
      path: '/hooks/oauth/:provider/start',
      rate: linkRate,
      handler: (request, reply) => showAccount(app, request, reply),
    }),
    publicRoute({
      method: 'GET',
      path: '/hooks/oauth/:provider/go',
      rate: linkRate,
      handler: async (request, reply) => goToProvider(app, request, reply),
    }),
    publicRoute({
      method: 'GET',
      path: '/hooks/oauth/:provider',
      rate: linkRate,
      handler: (request, reply) => comeBack(app, tools, request, reply),
    }),
  ]
}

async function showAccount(app: App, request: LinkRequest, reply: FastifyReply) {
  const signed = queryText(request, 'state') ?? ''
  const state = readLink(app, request)
  const accountName = state === null ? '' : await accountOfLink(app, state)
  if (state === null || accountName === '') return sendPage(reply.code(400), notValid, null)
  const provider = providerNames[state.provider]
  const mailbox = state.email === '' ? `your ${provider} mailbox` : `the mailbox ${state.email} at ${provider}`
  const message =
    `You are about to connect ${mailbox} to the account “${accountName}”, which will read and send email there. ` +
    'If you do not know this account, close this window.'
  const go = { href: buildPageUrl(app, state.provider, 'go', signed), text: 'Connect it' }
  return sendPage(keepStep(app, request, reply, { state, step: 'shown' }), message, go)
}

function goToProvider(app: App, request: LinkRequest, reply: FastifyReply) {
  const state = readLink(app, request)
  if (state === null) return sendPage(reply.code(400), notValid, null)
  const signed = queryText(request, 'state') ?? ''
  if (!wasTaken(app.secrets, state, 'shown', cookieReader(request))) {
    return reply.header('cache-control', 'no-store').redirect(buildPageUrl(app, state.provider, 'start', signed), 303)
  }
  const url = buildProviderUrl(app, state, signed)
  return keepStep(app, request, reply, { state, step: 'agreed' }).header('cache-control', 'no-store').redirect(url, 303)
}

async function comeBack(app: App, tools: SendingAccountsTools, request: PublicRequest, reply: FastifyReply) {
  const consent =
    request.params['provider'] === 'microsoft' ? await finishAdminConsent(app, readConsent(request)) : null
  if (consent !== null) return sendPage(consent.kind === 'agreed' ? reply : reply.code(400), consent.message, null)
  const result = await finishAuthorization(
    app,
    {
      provider: request.params['provider'] ?? '',
      state: queryText(request, 'state') ?? '',
      code: queryText(request, 'code'),
      error: queryText(request, 'error'),
      errorDescription: queryText(request, 'error_description'),
      sessionId: (await tools.findSession?.(app, readClientFacts(request))) ?? null,
      cookie: cookieReader(request),
    },
    {
      changed: tools.changed ?? (() => Promise.resolve()),
      keyMayConnect: tools.keyMayConnect ?? (() => Promise.resolve(false)),
    },
  )
  const { returnPath } = result
  if (result.kind === 'connected' && returnPath !== null)
    return reply.header('cache-control', 'no-store').redirect(returnPath, 303)
  const back = returnPath === null ? null : { href: returnPath, text: 'Back to Overture' }
  if (result.kind === 'failed') return sendPage(reply.code(400), result.message, back)
  const message = `${result.email} is connected to the account “${result.accountName}”. You can close this window.`
  return sendPage(reply, message, back)
}

function readConsent(request: PublicRequest) {
  return {
    state: queryText(request, 'state') ?? '',
    adminConsent: queryText(request, 'admin_consent'),
    tenantId: queryText(request, 'tenant'),
    error: queryText(request, 'error'),
    errorDescription: queryText(request, 'error_description'),
  }
}

/** The state of a link that must begin at the `start` page. Null if the link has no such state or is too old. */
function readLink(app: App, request: LinkRequest): State | null {
  const state = stateOfLink(app, queryText(request, 'state') ?? '')
  return state !== null && state.provider === request.params.provider && asksFirst(state) ? state : null
}

// A `Strict` cookie is sent only with requests from our own pages. The callback is requested from the provider's page, so its
// cookie is `Lax`.
function keepStep(
  app: App,
  request: PublicRequest,
  reply: FastifyReply,
  { state, step }: { state: State; step: 'shown' | 'agreed' },
): FastifyReply {
  const cookie = stepCookie(readClientFacts(request), {
    ...proofCookie(app.secrets, state, step),
    lifeSeconds: stateLifeMs / 1000,
    sameSite: step === 'shown' ? 'Strict' : 'Lax',
  })
  return reply.header('set-cookie', cookie.header)
}

function cookieReader(request: PublicRequest): (name: string) => string | null {
  const client = readClientFacts(request)
  return (name) => {
    const cookie = stepCookie(client, { name, value: '', lifeSeconds: 0, sameSite: 'Strict' })
    return cookieNamed(request, cookie.name)
  }
}

function queryText(request: PublicRequest, name: string): string | null {
  const value = request.query[name]
  return typeof value === 'string' ? value : null
}

interface Link {
  href: string
  text: string
}

function sendPage(reply: FastifyReply, message: string, link: Link | null) {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replace(/[<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  const further = link === null ? '' : `<p><a href="${escaped(link.href)}">${escaped(link.text)}</a></p>`
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
        '<title>Overture</title><body style="font-family:system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem">' +
        `<p>${escaped(message)}</p>${further}</body></html>`,
    )
}
