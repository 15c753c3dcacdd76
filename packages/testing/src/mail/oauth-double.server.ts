import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decideApplication, isApplicationLogin, type Applications } from './oauth-applications.ts'
import { faultAnswer, type OAuthFault } from './oauth-words.ts'

type Provider = 'google' | 'microsoft'

export interface OAuthDoubleOptions extends Applications {
  /** The provider that the double simulates. Default: Google. */
  provider?: Provider
  /** Secrets by client. Default: `client` with `client secret`. */
  clients?: Record<string, string>
  /** Redirect URIs that the double accepts. Default: each URI that ends in /hooks/oauth and the provider's name. */
  redirectUris?: readonly string[]
  /** Ids of Microsoft tenants by domain. */
  tenants?: Record<string, string>
  /** The provider's clock. Default: the clock of this machine. */
  now?: () => number
}

export interface OAuthDouble {
  url: string
  /** The only valid refresh token, or null if there is none. */
  refreshToken: string | null
  /** The last issued access token. */
  accessToken: string
  /** The address of the mailbox, as the ID token contains it. */
  email: string
  /** Issues a new refresh token at every use. */
  rotates: boolean
  expiresInSeconds: number
  /** Responds 503 while true. */
  down: boolean
  /** Refuses each secret as expired while true. */
  secretsExpired: boolean
  /** Called with each access token and its mailbox before the token is issued. */
  onToken: ((accessToken: string, email: string) => void) | null
  readonly requests: Record<string, string>[]
  /** Returns the redirect for an owner who agrees. Throws if the provider shows an error page. */
  agree(authorizeUrl: string): string
  /** Returns the redirect for an owner or administrator who does not agree, with the provider's words. */
  decline(url: string, error: string, description: string): string
  /** Returns the redirect for an administrator who agrees for a tenant, by default the tenant of the link. */
  agreeForTenant(adminConsentUrl: string, tenantId?: string): string
  stop(): Promise<void>
}

interface IssuedCode {
  clientId: string
  redirectUri: string
  challenge: string
  scopes: string[]
  lasting: boolean
  used: boolean
}

const knownScopes: Record<Provider, readonly string[]> = {
  google: ['openid', 'email', 'profile', 'https://mail.google.com/'],
  microsoft: [
    'openid',
    'email',
    'profile',
    'offline_access',
    'https://outlook.office.com/SMTP.Send',
    'https://outlook.office.com/IMAP.AccessAsUser.All',
  ],
}

type Answer = [number, unknown]

/**
 * The OAuth server of Google or Microsoft on a loopback port. It checks client and secret, the redirect URI in both
 * steps, scopes and PKCE. A code works once, and codes and refresh tokens work only for their own client.
 */
