import { OvertureError } from './errors.ts'

export interface Logger {
  debug(message: string): void
}

export interface OvertureOptions {
  /** `ovt_live_…` or `ovt_test_…`. The default is OVERTURE_API_KEY of the environment. */
  apiKey?: string
  /** For a page of the server itself: uses the session of the signed-in user instead of a key, in this environment. */
  session?: 'live' | 'test'
  /** The URL of the server. The default is OVERTURE_URL of the environment, else http://127.0.0.1:3000. */
  baseUrl?: string
  /** The timeout of one try, until its answer arrives. */
  timeoutMs?: number
  /** The number of tries after the first. */
  retries?: number
  /** The longest wait that the client accepts if the server asks for one. For a longer one it throws an error with `retryAfterSeconds`. */
  retryAfterMsMax?: number
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Called for every try, without keys and bodies. */
  logger?: Logger
  /** A key in a page can be read by everyone who opens the page. Only set this for pages that only the owner of the key opens. */
  dangerouslyAllowBrowser?: boolean
}

export type Settings = Required<Omit<OvertureOptions, 'apiKey' | 'session' | 'logger' | 'dangerouslyAllowBrowser'>> & {
  /** Headers that identify the caller: a key, or the environment of the page's session. */
  identity: Readonly<Record<string, string>>
  logger: Logger | null
}

const keyShape = /^ovt_(?:live|test)_[0-9A-Za-z]{30}$/

/** Merges options, the environment and defaults. Invalid settings are refused here, before any request is sent. */
export function readSettings(options: OvertureOptions): Settings {
  return {
    identity: readIdentity(options),
    baseUrl: parseBaseUrl(options.baseUrl ?? variable('OVERTURE_URL') ?? 'http://127.0.0.1:3000'),
    timeoutMs: atLeast(1, 'timeoutMs', options.timeoutMs ?? 60_000),
    retries: atLeast(0, 'retries', options.retries ?? 2),
    retryAfterMsMax: atLeast(0, 'retryAfterMsMax', options.retryAfterMsMax ?? 60_000),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger ?? null,
  }
}

function readIdentity(options: OvertureOptions): Record<string, string> {
  if (options.session !== undefined) return { 'x-overture-environment': options.session }
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    throw refused('In a browser everybody sees the key. Set dangerouslyAllowBrowser if that is what you want.')
  const apiKey = options.apiKey ?? variable('OVERTURE_API_KEY')
  if (apiKey === undefined) throw refused('No API key: pass apiKey or set OVERTURE_API_KEY.')
  if (!keyShape.test(apiKey)) throw refused('apiKey is not an API key. A key begins with ovt_live_ or ovt_test_.')
  return { authorization: `Bearer ${apiKey}` }
}

function parseBaseUrl(text: string): string {
  const url = parsed(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw refused(`baseUrl must be an http or https URL without a query: ${text}`)
  return url.href.replace(/\/+$/, '').replace(/\/v2$/, '')
}

function parsed(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function atLeast(min: number, name: string, value: number): number {
  if (!(value >= min)) throw refused(`${name} must be a number of at least ${min}.`)
  return value
}

function refused(message: string): OvertureError {
  return new OvertureError('ConfigurationError', message)
}

export function isBrowser(): boolean {
  const { window, document } = globalThis as { window?: unknown; document?: unknown }
  return window !== undefined && document !== undefined
}

// Workers and browsers have no `process`.
function variable(name: string): string | undefined {
  const { process: host } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return host?.env?.[name] || undefined
}
