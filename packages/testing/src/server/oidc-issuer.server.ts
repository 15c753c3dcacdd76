import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The user that the issuer signs in next, and the claims about them. */
interface IssuerPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: readonly string[]
}

export interface OidcIssuer {
  url: string
  clientId: string
  clientSecret: string
  person: IssuerPerson
  /** Responds 503 while true. */
  down: boolean
  /** The user declines while true. */
  declines: boolean
  /** Allows only this redirect URI. */
  trust(redirectUri: string): void
  stop(): Promise<void>
}

/** Starts a real OpenID provider on a loopback port that signs users in without a form. */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  let provider: Provider | null = null
  let trusted = ''
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer: OidcIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'overture',
    clientSecret: 'a secret of the client: with / and +',
    person: { sub: 'nobody' },
    down: false,
    declines: false,
    trust(redirectUri) {
      if (redirectUri !== trusted) provider = createProvider(issuer, redirectUri)
      trusted = redirectUri
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (issuer.down || provider === null) {
      response.writeHead(503).end()
      return
    }
    if (request.url?.startsWith('/interaction/') !== true) {
      await provider.callback()(request, response)
      return
    }
    await interact(provider, { request, response })
  }
  async function interact(
    from: Provider,
    { request, response }: { request: IncomingMessage; response: ServerResponse },
  ): Promise<void> {
    const { prompt, params } = await from.interactionDetails(request, response)
    if (issuer.declines) return from.interactionFinished(request, response, { error: 'access_denied' })
    if (prompt.name === 'login')
      return from.interactionFinished(request, response, { login: { accountId: issuer.person.sub, remember: false } })
    const grant = new from.Grant({ accountId: issuer.person.sub, clientId: String(params['client_id']) })
    grant.addOIDCScope('openid email profile groups')
    return from.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }
  return issuer
}

const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

function createProvider(issuer: OidcIssuer, redirectUri: string): Provider {
  const { url, clientId, clientSecret } = issuer
  return new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...issuer.person, sub }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the cookies of a test'] },
    jwks: { keys: [signingKey] },
    pkce: { required: () => true },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  })
}