export async function startOAuthDouble(options: OAuthDoubleOptions = {}): Promise<OAuthDouble> {
  const provider = options.provider ?? 'google'
  const server = createServer((request, response) => {
    void answerRequest(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = new Issuer(provider, options)
  const double: OAuthDouble = Object.assign(issuer, {
    url,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
  async function answerRequest(request: IncomingMessage): Promise<Answer> {
    if (double.down) return [503, {}]
    if (request.method === 'GET') return issuer.configuration(request.url ?? '', url)
    const form = await readForm(request)
    issuer.requests.push(form)
    const path = request.url ?? ''
    return isApplicationLogin(path, form) ? issuer.answerApplication(path, form, url) : issuer.answer(form)
  }
  return double
}

class Issuer {
  refreshToken: string | null = null
  accessToken = ''
  email = 'ada@example.com'
  rotates = false
  expiresInSeconds = 3600
  down = false
  secretsExpired = false
  onToken: OAuthDouble['onToken'] = null
  readonly requests: Record<string, string>[] = []
  readonly #codes = new Map<string, IssuedCode>()
  readonly #clientOfRefresh = new Map<string, { clientId: string; scopes: string[] }>()
  readonly #clients: Record<string, string>
  #issued = 0

  readonly #provider: Provider
  readonly #options: OAuthDoubleOptions

  constructor(provider: Provider, options: OAuthDoubleOptions) {
    this.#provider = provider
    this.#options = options

    this.#clients = options.clients ?? { client: 'client secret' }
  }

  agree(authorizeUrl: string): string {
    const { params, redirectUri } = this.#checked(authorizeUrl)
    if (params.get('response_type') !== 'code') throw new Error('unsupported_response_type')
    const scopes = (params.get('scope') ?? '').split(' ').filter(Boolean)
    if (scopes.length === 0 || scopes.some((scope) => !knownScopes[this.#provider].includes(scope)))
      throw new Error(`invalid_scope: ${scopes.join(' ')}`)
    const code = `code-${++this.#issued}`
    this.#codes.set(code, {
      clientId: params.get('client_id') ?? '',
      redirectUri,
      challenge: params.get('code_challenge_method') === 'S256' ? (params.get('code_challenge') ?? '') : '',
      scopes,
      lasting:
        this.#provider === 'google' ? params.get('access_type') === 'offline' : scopes.includes('offline_access'),
      used: false,
    })
    return backTo(redirectUri, { code, state: params.get('state') ?? '' })
  }

  decline(url: string, error: string, description: string): string {
    const { params, redirectUri } = this.#checked(url)
    return backTo(redirectUri, { error, error_description: description, state: params.get('state') ?? '' })
  }

  agreeForTenant(adminConsentUrl: string, tenantId?: string): string {
    const { params, redirectUri } = this.#checked(adminConsentUrl)
    const domain = /^\/([^/]+)\/v2\.0\/adminconsent$/.exec(new URL(adminConsentUrl).pathname)?.[1] ?? ''
    const tenant = tenantId ?? this.#options.tenants?.[domain]
    const scope = params.get('scope') ?? ''
    if (tenant === undefined) throw new Error(`AADSTS90002: Tenant '${domain}' not found.`)
    if (scope === '' || scope.split(' ').some((one) => !knownScopes.microsoft.includes(one)))
      throw new Error(`AADSTS70011: The provided value for the input parameter 'scope' is not valid: ${scope}`)
    return backTo(redirectUri, { admin_consent: 'True', tenant, state: params.get('state') ?? '', scope })
  }

  /** Publishes the id of a tenant (learn.microsoft.com/entra/identity-platform/v2-protocols-oidc). */
  configuration(path: string, url: string): Answer {
    const domain = /^\/([^/]+)\/v2\.0\/\.well-known\/openid-configuration$/.exec(path)?.[1] ?? ''
    const tenant = this.#options.tenants?.[domain]
    if (tenant === undefined) return [400, { error: 'invalid_tenant', error_description: 'AADSTS90002: not found.' }]
    return [
      200,
      { issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, token_endpoint: `${url}/${tenant}/token` },
    ]
  }

  /** Gives an application a token for each mailbox that it may open. */
  answerApplication(path: string, form: Record<string, string>, url: string): Answer {
    const nowSeconds = Math.floor((this.#options.now ?? Date.now)() / 1000)
    const decision = decideApplication(this.#options, { path, form, url, nowSeconds })
    if (decision.kind === 'refused') return decision.answer
    this.accessToken = `access-${++this.#issued}`
    for (const mailbox of decision.mailboxes) this.onToken?.(this.accessToken, mailbox)
    const extended = this.#provider === 'microsoft' ? { ext_expires_in: this.expiresInSeconds } : {}
    return [
      200,
      { token_type: 'Bearer', expires_in: this.expiresInSeconds, ...extended, access_token: this.accessToken },
    ]
  }

  answer(form: Record<string, string>): Answer {
    const fault = this.#clientFault(form)
    if (fault !== null) return faultAnswer(this.#provider, fault)
    if (form['grant_type'] === 'authorization_code') return this.#exchange(form)
    if (form['grant_type'] === 'refresh_token') return this.#refresh(form)
    return faultAnswer(this.#provider, 'wrong_grant')
  }

  #checked(url: string): { params: URLSearchParams; redirectUri: string } {
    const params = new URL(url).searchParams
    const redirectUri = params.get('redirect_uri') ?? ''
    if (this.#clients[params.get('client_id') ?? ''] === undefined) throw new Error('invalid_client')
    const { redirectUris } = this.#options
    const registered =
      redirectUris === undefined
        ? /^https?:\/\/[^?#]+\/hooks\/oauth\/(google|microsoft)$/.exec(redirectUri)?.[1] === this.#provider
        : redirectUris.includes(redirectUri)
    if (!registered) throw new Error(`redirect_uri_mismatch: ${redirectUri}`)
    return { params, redirectUri }
  }

  #clientFault(form: Record<string, string>): OAuthFault | null {
    const secret = this.#clients[form['client_id'] ?? '']
    if (secret === undefined) return 'wrong_client'
    if (secret !== form['client_secret']) return 'wrong_secret'
    return this.secretsExpired ? 'expired_secret' : null
  }

  #exchange(form: Record<string, string>): Answer {
    const code = this.#codes.get(form['code'] ?? '')
    if (code === undefined || code.clientId !== form['client_id']) return faultAnswer(this.#provider, 'code_unknown')
    if (code.used) return faultAnswer(this.#provider, 'code_used')
    if (code.redirectUri !== form['redirect_uri']) return faultAnswer(this.#provider, 'wrong_redirect')
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url')
    if (code.challenge !== challenge) return faultAnswer(this.#provider, 'wrong_verifier')
    code.used = true
    if (code.lasting) this.#issueRefresh(code)
    return [200, this.#tokens(code.scopes, code.lasting)]
  }

  #refresh(form: Record<string, string>): Answer {
    const token = form['refresh_token'] ?? ''
    const issued = this.#clientOfRefresh.get(token)
    if (this.refreshToken === null || token !== this.refreshToken || issued === undefined)
      return faultAnswer(this.#provider, 'refresh_revoked')
    if (issued.clientId !== form['client_id']) return faultAnswer(this.#provider, 'refresh_revoked')
    const scopes = (form['scope'] ?? '').split(' ').filter(Boolean)
    if (scopes.some((scope) => !issued.scopes.includes(scope))) return faultAnswer(this.#provider, 'wrong_scope')
    if (this.rotates) this.#issueRefresh(issued)
    return [200, this.#tokens(issued.scopes, this.rotates)]
  }

  #issueRefresh({ clientId, scopes }: { clientId: string; scopes: string[] }): void {
    this.refreshToken = `refresh-${++this.#issued}`
    this.#clientOfRefresh.set(this.refreshToken, { clientId, scopes })
  }

  #tokens(scopes: readonly string[], withRefresh: boolean): unknown {
    this.accessToken = `access-${++this.#issued}`
    this.onToken?.(this.accessToken, this.email)
    const claims = Buffer.from(JSON.stringify({ iss: issuers[this.#provider], email: this.email })).toString(
      'base64url',
    )
    return {
      access_token: this.accessToken,
      expires_in: this.expiresInSeconds,
      token_type: 'Bearer',
      scope: scopes.join(' '),
      ...(scopes.includes('openid') ? { id_token: `e30.${claims}.sig` } : {}),
      ...(withRefresh ? { refresh_token: this.refreshToken } : {}),
    }
  }
}

/** The issuers of ID tokens; Microsoft's names the tenant. Sources: the `openid-configuration` documents of both. */
const issuers = {
  google: 'https://accounts.google.com',
  microsoft: 'https://login.microsoftonline.com/11111111-aaaa-4bbb-8ccc-0123456789ab/v2.0',
}

function backTo(redirectUri: string, fields: Record<string, string>): string {
  return `${redirectUri}?${new URLSearchParams(fields).toString()}`
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}
