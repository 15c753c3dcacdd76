import { email as emailAddress } from '@overture/contract/common.ts'
import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { foreignText } from '../../ground/text/foreign-text.ts'

const oauthScopes: Record<OAuthProvider, string> = {
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

/** Where to send the mailbox's owner. `prompt=consent` is what makes Google give a refresh token again. */
export function authorizeUrl(input: AuthorizeUrlInput): string {
  const url = new URL(input.authorizationUrl)
  const fields: Record<string, string> = {
    client_id: input.clientId,
    redirect_uri: input.redirectUri,
    response_type: 'code',
    scope: oauthScopes[input.provider],
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

/** What a token endpoint said. `refused` asks for the owner again; `unavailable` may go by itself. */
export type TokenAnswer =
  | { kind: 'token'; accessToken: string; expiresInSeconds: number; refreshToken: string | null; email: string | null }
  | { kind: 'refused'; message: string }
  | { kind: 'unavailable'; message: string }

const ownerErrors = new Set([
  'invalid_grant',
  'interaction_required',
  'consent_required',
  'login_required',
  'access_denied',
])
const expiresInSecondsDefault = 3600
const messageLengthMax = 400

export function readTokenAnswer(status: number, body: unknown): TokenAnswer {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const text = (name: string): string | null =>
    typeof fields[name] === 'string' && fields[name] !== '' ? fields[name] : null
  const accessToken = text('access_token')
  if (status >= 200 && status < 300 && accessToken !== null) {
    const expiresIn = Number(fields['expires_in'])
    return {
      kind: 'token',
      accessToken,
      expiresInSeconds: Number.isFinite(expiresIn) && expiresIn > 0 ? expiresIn : expiresInSecondsDefault,
      refreshToken: text('refresh_token'),
      email: emailOfIdToken(text('id_token')),
    }
  }
  const error = text('error') ?? `status ${status}`
  const description = text('error_description')
  const message = foreignText(description === null ? error : `${error}: ${description}`, messageLengthMax)
  return ownerErrors.has(error) ? { kind: 'refused', message } : { kind: 'unavailable', message }
}

/** The address in an ID token that came from the token endpoint itself over TLS, which is why its signature is not checked. */
function emailOfIdToken(token: string | null): string | null {
  const payload = token?.split('.')[1]
  if (payload === undefined) return null
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const addresses = [claims['email'], claims['preferred_username'], claims['upn']]
    return addresses.flatMap((claim) => addressIn(claim) ?? [])[0] ?? null
  } catch {
    return null
  }
}

function addressIn(claim: unknown): string | null {
  const address = emailAddress.safeParse(claim)
  return address.success && foreignText(address.data) === address.data ? address.data : null
}
