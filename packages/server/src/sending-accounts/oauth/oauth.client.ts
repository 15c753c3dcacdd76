import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { OAuthConfig } from '../../platform/mail-config.ts'
import { responseText } from '../../platform/response-text.client.ts'
import { readConnectionAnswer, readTokenAnswer, type ConnectionAnswer, type TokenAnswer } from './oauth.ts'

const tokenTimeoutMs = 15_000
const answerBytesMax = 1024 * 1024

/** The provider and this installation's registration there. */
interface OAuthClient {
  provider: OAuthProvider
  config: OAuthConfig
}

export function refreshAccessToken(client: OAuthClient, refreshToken: string): Promise<TokenAnswer> {
  return askToken(client, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

export function exchangeCode(
  client: OAuthClient,
  exchange: { code: string; redirectUri: string; codeVerifier: string },
): Promise<TokenAnswer> {
  return askToken(client, {
    grant_type: 'authorization_code',
    code: exchange.code,
    redirect_uri: exchange.redirectUri,
    code_verifier: exchange.codeVerifier,
  })
}

async function askToken({ provider, config }: OAuthClient, fields: Record<string, string>): Promise<TokenAnswer> {
  if (config.clientId === null) return { kind: 'unavailable', message: 'OAuth is not configured for this provider.' }
  const body = new URLSearchParams({ ...fields, client_id: config.clientId })
  if (config.clientSecret !== null) body.set('client_secret', config.clientSecret)
  const answer = await postForm(config.tokenUrl, body)
  return answer.kind === 'answer' ? readTokenAnswer(provider, answer.status, answer.body) : answer
}

/** Requests a token for a whole organization. Must not run inside a transaction. */
export async function askConnectionToken(
  provider: OAuthProvider,
  { url, fields }: { url: string; fields: Record<string, string> },
): Promise<ConnectionAnswer> {
  const answer = await postForm(url, new URLSearchParams(fields))
  return answer.kind === 'answer' ? readConnectionAnswer(provider, answer.status, answer.body) : answer
}

type FormAnswer = { kind: 'answer'; status: number; body: unknown } | { kind: 'unavailable'; message: string }

async function postForm(url: string, body: URLSearchParams): Promise<FormAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(tokenTimeoutMs),
      headers: { accept: 'application/json' },
    })
    return { kind: 'answer', status: response.status, body: parseJson(await responseText(response, answerBytesMax)) }
  } catch (error) {
    return {
      kind: 'unavailable',
      message: error instanceof Error ? error.message : 'The provider could not be reached.',
    }
  }
}

// Null if the text is not JSON or is longer than a token needs.
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
