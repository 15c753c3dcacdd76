import type { FastifyReply } from 'fastify'
import { notFound } from '@overture/contract/errors.ts'
import { findFirstAccountIdAcrossAccounts } from '../../accounts/index.ts'
import type { App } from '../../platform/app.ts'
import type { Admission } from '../../platform/http/admission.ts'
import type { AddressRate } from '../../platform/http/address-rates.ts'
import { readClientFacts, cookieNamed, flowCookie } from '../../platform/http/client-facts.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../../platform/http/public-route.ts'
import type { OidcConfig } from '../../platform/oidc-config.ts'
import { signedInCookies, type SignedIn } from '../session.commands.ts'
import { recordSignIn, type SignInRequest } from '../sign-in-audit.commands.ts'
import { arrive } from './arrival.shell.ts'
import { flowLifeMs, openFlow, sealFlow, readTarget, type Flow } from './flow.ts'
import { createIssuer, type Issuer } from './issuer.client.ts'

/** A whole office may share one address, and each response costs calls to the issuer. */
const rate: AddressRate = { name: 'single_sign_on', perMinute: 120, burst: 60 }
const startPath = '/v2/auth/oidc/start'
const callbackPath = '/v2/auth/oidc/callback'

interface SingleSignOn {
  app: App
  config: OidcConfig
  issuer: Issuer
  admission: Pick<Admission, 'forget'>
}

/** The two pages of a sign-in: one sends the browser to the issuer, the other receives it. Both redirect. */
export function singleSignOnRoutes(app: App, { admission }: Pick<SingleSignOn, 'admission'>): PublicRoute[] {
  const config = app.config.signIn.oidc
  const tools = config === null ? null : { app, config, issuer: createIssuer(app, config), admission }
  const page = (path: string, answer: (tools: SingleSignOn, request: PublicRequest, reply: FastifyReply) => unknown) =>
    publicRoute({
      method: 'GET',
      path,
      rate,
      async handler(request, reply) {
        if (tools === null) throw notFound()
        reply.header('cache-control', 'no-store')
        return answer(tools, request, reply)
      },
    })
  return [page(startPath, start), page(callbackPath, finish)]
}

/** Redirects the browser to the issuer, with a cookie that identifies it when it returns. */
async function start({ app, issuer }: SingleSignOn, request: PublicRequest, reply: FastifyReply): Promise<unknown> {
  const target = readTarget(request.query['to'])
  const ours = new URL(app.config.publicUrl)
  // The issuer redirects every browser to the host of the public URL, which can read only its own cookie, so the sign-in must
  // start there.
  if (request.host !== ours.host && request.query['moved'] === undefined)
    return reply.redirect(
      `${ours.origin}${startPath}?${new URLSearchParams({ to: target, moved: '1' }).toString()}`,
      302,
    )
  const begun = await issuer.begin(buildRedirectUri(app))
  if (begun.kind !== 'begun') {
    app.log.warn({ event: 'sign_in.issuer_failed', kind: begun.kind, reason: begun.reason })
    return refuse(reply, begun.kind)
  }
  const expiresAtMs = app.clock.now().getTime() + flowLifeMs
  const sealed = sealFlow(app.secrets, { ...begun.secrets, target, expiresAtMs })
  reply.header(
    'set-cookie',
    flowCookie(readClientFacts(request), { value: sealed, lifeSeconds: flowLifeMs / 1000 }).header,
  )
  return reply.redirect(begun.url, 302)
}

/** Handles the return of the browser. The issuer's result counts only for the browser that started here. */
async function finish(tools: SingleSignOn, request: PublicRequest, reply: FastifyReply): Promise<unknown> {
  const { app } = tools
  const client = readClientFacts(request)
  const signIn: SignInRequest = { action: 'oidcLogin', client, requestId: request.id, now: app.clock.now() }
  const flow = openFlow(app.secrets, cookieNamed(request, flowCookie(client, null).name), signIn.now)
  if (flow === null || request.query['state'] !== flow.state) {
    await recordFailure(tools, signIn)
    return refuse(reply, 'expired')
  }
  const gone = flowCookie(client, null).header
  const result = await come(tools, { signIn, flow, search: searchParams(request) })
  if (result.kind === 'refused') {
    reply.header('set-cookie', gone)
    return refuse(reply, result.reason)
  }
  const { session, device } = signedInCookies(app.secrets, client, { ...result.signedIn, now: signIn.now })
  reply.header('set-cookie', [gone, device, session])
  return reply.redirect(flow.target, 302)
}

type Outcome = { kind: 'in'; signedIn: SignedIn } | { kind: 'refused'; reason: string }

async function come(
  tools: SingleSignOn,
  { signIn, flow, search }: { signIn: SignInRequest; flow: Flow; search: string },
): Promise<Outcome> {
  const { app, config, issuer, admission } = tools
  const answer = await issuer.finish(new URL(`${buildRedirectUri(app)}${search}`), flow)
  if (answer.kind !== 'known') {
    app.log.warn({ event: 'sign_in.issuer_failed', kind: answer.kind, reason: answer.reason })
    await recordFailure(tools, signIn)
    return { kind: 'refused', reason: answer.reason === 'access_denied' ? 'denied' : answer.kind }
  }
  const accountId = await findAccountId(tools)
  const arrived = await app.db.transaction((tx) =>
    arrive(tx, { accountId, identity: answer.identity, config, request: signIn }),
  )
  // A role that the issuer changed also limits keys.
  admission.forget(accountId)
  return arrived
}

async function recordFailure(tools: SingleSignOn, signIn: SignInRequest): Promise<void> {
  await recordSignIn(tools.app.db, { accountId: await findAccountId(tools), id: null, name: null }, signIn, 'denied')
}

async function findAccountId({ app, config }: SingleSignOn): Promise<string> {
  return config.accountId ?? (await findFirstAccountIdAcrossAccounts(app.db)) ?? ''
}

function buildRedirectUri({ config }: App): string {
  return `${config.publicUrl}${callbackPath}`
}

function searchParams({ url }: PublicRequest): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

/** Redirects to the console with a code for the reason of the refusal. */
function refuse(reply: FastifyReply, reason: string): unknown {
  return reply.redirect(`/app/sign-in?refused=${reason}`, 302)
}
