import { createHash, randomBytes } from 'node:crypto'
import type { TestPerson } from '../server/people.ts'

export const redirectUri = 'http://127.0.0.1:7777/callback'

let addresses = 0
/** Headers of a client with an address of its own, since each address may make few requests. */
export function newAddress(): Record<string, string> {
  return { 'x-forwarded-for': `198.51.100.${(addresses++ % 250) + 1}` }
}

/** The cookies of a browser on one server, without paths and times. */
class CookieJar {
  readonly #values = new Map<string, string>()

  constructor(cookie: string) {
    this.#put(cookie)
  }

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) this.#put(line.split(';')[0]!)
  }

  get header(): string {
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #put(pair: string): void {
    const at = pair.indexOf('=')
    this.#values.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

export interface Consent {
  allow: boolean
  environment: 'test' | 'live'
  scopes: string[]
}

/** Opens the address that an assistant opened, as the browser of a person. Answers on the consent page and returns the last redirect. */
export async function answerConsent(
  authorizeUrl: URL,
  person: Pick<TestPerson, 'cookie'>,
  consent: Consent,
  { beforeAnswer = () => {} }: { beforeAnswer?: () => void } = {},
): Promise<URL> {
  const jar = new CookieJar(person.cookie)
  const from = newAddress()
  const open = async (url: URL): Promise<Response> => {
    const answer = await fetch(url, { redirect: 'manual', headers: { ...from, cookie: jar.header } })
    jar.keep(answer.headers)
    return answer
  }
  const first = await open(authorizeUrl)
  const page = first.headers.get('location')
  if (page === null) throw new Error(`${first.status} ${await first.text()}`)
  if (!page.endsWith('/app/connect')) return new URL(page, authorizeUrl)
  const own = { ...from, cookie: jar.header, 'sec-fetch-site': 'same-origin' }
  const shown = await fetch(new URL('/oauth/consent', authorizeUrl), { headers: own })
  if (!shown.ok) throw new Error(`${shown.status} ${await shown.text()}`)
  const { id } = (await shown.json()) as { id: string }
  beforeAnswer()
  const decided = await fetch(new URL('/oauth/consent', authorizeUrl), {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ id, ...consent }),
  })
  if (!decided.ok) throw new Error(`${decided.status} ${await decided.text()}`)
  const { location } = (await decided.json()) as { location: string }
  const last = await open(new URL(location))
  const end = last.headers.get('location')
  if (end === null) throw new Error(`${last.status} ${await last.text()}`)
  return new URL(end, authorizeUrl)
}

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  error?: string
  error_description?: string
}

/** Registers a client. */
export function register(url: string, changes: object = {}): Promise<Response> {
  return fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { ...newAddress(), 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Assistant double', redirect_uris: [redirectUri], ...changes }),
  })
}

interface GrantClientValues {
  resource: string
  verifier: string
}

/** A client without the protocol's library, so that a test can send what no honest client sends. */
export class GrantClient {
  readonly url: string
  readonly id: string
  readonly resource: string
  readonly verifier: string

  constructor(
    url: string,
    id: string,
    { resource = `${url}/mcp`, verifier = randomBytes(32).toString('base64url') }: Partial<GrantClientValues> = {},
  ) {
    this.url = url
    this.id = id
    this.resource = resource
    this.verifier = verifier
  }

  static async register(url: string, changes: object = {}): Promise<GrantClient> {
    const answer = await register(url, changes)
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    return new GrantClient(url, ((await answer.json()) as { client_id: string }).client_id)
  }

  /** The same client, which sends its requests to another process of the installation. */
  at(url: string): GrantClient {
    return new GrantClient(url, this.id, this)
  }

  authorizeUrl(changes: Record<string, string> = {}): URL {
    const url = new URL('/oauth/authorize', this.url)
    const parameters = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: redirectUri,
      scope: 'read write send live',
      state: 'a state',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.resource,
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) if (value !== '') url.searchParams.set(name, value)
    return url
  }

  /** Opens a changed request without a session. Returns the status and the reason of a refusal. */
  async open(
    changes: Record<string, string> = {},
  ): Promise<{ status: number; error: string | null; location: string }> {
    const answer = await fetch(this.authorizeUrl(changes), { redirect: 'manual', headers: newAddress() })
    const location = answer.headers.get('location') ?? ''
    const body = answer.status < 400 ? { error: null } : ((await answer.json()) as { error: string })
    return { status: answer.status, error: body.error, location }
  }

  async code(
    person: Pick<TestPerson, 'cookie'>,
    consent: Consent,
    changes: Record<string, string> = {},
  ): Promise<string> {
    const end = await answerConsent(this.authorizeUrl(changes), person, consent)
    const code = end.searchParams.get('code')
    if (code === null) throw new Error(end.href)
    return code
  }

  redeem(code: string, changes: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> {
    return this.#token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: this.verifier,
      resource: this.resource,
      ...changes,
    })
  }

  refresh(refreshToken: string, changes: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes })
  }

  async revoke(token: string): Promise<number> {
    const body = new URLSearchParams({ client_id: this.id, token })
    return (await fetch(`${this.url}/oauth/revoke`, { method: 'POST', headers: newAddress(), body })).status
  }

  async #token(form: Record<string, string>): Promise<{ status: number; body: Tokens }> {
    const answer = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: newAddress(),
      body: new URLSearchParams({ client_id: this.id, ...form }),
    })
    return { status: answer.status, body: (await answer.json()) as Tokens }
  }
}
