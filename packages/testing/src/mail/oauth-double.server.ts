import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OAuthDouble {
  url: string
  /** The one refresh token that is good now; null: none is. */
  refreshToken: string | null
  /** The last access token given out. */
  accessToken: string
  /** Whose mailbox this is, by the ID token. */
  email: string
  /** Makes a new refresh token at every use. */
  rotates: boolean
  expiresInSeconds: number
  /** Answers 503 while true. */
  down: boolean
  readonly requests: Record<string, string>[]
  /** What the owner's browser would do: agrees, and answers where it is sent back to. */
  agree(authorizeUrl: string): string
  stop(): Promise<void>
}

/** An OAuth 2 server on a loopback port: code with PKCE, refresh with rotation, `invalid_grant`. */
export async function startOAuthDouble(): Promise<OAuthDouble> {
  const challenges = new Map<string, string>()
  let issued = 0
  const server = createServer((request, response) => {
    void readForm(request).then((form) => {
      double.requests.push(form)
      const [status, body] = double.down ? [503, {}] : answer(form)
      response.writeHead(status as number, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: OAuthDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refreshToken: null,
    accessToken: '',
    email: 'ada@example.com',
    rotates: false,
    expiresInSeconds: 3600,
    down: false,
    requests: [],
    agree(authorizeUrl) {
      const asked = new URL(authorizeUrl).searchParams
      const code = `code-${++issued}`
      challenges.set(code, asked.get('code_challenge') ?? '')
      return `${asked.get('redirect_uri')}?${new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()}`
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  function answer(form: Record<string, string>): [number, unknown] {
    if (form['client_id'] !== 'client' || form['client_secret'] !== 'client secret')
      return [401, { error: 'invalid_client' }]
    if (form['grant_type'] === 'authorization_code') {
      const challenge = challenges.get(form['code'] ?? '')
      challenges.delete(form['code'] ?? '')
      if (
        challenge !==
        createHash('sha256')
          .update(form['code_verifier'] ?? '')
          .digest('base64url')
      )
        return [400, { error: 'invalid_grant' }]
      double.refreshToken = `refresh-${++issued}`
      return [200, tokens(true)]
    }
    if (double.refreshToken === null || form['refresh_token'] !== double.refreshToken) {
      return [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }]
    }
    if (double.rotates) double.refreshToken = `refresh-${++issued}`
    return [200, tokens(double.rotates)]
  }
  function tokens(withRefresh: boolean): unknown {
    double.accessToken = `access-${++issued}`
    const claims = Buffer.from(JSON.stringify({ email: double.email })).toString('base64url')
    return {
      access_token: double.accessToken,
      expires_in: double.expiresInSeconds,
      token_type: 'Bearer',
      id_token: `e30.${claims}.sig`,
      ...(withRefresh ? { refresh_token: double.refreshToken } : {}),
    }
  }
  return double
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}
