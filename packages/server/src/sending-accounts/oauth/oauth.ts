import { email as emailAddress } from '@overture/contract/common.ts'
import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { findConnectionRefusal, findProviderRefusal, joinWords } from '../logins/provider-refusals.ts'

export const providerNames = { google: 'Google', microsoft: 'Microsoft' } as const

/** The rights for one mailbox: to identify its user, to read and to send. */
export const mailScopes: Record<OAuthProvider, string> = {
  google: 'openid email https://mail.google.com/',
  microsoft:
    'openid email offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All',
}

interface AuthorizeUrlInput {
  provider: OAuthProvider
  authorizationUrl: string
  clientId: string
  redirectUri: string
  state: string
  codeChallenge: string
  email: string | null
}

/** The provider's URL for the mailbox's owner. With `prompt=consent` Google issues a refresh token again. */
export function authorizeUrl(input: AuthorizeUrlInput): string {
  const url = new URL(input.authorizationUrl)
  const fields: Record<string, string> = {
    client_id: input.clientId,
    redirect_uri: input.redirectUri,
    response_type: 'code',
    scope: mailScopes[input.provider],
    state: input.state,
    code_challenge: input.codeChallenge,
    code_challenge_method: 'S256',
    prompt: 'consent',
    ...(input.provider === 'google' ? { access_type: 'offline' } : { response_mode: 'query' }),
    ...(input.email === null ? {} : { login_hint: input.email }),
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.toString()
}

/** The response of a token endpoint. `unavailable` and `client_refused` are retried, `refused` needs a person. */
export type TokenAnswer =
  | {
      kind: 'token'
      accessToken: string
      expiresInSeconds: number
      refreshToken: string | null
      email: string | null
      /** Microsoft's id of the organization. Null for a private mailbox and for Google. */
      organization: string | null
    }
  | { kind: 'refused'; message: string }
  /** The provider does not accept this installation's client or secret, which only the operator can fix. */
  | { kind: 'client_refused'; code: string; message: string }
  | { kind: 'unavailable'; message: string }

const expiresInSecondsDefault = 3600

export function readTokenAnswer(provider: OAuthProvider, status: number, body: unknown): TokenAnswer {
  const text = textReader(body)
  const accessToken = text('access_token')
  if (status >= 200 && status < 300 && accessToken !== null) {
    const claims = claimsOfIdToken(text('id_token'))
    return {
      kind: 'token',
      accessToken,
      expiresInSeconds: readExpiresIn(body),
      refreshToken: text('refresh_token'),
      email: emailIn(claims),
      organization: provider === 'microsoft' ? organizationIn(claims) : null,
    }
  }
  const error = text('error') ?? `status ${status}`
  const description = text('error_description')
  const refusal = findProviderRefusal(provider, { error, description })
  if (refusal === null) return { kind: 'unavailable', message: joinWords(error, description) }
  const { code, solver, message } = refusal
  return solver === 'operator' ? { kind: 'client_refused', code, message } : { kind: 'refused', message }
}

/** The response to the login of a whole organization. `mailbox`: the refusal is about one mailbox. */
export type ConnectionAnswer =
  | { kind: 'token'; accessToken: string; expiresInSeconds: number }
  | { kind: 'refused'; code: string; message: string; mailbox: boolean }
  | { kind: 'unavailable'; message: string }

export function readConnectionAnswer(provider: OAuthProvider, status: number, body: unknown): ConnectionAnswer {
  const text = textReader(body)
  const accessToken = text('access_token')
  if (status >= 200 && status < 300 && accessToken !== null)
    return { kind: 'token', accessToken, expiresInSeconds: readExpiresIn(body) }
  const error = text('error') ?? `status ${status}`
  const description = text('error_description')
  const refusal = findConnectionRefusal(provider, { error, description })
  return refusal === null
    ? { kind: 'unavailable', message: joinWords(error, description) }
    : { kind: 'refused', ...refusal }
}

function textReader(body: unknown): (name: string) => string | null {
  const fields = readFields(body)
  return (name) => (typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : null)
}

function readExpiresIn(body: unknown): number {
  const expiresIn = Number(readFields(body)['expires_in'])
  return Number.isFinite(expiresIn) && expiresIn > 0 ? expiresIn : expiresInSecondsDefault
}

function readFields(body: unknown): Record<string, unknown> {
  return (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
}

/** The claims of an ID token that came from the token endpoint itself over TLS, which is why its signature is not checked. */
function claimsOfIdToken(token: string | null): Record<string, unknown> {
  const payload = token?.split('.')[1]
  if (payload === undefined) return {}
  try {
    return readFields(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  } catch {
    return {}
  }
}

function emailIn(claims: Record<string, unknown>): string | null {
  const addresses = [claims['email'], claims['preferred_username'], claims['upn']]
  return addresses.flatMap((claim) => addressIn(claim) ?? [])[0] ?? null
}

/**
 * All private accounts have this tenant id.
 * Source: learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference, claims `iss` and `tid`.
 */
const privateAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** The tenant in the issuer, which each ID token has. The claim `tid` needs a scope that we don't request. */
function organizationIn({ iss }: Record<string, unknown>): string | null {
  const [, id = null] =
    typeof iss === 'string' ? (/^https:\/\/[\w.-]{1,100}\/([0-9a-f-]{36})\/v2\.0$/i.exec(iss) ?? []) : []
  return id === privateAccounts ? null : id
}

function addressIn(claim: unknown): string | null {
  const address = emailAddress.safeParse(claim)
  return address.success && foreignText(address.data) === address.data ? address.data : null
}
