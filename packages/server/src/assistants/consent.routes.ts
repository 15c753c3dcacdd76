import { z } from 'zod'
import type { Environment } from '@overture/contract/endpoint.ts'
import { type GrantScope, grantScope } from '@overture/contract/accounts/grants.ts'
import { environment as environments } from '@overture/contract/common.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'
import { confirmation } from '@overture/contract/team/confirmation.ts'
import type { FastifyRequest } from 'fastify'
import { findAccount } from '../accounts/index.ts'
import type { App } from '../platform/app.ts'
import { insertAuditEntry } from '../platform/audit/audit.sql.ts'
import type { Caller, SessionAdmission } from '../platform/http/admission.ts'
import { cookieNamed, readClientFacts, requestOrigin } from '../platform/http/client-facts.ts'
import type { AddressRate } from '../platform/http/address-rates.ts'
import type { Executor } from '../platform/db/database.ts'
import { parseJson } from '../platform/http/json.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import type { Protection } from '../platform/http/route.ts'
import type { McpConfig } from '../platform/mcp-config.ts'
import { chosenScopes, clientHost, clientLabel, grantableEnvironments, grantableScopes } from './grant.ts'
import { createGrant } from './grants.commands.ts'
import { requestCookie, resourceUrl } from './oauth-paths.ts'
import { recordDigest } from './record-key.ts'
import { updateRecordConsumed } from './records.sql.ts'
import type { AuthorizationServer, GrantRequest } from './server.shell.ts'

const rate: AddressRate = { name: 'oauth_consent', perMinute: 60, burst: 30 }
const consentPath = '/oauth/consent'
const choice = z.strictObject({
  /** The request that the page showed, so that the answer can't be for one that another page began meanwhile. */
  id: z.string(),
  allow: z.boolean(),
  environment: environments,
  scopes: z.array(grantScope).max(4),
  confirm: confirmation.optional(),
})

interface ConsentTools {
  app: App
  mcp: McpConfig
  server: AuthorizationServer
  sessions: SessionAdmission
  protection: Protection
}

/** The requests of the consent page of the console. They work with the session of a person alone. */
export function consentRoutes(tools: ConsentTools): PublicRoute[] {
  return [
    publicRoute({
      method: 'GET',
      path: consentPath,
      rate,
      async handler(request, reply) {
        reply.header('cache-control', 'no-store')
        return showRequest(tools, request)
      },
    }),
    publicRoute({
      method: 'POST',
      path: consentPath,
      rate,
      async handler(request, reply) {
        reply.header('cache-control', 'no-store')
        return decide(tools, request)
      },
    }),
  ]
}

async function showRequest(tools: ConsentTools, request: PublicRequest): Promise<unknown> {
  if (requestOrigin(request) === 'foreign') throw foreignPage()
  const { app, mcp } = tools
  const caller = await findCaller(tools, request, 'test')
  const asked = await findRequest(tools, request)
  const account = await findAccount(app.db, caller.tenant.accountId)
  const { role } = caller
  return {
    id: asked.id,
    client: { name: asked.name, host: asked.host, redirectHost: asked.redirectHost },
    account: account?.name ?? '',
    user: caller.name,
    environments: grantableEnvironments(asked.scopes, mcp).map((environment) => ({
      environment,
      scopes: grantableScopes(asked.scopes, { role, mcp, environment }),
    })),
  }
}

async function decide(tools: ConsentTools, request: PublicRequest): Promise<{ location: string }> {
  // The cookie of the session is sent with requests of any page, so only a page of this server may decide.
  if (requestOrigin(request) !== 'own') throw foreignPage()
  const given = readChoice(request)
  const caller = await findCaller(tools, request, given.environment)
  const asked = await findRequest(tools, request)
  if (asked.id !== given.id) throw requestOver()
  const result = given.allow ? await allow(tools, request, { caller, asked, given }) : await deny(tools, asked)
  asked.interaction.result = result
  await asked.interaction.persist()
  return { location: asked.interaction.returnTo }
}

interface Decision {
  caller: Caller
  asked: AskedRequest
  given: z.output<typeof choice>
}

async function allow(tools: ConsentTools, request: PublicRequest, decision: Decision) {
  const { app, mcp, protection } = tools
  const { caller, asked, given } = decision
  const { environment } = given
  const grantable = grantableScopes(asked.scopes, { role: caller.role, mcp, environment })
  const scopes = chosenScopes(given.scopes, grantable, environment)
  if (scopes === null || !grantableEnvironments(asked.scopes, mcp).includes(environment))
    throw invalid({ path: 'scopes', rule: 'allowed', message: 'This request can not be allowed with these rights.' })
  const client = readClientFacts(request)
  const call = { app, tenant: caller.tenant, caller, client, requestId: request.id }
  const isWritingLive = environment === 'live' && scopes.includes('write')
  if (isWritingLive) await protection.confirmOldSession(call, given.confirm)
  const grantId = await app.db.transaction(async (tx) => {
    await claimRequest(tx, asked, app.clock.now())
    const id = await createGrant(tx, app.secrets, {
      accountId: caller.tenant.accountId,
      userId: caller.userId!,
      environment,
      scopes,
      client: { id: asked.clientId, name: asked.name, host: asked.host },
      now: app.clock.now(),
    })
    await insertAuditEntry(tx, auditFacts(request, { caller, asked, grantId: id, scopes }), app.clock.now())
    if (isWritingLive) await protection.notify(call, tx, 'live_write_key_created')
    return id
  })
  await saveGrant(tools, { grantId, clientId: asked.clientId, scopes, requested: asked.scopes })
  return { login: { accountId: grantId, remember: false }, consent: { grantId } }
}

