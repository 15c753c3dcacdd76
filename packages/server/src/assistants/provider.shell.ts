import { createHash, createPrivateKey } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { grantScopes } from '@overture/contract/accounts/grants.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { Configuration, JWK, KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../platform/app.ts'
import { describeError } from '../platform/http/error-body.ts'
import { RecordAdapter } from './adapter.shell.ts'
import type { ClientDocuments } from './client-documents.shell.ts'
import { findGrantKeyAcrossAccounts } from './grants.sql.ts'
import { isSafeRedirect } from './grant.ts'
import {
  authorizePath,
  consentPage,
  keysPath,
  registrationPath,
  requestCookie,
  resourceUrl,
  revocationPath,
  tokenPath,
} from './oauth-paths.ts'
import { InvalidTarget, Provider } from './oidc-library.ts'

const daySeconds = dayMs / 1000
/** A revoked grant ends at once, whatever these are. They bound what a stolen token is good for. */
const lifeSeconds = {
  AccessToken: 600,
  AuthorizationCode: 60,
  Grant: 400 * daySeconds,
  Interaction: 600,
  RefreshToken: 30 * daySeconds,
  Session: 600,
  IdToken: 60,
}

/** The authorization server for `/mcp`. It knows no passwords: a person answers on the consent page of the console. */
export function createProvider(app: App, documents: ClientDocuments): Provider {
  const provider = new Provider(app.config.publicUrl, {
    ...clientSettings(app, documents),
    ...tokenSettings(app),
    ...consentSettings(app),
    adapter: (kind: string) => new RecordAdapter(app, kind),
    jwks: { keys: [signingKey(app)] },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    routes: {
      authorization: authorizePath,
      token: tokenPath,
      registration: registrationPath,
      revocation: revocationPath,
      jwks: keysPath,
    },
    // A browser never sees it: the routes show a page of the console in its place.
    renderError: (context, { error, error_description }) => {
      context.body = { error, error_description }
    },
  })
  const report = (error: Error): void => {
    app.log.error({ event: 'assistants.server_error', ...describeError(error) })
  }
  provider.on('server_error', (_context, error) => report(error))
  // Koa prints errors that have no listener.
  const events: EventEmitter = provider
  events.on('error', report)
  // The caller of `callback` sets the scheme and the host to those of the public URL.
  provider.proxy = true
  return provider
}

/** Clients are public: a secret that is part of a program is none. */
function clientSettings(app: App, documents: ClientDocuments): Configuration {
  return {
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'EdDSA',
    },
    clientBasedCORS: () => false,
    fetch: (url) => documents.read(url instanceof Request ? url.url : String(url)),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        // The library would keep them for each process apart.
        cacheDuration: { min: 0, max: 0 },
        allowFetch: (context: KoaContextWithOIDC | undefined, clientId) =>
          documents.mayRead(context && { path: context.path, ip: context.ip }, clientId),
        allowClient: (_context, client) => (client.redirectUris ?? []).every(isSafeRedirect),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceUrl(app),
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (resource !== resourceUrl(app)) throw new InvalidTarget('this server issues tokens only for its /mcp')
          return {
            scope: grantScopes.join(' '),
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: lifeSeconds.AccessToken,
          }
        },
      },
    },
  }
}

function tokenSettings(app: App): Configuration {
  return {
    // Without `openid`: this server signs users in nowhere else.
    scopes: [...grantScopes],
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    ttl: lifeSeconds,
    // The subject of a token is its grant. The adapter does not find records of a grant that has ended.
    findAccount: async (_context, grantId) =>
      (await findGrantKeyAcrossAccounts(app.db, grantId)) === null
        ? undefined
        : { accountId: grantId, claims: () => ({ sub: grantId }) },
  }
}

function consentSettings(app: App): Configuration {
  const secure = app.config.publicUrl.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  return {
    interactions: { url: (_context: KoaContextWithOIDC) => consentPage },
    cookies: {
      keys: [createHash('sha256').update(app.secrets.signToken('assistant cookies', [])).digest('hex')],
      names: { interaction: requestCookie(app), resume: 'overture_grant_resume', session: 'overture_grant_session' },
      // For `/`, because the consent page names the request to the server by this cookie alone.
      short: { ...cookie, path: '/' },
      long: { ...cookie, path: authorizePath },
    },
  }
}

const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The server signs nothing with it, but the library needs one. It is the same in every process. */
function signingKey({ secrets }: App): JWK {
  const seed = createHash('sha256').update(secrets.signToken('assistant signing key', [])).digest()
  const key = createPrivateKey({ key: Buffer.concat([ed25519Prefix, seed]), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' } as JWK
}
