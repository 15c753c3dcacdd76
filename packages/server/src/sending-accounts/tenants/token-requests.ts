import { constants, sign } from 'node:crypto'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { ConnectionLogin, GoogleLogin, MicrosoftLogin } from './connection-login.ts'

/** The scopes with which a whole organization is connected. */
const applicationScopes = {
  microsoft: 'https://outlook.office365.com/.default',
  google: 'https://mail.google.com/',
} as const

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Microsoft recommends 5 to 10 minutes, Google accepts at most an hour. */
const assertionLifeMs = 5 * minuteMs

interface TokenRequest {
  url: string
  fields: Record<string, string>
}

interface RequestFacts {
  /** `microsoft`: the base address of the pages of a tenant. `google`: the token endpoint. */
  urls: { microsoft: string; google: string }
  /** The user of the login. Only Google issues tokens per mailbox. */
  mailbox: string
  nowMs: number
  /** The id of the assertion, different for each request. */
  assertionId: string
}

/** Returns the request for an access token. A Microsoft token is for every mailbox, a Google token for one. */
export function tokenRequest(login: ConnectionLogin, facts: RequestFacts): TokenRequest {
  return login.provider === 'microsoft' ? clientCredentials(login, facts) : jwtBearer(login, facts)
}

/** Source: learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow. */
function clientCredentials(login: MicrosoftLogin, { urls, nowMs, assertionId }: RequestFacts): TokenRequest {
  const url = `${urls.microsoft}/${login.tenantId}/oauth2/v2.0/token`
  const fields = {
    grant_type: 'client_credentials',
    client_id: login.clientId,
    scope: applicationScopes.microsoft,
  }
  const { credential } = login
  if (credential.kind === 'secret') return { url, fields: { ...fields, client_secret: credential.clientSecret } }
  const { clientId } = login
  const times = timesFrom(nowMs)
  // Source: learn.microsoft.com/entra/identity-platform/certificate-credentials (RFC 7523, section 2.2).
  const assertion = signedJwt(
    { alg: 'PS256', typ: 'JWT', 'x5t#S256': credential.thumbprint },
    { aud: url, iss: clientId, sub: clientId, jti: assertionId, nbf: times.iat, ...times },
    credential.privateKey,
  )
  return { url, fields: { ...fields, client_assertion_type: assertionType, client_assertion: assertion } }
}

/** Source: developers.google.com/identity/protocols/oauth2/service-account (RFC 7523, section 2.1). */
function jwtBearer(login: GoogleLogin, { urls, mailbox, nowMs }: RequestFacts): TokenRequest {
  const assertion = signedJwt(
    { alg: 'RS256', typ: 'JWT', kid: login.privateKeyId },
    { iss: login.clientEmail, sub: mailbox, scope: applicationScopes.google, aud: urls.google, ...timesFrom(nowMs) },
    login.privateKey,
  )
  return { url: urls.google, fields: { grant_type: bearerGrant, assertion } }
}

function timesFrom(nowMs: number): { iat: number; exp: number } {
  return { iat: Math.floor(nowMs / 1000), exp: Math.floor((nowMs + assertionLifeMs) / 1000) }
}

function signedJwt(
  header: { alg: 'PS256' | 'RS256'; [name: string]: string },
  claims: object,
  privateKey: string,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  const padding =
    header.alg === 'PS256'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { padding: constants.RSA_PKCS1_PADDING }
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, ...padding })
  return `${signed}.${signature.toString('base64url')}`
}
