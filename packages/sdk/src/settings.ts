import { OvertureError } from './errors.ts'

export interface Logger {
  debug(message: string): void
}

export interface OvertureOptions {
  /** `ovt_live_…` or `ovt_test_…`; else the environment's OVERTURE_API_KEY. */
  apiKey?: string
  /**
   * In a page that the server itself serves: the session of whoever is signed in takes the place of a key, in this
   * environment.
   */
  session?: 'live' | 'test'
  /** Where the server is; else the environment's OVERTURE_URL, else http://127.0.0.1:3000. */
  baseUrl?: string
  /** Of one try, until its answer is there. */
  timeoutMs?: number
  /** Tries after the first. */
  retries?: number
  /** A wait that the server asks for is kept up to this; a longer one is thrown, with `retryAfterSeconds`. */
  retryAfterMsMax?: number
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Told of every try, without keys and bodies. */
  logger?: Logger
  /** A key in a page is everybody's key: only for pages that none but their owner opens. */
  dangerouslyAllowBrowser?: boolean
}

export type Settings = Required<Omit<OvertureOptions, 'apiKey' | 'session' | 'logger' | 'dangerouslyAllowBrowser'>> & {
  /** What says who asks: a key, or the environment that the page's session is used in. */
  identity: Readonly<Record<string, string>>
  logger: Logger | null
}

const keyShape = /^ovt_(?:live|test)_[0-9A-Za-z]{30}$/

/** Options, the environment and defaults together; what can't work is refused here, before anything is sent. */
export function settingsOf(options: OvertureOptions): Settings {
  return {
    identity: identityOf(options),
    baseUrl: baseUrlOf(options.baseUrl ?? variable('OVERTURE_URL') ?? 'http://127.0.0.1:3000'),
    timeoutMs: atLeast(1, 'timeoutMs', options.timeoutMs ?? 60_000),
    retries: atLeast(0, 'retries', options.retries ?? 2),
    retryAfterMsMax: atLeast(0, 'retryAfterMsMax', options.retryAfterMsMax ?? 60_000),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger ?? null,
  }
}

function identityOf(options: OvertureOptions): Record<string, string> {
  if (options.session !== undefined) return { 'x-overture-environment': options.session }
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    throw refused('In a browser everybody sees the key. Set dangerouslyAllowBrowser if that is what you want.')
  const apiKey = options.apiKey ?? variable('OVERTURE_API_KEY')
  if (apiKey === undefined) throw refused('No API key: pass apiKey or set OVERTURE_API_KEY.')
  if (!keyShape.test(apiKey)) throw refused('apiKey is no API key: one reads ovt_live_… or ovt_test_….')
  return { authorization: `Bearer ${apiKey}` }
}

function baseUrlOf(text: string): string {
  const url = parsed(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw refused(`baseUrl is no http or https URL without a query: ${text}`)
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

// Workers and browsers know no such thing.
function variable(name: string): string | undefined {
  const { process: host } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return host?.env?.[name] || undefined
}
