import type { FastifyReply } from 'fastify'
import { grantScopes } from '@overture/contract/accounts/grants.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { AddressRate } from '../platform/http/address-rates.ts'
import { parseJson } from '../platform/http/json.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { unusedClientMs } from './adapter.shell.ts'
import { isSafeRedirect } from './grant.ts'
import { authorizePath, keysPath, registrationPath, resourceUrl, revocationPath, tokenPath } from './oauth-paths.ts'
import { countUnusedClients } from './records.sql.ts'
import type { AuthorizationServer } from './server.shell.ts'

const metadataRate: AddressRate = { name: 'oauth_metadata', perMinute: 120, burst: 60 }
const authorizeRate: AddressRate = { name: 'oauth_authorize', perMinute: 30, burst: 15 }
const tokenRate: AddressRate = { name: 'oauth_token', perMinute: 120, burst: 60 }
const registrationRate: AddressRate = { name: 'oauth_register', perMinute: 5, burst: 10 }
const bodyCharactersMax = 16 * 1024
const queryCharactersMax = 8 * 1024
const unusedClientsMax = 1_000
const redirectsMax = 10
const passedHeaders = ['accept', 'authorization', 'content-type', 'cookie', 'origin', 'user-agent'] as const
// Set by the outer server, or meaningless for an answer that is sent whole.
const droppedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

/** The public pages of the authorization server, and the metadata of `/mcp` for its clients. */
export function oauthRoutes(app: App, server: AuthorizationServer): PublicRoute[] {
  const get = (path: string, rate: AddressRate) =>
    publicRoute({ method: 'GET', path, rate, handler: (request, reply) => pass(server, request, reply) })
  const post = (path: string, rate: AddressRate, check?: (request: PublicRequest) => Promise<void>) =>
    publicRoute({
      method: 'POST',
      path,
      rate,
      async handler(request, reply) {
        await check?.(request)
        return pass(server, request, reply)
      },
    })
  const resource = publicRoute({
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    rate: metadataRate,
    handler: async (_request, reply) => sendResource(app, reply),
  })
  return [
    resource,
    { ...resource, path: '/.well-known/oauth-protected-resource/mcp' },
    get('/.well-known/oauth-authorization-server', metadataRate),
    get(keysPath, metadataRate),
    get(authorizePath, authorizeRate),
    get(`${authorizePath}/:id`, authorizeRate),
    post(tokenPath, tokenRate),
    post(revocationPath, tokenRate),
    post(registrationPath, registrationRate, (request) => checkRegistration(app, request)),
  ]
}

/** Metadata of the protected resource (RFC 9728). */
function sendResource(app: App, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').send({
    resource: resourceUrl(app),
    authorization_servers: [app.config.publicUrl],
    scopes_supported: grantScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Overture',
  })
}

async function pass(server: AuthorizationServer, request: PublicRequest, reply: FastifyReply): Promise<unknown> {
  const body = readBody(request)
  if ((body?.length ?? 0) > bodyCharactersMax || request.url.length > queryCharactersMax)
    throw new AppError('PAYLOAD_TOO_LARGE', 'This request is too large for the authorization server.')
  const headers: Record<string, string> = {}
  for (const name of passedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const answer = await server.answer({
    method: request.method as 'GET' | 'POST',
    url: withScope(request.url),
    headers,
    ...(body !== undefined && { body }),
  })
  reply.code(answer.status).header('cache-control', 'no-store')
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !droppedHeaders.has(name)) reply.header(name, value)
  return reply.send(answer.body)
}

/** A client that names no scope asks for reading alone. */
function withScope(url: string): string {
  const [path, query = ''] = splitUrl(url)
  if (path !== authorizePath) return url
  const parameters = new URLSearchParams(query)
  if ((parameters.get('scope') ?? '').trim() !== '') return url
  parameters.set('scope', 'read')
  return `${path}?${parameters.toString()}`
}

function splitUrl(url: string): [string, string?] {
  const at = url.indexOf('?')
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)]
}

/** The text of the body. A form was parsed before; its repeated parameters stay repeated, so that they are refused. */
function readBody({ method, body }: PublicRequest): string | undefined {
  if (method !== 'POST' || body === undefined || body === null) return undefined
  if (Buffer.isBuffer(body)) return body.toString('utf8')
  const pairs = Object.entries(body as Record<string, string | string[]>)
  const form = new URLSearchParams()
  for (const [name, value] of pairs) for (const one of [value].flat()) form.append(name, one)
  return form.toString()
}

/** Anyone may register a client, so unused ones are bounded in number and time, and their addresses are checked. */
async function checkRegistration({ db, clock }: App, { body }: PublicRequest): Promise<void> {
  const parsed = Buffer.isBuffer(body) && body.length <= bodyCharactersMax ? parseJson(body) : null
  const given = parsed?.ok === true ? (parsed.value as { redirect_uris?: unknown } | null) : null
  const uris = given?.redirect_uris
  const isFine = Array.isArray(uris) && uris.length <= redirectsMax && uris.every((uri) => isSafeRedirect(String(uri)))
  if (!isFine)
    throw new AppError(
      'VALIDATION_ERROR',
      `Send JSON with redirect_uris: up to ${redirectsMax} addresses with https, of this machine, or with the scheme of an app.`,
    )
  const now = clock.now()
  const before = new Date(now.getTime() + unusedClientMs)
  if ((await countUnusedClients(db, { now, before })) >= unusedClientsMax)
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many clients were registered. Try again tomorrow.')
}