async function deny({ app }: ConsentTools, asked: AskedRequest) {
  await claimRequest(app.db, asked, app.clock.now())
  return { error: 'access_denied', error_description: 'The user did not allow it.' }
}

/** Marks a request as answered. Of two simultaneous answers, only one passes. */
async function claimRequest(db: Executor, { id }: AskedRequest, now: Date): Promise<void> {
  if ((await updateRecordConsumed(db, { kind: 'Interaction', digest: recordDigest(id) }, now)) === 0)
    throw requestOver()
}

function auditFacts(
  request: PublicRequest,
  { caller, asked, grantId, scopes }: { caller: Caller; asked: AskedRequest; grantId: string; scopes: GrantScope[] },
) {
  const { ip, userAgent } = readClientFacts(request)
  return {
    accountId: caller.tenant.accountId,
    environment: caller.tenant.environment,
    actor: { type: 'user', id: caller.userId, name: caller.name },
    action: 'allowAssistant',
    target: { type: 'assistant_grants', id: grantId },
    outcome: 'success',
    ip,
    userAgent,
    requestId: request.id,
    changes: [
      { path: 'client', before: null, after: `${asked.name} (${asked.host})` },
      { path: 'scopes', before: null, after: scopes.join(' ') },
    ],
  } as const
}

/** Stores what the library knows of a grant. Scopes that the user left out are rejected, so that it does not ask again. */
async function saveGrant(
  { app, server }: ConsentTools,
  grant: { grantId: string; clientId: string; scopes: readonly GrantScope[]; requested: readonly string[] },
): Promise<void> {
  const { Grant } = await server.provider()
  const stored = new Grant({ accountId: grant.grantId, clientId: grant.clientId })
  stored.jti = grant.grantId
  stored.addOIDCScope(grant.scopes.join(' '))
  stored.addResourceScope(resourceUrl(app), grant.scopes.join(' '))
  const rejected = grant.requested.filter((scope) => !(grant.scopes as readonly string[]).includes(scope))
  if (rejected.length > 0) {
    stored.rejectOIDCScope(rejected.join(' '))
    stored.rejectResourceScope(resourceUrl(app), rejected.join(' '))
  }
  await stored.save()
}

interface AskedRequest {
  id: string
  clientId: string
  name: string
  host: string
  redirectHost: string
  scopes: string[]
  interaction: GrantRequest
}

/** The request for access that this browser began. A link that another person sends names none. */
async function findRequest({ app, server }: ConsentTools, request: FastifyRequest): Promise<AskedRequest> {
  const id = cookieNamed(request, requestCookie(app))
  const provider = await server.provider()
  const interaction = id === null ? undefined : await provider.Interaction.find(id)
  if (interaction === undefined || interaction.result !== undefined) throw requestOver()
  const {
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
  } = interaction.params as Record<string, string | undefined>
  const client = clientId === undefined ? undefined : await provider.Client.find(clientId)
  if (client === undefined || clientId === undefined || redirectUri === undefined) throw requestOver()
  // The client may have changed its addresses since the request.
  if (!client.redirectUriAllowed(redirectUri)) throw requestOver()
  const host = clientHost(clientId, redirectUri)
  return {
    id: interaction.uid,
    clientId,
    name: clientLabel(client.clientName, host),
    host,
    redirectHost: clientHost('', redirectUri),
    scopes: [...new Set((scope ?? '').split(' '))],
    interaction,
  }
}

async function findCaller(
  { sessions }: ConsentTools,
  request: FastifyRequest,
  environment: Environment,
): Promise<Caller> {
  const { sessionToken } = readClientFacts(request)
  const verdict = sessionToken === null ? null : await sessions.admit(sessionToken, environment)
  if (verdict?.outcome === 'limited')
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait for the seconds in Retry-After.', {
      retryAfterSeconds: verdict.retryAfterSeconds,
    })
  if (verdict?.outcome !== 'admitted') throw new AppError('UNAUTHORIZED', 'Sign in to connect an assistant.')
  return verdict.caller
}

function readChoice({ body }: PublicRequest): z.output<typeof choice> {
  const parsed = Buffer.isBuffer(body) ? parseJson(body) : null
  const result = choice.safeParse(parsed?.ok === true ? parsed.value : undefined)
  if (!result.success)
    throw invalid({ path: '', rule: 'shape', message: 'Send JSON with id, allow, environment and scopes.' })
  return result.data
}

function requestOver(): AppError {
  return new AppError('NOT_FOUND', 'This request for access is over. Start again in the assistant.')
}

function foreignPage(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'A session works only on pages of this server.')
}
