import type { FastifyReply } from 'fastify'
import { grantScopes } from '@overture/contract/accounts/grants.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { AddressRate } from '../platform/http/address-rates.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { readClientMetadata } from './client-metadata.ts'
import { forward, readForm, sendAnswer } from './forward.shell.ts'
import { isSafeRedirect } from './grant.ts'
import { keysPath, registrationPath, resourceUrl, revocationPath, tokenPath } from './oauth-paths.ts'
import { unusedClientMs } from './record-key.ts'
import { deleteOldestUnusedClients } from './records.sql.ts'
import type { AuthorizationServer } from './server.shell.ts'

const metadataRate: AddressRate = { name: 'oauth_metadata', perMinute: 120, burst: 60 }
const tokenRate: AddressRate = { name: 'oauth_token', perMinute: 120, burst: 60 }
/** 20 an hour, so that one address can't replace the clients of others within the day for which they are kept. */
const registrationRate: AddressRate = { name: 'oauth_register', perMinute: 20 / 60, burst: 10 }
const unusedClientsMax = 1_000
const redirectsMax = 10
const bodyBytesMax = 16 * 1024

/** The public pages of the authorization server, and the metadata of `/mcp` for its clients. */
export function oauthRoutes(app: App, server: AuthorizationServer): PublicRoute[] {
  const get = (path: string, rate: AddressRate) =>
    publicRoute({
      method: 'GET',
      path,
      rate,
      handler: async (request, reply) => sendAnswer(reply, await forward(server, request)),
    })
  const post = (path: string, rate: AddressRate, bodyText = readForm) =>
    publicRoute({
      method: 'POST',
      path,
      rate,
      async handler(request, reply) {
        const body = await bodyText(request)
        return sendAnswer(reply, await forward(server, request, { body }))
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
    post(tokenPath, tokenRate),
    post(revocationPath, tokenRate),
    post(registrationPath, registrationRate, (request) => readRegistration(app, request)),
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

/**
 * The description of a new client, reduced to the fields that this server reads. Anyone may register a client, so unused ones are
 * bounded in number and time, and their addresses are checked. A new client replaces the oldest unused one, because a refusal would
 * let strangers keep everyone out for a day.
 */
async function readRegistration({ db, clock }: App, { body }: PublicRequest): Promise<string> {
  const given = Buffer.isBuffer(body) && body.length <= bodyBytesMax ? readClientMetadata(body.toString('utf8')) : null
  const uris = given?.['redirect_uris']
  const isFine = Array.isArray(uris) && uris.length <= redirectsMax && uris.every((uri) => isSafeRedirect(String(uri)))
  if (!isFine)
    throw new AppError(
      'VALIDATION_ERROR',
      `Send JSON with redirect_uris: up to ${redirectsMax} addresses with https, of this machine, or with the scheme of an app.`,
    )
  const now = clock.now()
  const before = new Date(now.getTime() + unusedClientMs)
  await deleteOldestUnusedClients(db, { now, before, kept: unusedClientsMax - 1 })
  return JSON.stringify(given)
}
