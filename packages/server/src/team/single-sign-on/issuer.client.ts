import { minuteMs } from '@overture/ground/time/spans.ts'
import * as client from 'openid-client'
import { email as emailAddress } from '@overture/contract/common.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../../platform/app.ts'
import { monotonicMs } from '../../platform/clock.ts'
import { accountReach } from '../../platform/mail/network-guard.client.ts'
import type { OidcConfig } from '../../platform/oidc-config.ts'
import { isPlainlySpelled, normalEmail } from '../user.ts'
import { createGuardedFetch, UnreachableError } from '../../platform/mail/guarded-fetch.client.ts'

const requestTimeoutMs = 10_000
const answerBytesMax = 512 * 1024
/** The issuer's metadata is read again after this time. */
const metadataKeptMs = 10 * minuteMs
/** Clocks of two machines always differ a little. */
const clockToleranceSeconds = 30
const subjectLengthMax = 255
const nameLengthMax = 100

/** The values that the browser that started the sign-in must bring back. */
interface FlowSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

/** The person that the issuer confirmed. */
export interface Identity {
  issuer: string
  subject: string
  /** Set only if the issuer states that the address is verified. */
  verifiedEmail: string | null
  name: string | null
  claims: Readonly<Record<string, unknown>>
}

type IssuerFailure = { kind: 'unreachable' | 'invalid'; reason: string }

export interface Issuer {
  begin(redirectUri: string): Promise<{ kind: 'begun'; url: string; secrets: FlowSecrets } | IssuerFailure>
  /** `callback` is the redirect URI with the parameters that the issuer added. */
  finish(callback: URL, secrets: FlowSecrets): Promise<{ kind: 'known'; identity: Identity } | IssuerFailure>
}

/** The operator configures the issuer, which may have a private address. Other URLs in its metadata may not. */
export function createIssuer(app: App, config: OidcConfig): Issuer {
  const server = new URL(config.issuer)
  const own = accountReach(app, null)
  const fetch = createGuardedFetch({
    getReach: (url) => ({ ...own, allowPrivate: own.allowPrivate || url.host === server.host }),
    timeoutMs: requestTimeoutMs,
    answerBytesMax,
  })
  const discovered = remembered(() => discover(server, config, fetch as client.CustomFetch))
  return {
    begin: (redirectUri) =>
      orFailure(async () => {
        const issuer = await discovered()
        const codeVerifier = client.randomPKCECodeVerifier()
        const secrets = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier }
        const url = client.buildAuthorizationUrl(issuer, {
          redirect_uri: redirectUri,
          scope: chooseScope(issuer, config),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return { kind: 'begun', url: url.href, secrets }
      }),
    finish: (callback, secrets) =>
      orFailure(async () => {
        const issuer = await discovered()
        const tokens = await client.authorizationCodeGrant(issuer, callback, {
          pkceCodeVerifier: secrets.codeVerifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
        })
        const vouched = tokens.claims()!
        const claims = await withUserInfo(issuer, config, { accessToken: tokens.access_token, claims: { ...vouched } })
        return { kind: 'known', identity: toIdentity(vouched, claims) }
      }),
  }
}

async function discover(server: URL, config: OidcConfig, fetch: client.CustomFetch): Promise<client.Configuration> {
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
  return client.discovery(
    server,
    config.clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    authentication(config),
    {
      [client.customFetch]: fetch,
      timeout: requestTimeoutMs / 1000,
      // The signature is checked although the token came from the issuer itself over TLS.
      execute: [...insecure, client.enableNonRepudiationChecks],
    },
  )
}

/** Uses a method of authentication that the issuer supports, preferring the one that every issuer knows. */
function authentication({ clientSecret }: OidcConfig): client.ClientAuth {
  if (clientSecret === null) return client.None()
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported
    const isBasic = taken === undefined || taken.includes('client_secret_basic')
    return (isBasic ? basic : post)(server, ...rest)
  }
}

function chooseScope(issuer: client.Configuration, { roleClaim }: OidcConfig): string {
  const known = issuer.serverMetadata().scopes_supported ?? []
  const groups = roleClaim !== null && known.includes(roleClaim) ? [roleClaim] : []
  return [...new Set(['openid', 'email', 'profile', ...groups])].join(' ')
}

/** Queries the issuer for claims that are missing in the token, as is common. */
async function withUserInfo(
  issuer: client.Configuration,
  { roleClaim }: OidcConfig,
  { accessToken, claims }: { accessToken: string; claims: Record<string, unknown> & { sub: string } },
): Promise<Record<string, unknown>> {
  const needed = ['email', 'email_verified', 'name', ...(roleClaim === null ? [] : [roleClaim])]
  if (needed.every((name) => name in claims) || issuer.serverMetadata().userinfo_endpoint === undefined) return claims
  return { ...(await client.fetchUserInfo(issuer, accessToken, claims.sub)), ...claims }
}

function toIdentity(vouched: { iss: string; sub: string }, claims: Record<string, unknown>): Identity {
  if (vouched.sub === '' || vouched.sub.length > subjectLengthMax) throw new Error('The subject is empty or too long.')
  const address = emailAddress.safeParse(claims['email'])
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  const { name } = claims
  return {
    issuer: vouched.iss,
    subject: vouched.sub,
    verifiedEmail: address.success && isVerified && isPlainlySpelled(address.data) ? normalEmail(address.data) : null,
    name: typeof name === 'string' ? foreignText(name, nameLengthMax).trim() || null : null,
    claims,
  }
}

/** Caches a value. Concurrent callers wait for the same promise, and a failed one is not kept. */
function remembered<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; untilMs: number } | null = null
  return () => {
    if (known === null || known.untilMs < monotonicMs()) {
      const value = read()
      const loading = { value, untilMs: monotonicMs() + metadataKeptMs }
      known = loading
      value.catch(() => {
        if (known === loading) known = null
      })
    }
    return known.value
  }
}

/** Turns errors into results. Messages are left out, because some contain tokens and claims. */
async function orFailure<Result>(run: () => Promise<Result>): Promise<Result | IssuerFailure> {
  try {
    return await run()
  } catch (error) {
    if (isUnreachable(error)) return { kind: 'unreachable', reason: 'unreachable' }
    const { code, error: refusal, name } = error as { code?: unknown; error?: unknown; name?: unknown }
    const reason = [refusal, code, name].find((one): one is string => typeof one === 'string') ?? 'unknown'
    return { kind: 'invalid', reason: foreignText(reason, nameLengthMax) }
  }
}

function isUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UnreachableError || cause.name === 'TimeoutError') return true
    if ((cause as { status?: unknown }).status !== undefined && Number((cause as { status?: unknown }).status) >= 500)
      return true
    if (cause.cause instanceof Response && cause.cause.status >= 500) return true
  }
  return false
}
