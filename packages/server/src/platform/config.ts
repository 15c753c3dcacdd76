import { createReader, type Environment, type Reader } from './environment.ts'
import { readGoogle, readInbox, readMicrosoft, type InboxConfig, type OAuthConfig } from './mail-config.ts'
import { readMcp, type McpConfig } from './mcp-config.ts'
import { readSystemMail, type SystemMailConfig } from './system-mail-config.ts'
import { readSignIn, type SignInConfig } from './sign-in-config.ts'

/** The environment, read and parsed once in main.ts and passed down (docs/contract.md, "Accounts and keys"). */
export interface Config {
  host: string
  /** 0 lets the system choose. */
  port: number
  role: 'all' | 'api' | 'worker'
  /** Null: the server runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null
  databasePoolSize: number
  /** Absolute. */
  dataDir: string
  /** Without a trailing slash. Starts as the URL listened on when the operator sets none. */
  publicUrl: string
  publicUrlIsDefault: boolean
  /** Addresses, networks or their names, whose word on a client's address is believed. */
  trustedProxies: readonly string[]
  /** The first encrypts, all decrypt; empty: one is kept in the data folder. */
  encryptionKeys: readonly string[]
  logLevel: LogLevel
  /** Null: /metrics answers this machine alone. */
  metricsToken: string | null
  /** Of a file that is uploaded, such as an import's CSV. */
  uploadBytesMax: number
  /** Days that events are kept; 0: for ever. */
  eventRetentionDays: number
  /** After how many days a message loses its bytes and texts; 0: never. */
  messageRetentionDays: number
  /** Between /readyz that says 503 and a listener that is closed, so that a balancer can hear of it. */
  drainSeconds: number
  /** Backups of an embedded database that are kept, each of before an upgrade; 0: none is made. */
  upgradeBackups: number
  /** Days that the audit log is kept, by whole months; 0: for ever. */
  auditDays: number
  /** Whether the console is served at /app. */
  console: boolean
  /** Null: assistants are not served. */
  mcp: McpConfig | null
  network: NetworkConfig
  signIn: SignInConfig
  /** Null: links are handed over by people. */
  systemMail: SystemMailConfig | null
  inbox: InboxConfig
  ai: AiConfig
  finder: FinderConfig
  oauth: { google: OAuthConfig; microsoft: OAuthConfig }
  /** Null: nothing can be bought. */
  stripe: StripeConfig | null
}

interface NetworkConfig {
  /** Mail servers, webhooks and AI servers on private or loopback addresses. */
  allowPrivateTargets: boolean
  /** Name servers to ask instead of the system's, `host` or `host:port`. */
  dnsServers: readonly string[]
}

interface AiProviderConfig {
  apiKey: string | null
  /** Null: the provider's own. */
  baseUrl: string | null
  /** Model names to offer; empty: the product's defaults. */
  models: readonly string[]
}

export interface AiConfig {
  openai: AiProviderConfig
  anthropic: AiProviderConfig
  google: AiProviderConfig
  mistral: AiProviderConfig
  /** Any OpenAI-compatible server; null until OVERTURE_AI_BASE_URL is set. */
  compatible: { baseUrl: string; apiKey: string | null; model: string } | null
  creditsPerGeneration: number
  /** Lets the test environment reach real models; otherwise it has the built-in drafter alone. */
  enabledInTest: boolean
  /** A JSON file of models with context and price, on top of the product's own list; absolute, or null. */
  modelsFile: string | null
  /** Calls of one node to one provider at the same time. */
  concurrency: number
  /** Calls of one node to one provider in any minute; null: as many as the provider takes. */
  requestsPerMinute: number | null
  /** A provider's whole time for one generation, waits and retries included. */
  timeoutSeconds: number
}

interface FinderConfig {
  provider: 'local' | 'prospeo' | 'pdl' | 'apollo' | 'none'
  /** Of the licensed provider that was chosen; null for the others. */
  apiKey: string | null
  /** Null: the provider's own. */
  baseUrl: string | null
  /** Calls to a licensed provider in a calendar month; null: unbounded. */
  monthlyBudget: number | null
  /** The cluster that the local people are searched in; null: the index in this process. */
  openSearch: OpenSearchConfig | null
}

interface OpenSearchConfig {
  /** Without a trailing slash. */
  url: string
  username: string | null
  password: string | null
  /** What the names of its indices begin with. */
  prefix: string
  shards: number
}

interface StripeConfig {
  secretKey: string
  webhookSecret: string | null
  /** Null: Stripe's own. */
  apiBaseUrl: string | null
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** Every variable that is wrong, at once, one per line. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Throws ConfigError. `folder` is what a relative OVERTURE_DATA_DIR starts from. */
export function parseConfig(environment: Environment, folder: string): Config {
  const read = createReader(environment)
  const host = read.text('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', { min: 0, max: 65_535 }) ?? 3000
  const publicUrl = read.url('OVERTURE_PUBLIC_URL', ['http:', 'https:'])
  const config: Config = {
    host,
    port,
    role: read.choice('OVERTURE_ROLE', ['all', 'api', 'worker']) ?? 'all',
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:', 'socket:']),
    databasePoolSize: read.integer('OVERTURE_DATABASE_POOL_SIZE', { min: 4, max: 1000 }) ?? 20,
    dataDir: absolutePath(read.text('OVERTURE_DATA_DIR') ?? 'data', folder),
    publicUrl: (publicUrl ?? listenUrl(host, port)).replace(/\/+$/, ''),
    publicUrlIsDefault: publicUrl === null,
    trustedProxies: readTrustedProxies(read),
    encryptionKeys: readEncryptionKeys(read),
    logLevel: read.choice('LOG_LEVEL', logLevels) ?? 'info',
    metricsToken: readMetricsToken(read),
    uploadBytesMax: (read.integer('OVERTURE_UPLOAD_MEBIBYTES_MAX', { min: 1, max: 65_536 }) ?? 256) * 1024 * 1024,
    drainSeconds: read.integer('OVERTURE_DRAIN_SECONDS', { min: 0, max: 300 }) ?? 0,
    eventRetentionDays: read.integer('OVERTURE_EVENT_RETENTION_DAYS', { min: 0, max: 36_500 }) ?? 0,
    messageRetentionDays: read.integer('OVERTURE_MESSAGE_RETENTION_DAYS', { min: 0, max: 36_500 }) ?? 0,
    console: (read.choice('OVERTURE_CONSOLE', ['on', 'off']) ?? 'on') === 'on',
    mcp: readMcp(read),
    upgradeBackups: read.integer('OVERTURE_UPGRADE_BACKUPS', { min: 0, max: 100 }) ?? 3,
    auditDays: read.integer('OVERTURE_AUDIT_DAYS', { min: 0, max: 36_500 }) ?? 400,
    network: {
      allowPrivateTargets: read.flag('OVERTURE_ALLOW_PRIVATE_TARGETS'),
      dnsServers: read.list('OVERTURE_DNS_SERVERS'),
    },
    signIn: readSignIn(read),
    systemMail: readSystemMail(read),
    inbox: readInbox(read),
    ai: readAi(read, folder),
    finder: readFinder(read),
    oauth: { google: readGoogle(read), microsoft: readMicrosoft(read) },
    stripe: readStripe(read),
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/** `http://HOST:PORT`, with brackets around an IPv6 address. */
function listenUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']
const proxyAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:\/\d{1,3})?$/

function readTrustedProxies(read: Reader): string[] {
  const given = read.list('OVERTURE_TRUSTED_PROXIES')
  if (!given.every((one) => proxyNames.includes(one) || proxyAddress.test(one))) {
    read.problems.push(`OVERTURE_TRUSTED_PROXIES: addresses, networks such as 10.0.0.0/8, or ${proxyNames.join(', ')}.`)
  }
  return given.length === 0 ? ['loopback'] : given
}

const encryptionKeyLengthMin = 16

function readEncryptionKeys(read: Reader): string[] {
  const keys = read.list('OVERTURE_ENCRYPTION_KEY')
  if (keys.some((key) => key.length < encryptionKeyLengthMin)) {
    read.problems.push(`OVERTURE_ENCRYPTION_KEY: a key has at least ${encryptionKeyLengthMin} characters.`)
  }
  return keys
}

const metricsTokenLengthMin = 16

function readMetricsToken(read: Reader): string | null {
  const token = read.text('OVERTURE_METRICS_TOKEN')
  if (token !== null && !(token.length >= metricsTokenLengthMin && /^[\x21-\x7e]+$/.test(token))) {
    read.problems.push(`OVERTURE_METRICS_TOKEN: at least ${metricsTokenLengthMin} visible characters of ASCII.`)
  }
  return token
}

function readAi(read: Reader, folder: string): AiConfig {
  const provider = (keyName: string, urlName: string, modelsName: string): AiProviderConfig => ({
    apiKey: read.text(keyName),
    baseUrl: read.url(urlName, ['http:', 'https:']),
    models: read.list(modelsName),
  })
  const baseUrl = read.url('OVERTURE_AI_BASE_URL', ['http:', 'https:'])
  const model = read.text('OVERTURE_AI_MODEL')
  const modelsFile = read.text('OVERTURE_AI_MODELS_FILE')
  if (baseUrl !== null && model === null) read.problems.push('OVERTURE_AI_MODEL: needed with OVERTURE_AI_BASE_URL.')
  return {
    openai: provider('OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OVERTURE_OPENAI_MODELS'),
    anthropic: provider('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'OVERTURE_ANTHROPIC_MODELS'),
    google: provider('GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL', 'OVERTURE_GOOGLE_MODELS'),
    mistral: provider('MISTRAL_API_KEY', 'MISTRAL_BASE_URL', 'OVERTURE_MISTRAL_MODELS'),
    compatible:
      baseUrl === null || model === null ? null : { baseUrl, model, apiKey: read.text('OVERTURE_AI_API_KEY') },
    creditsPerGeneration: read.integer('OVERTURE_AI_CREDITS_PER_GENERATION', { min: 0, max: 1000 }) ?? 1,
    enabledInTest: read.flag('OVERTURE_AI_IN_TEST'),
    modelsFile: modelsFile === null ? null : absolutePath(modelsFile, folder),
    concurrency: read.integer('OVERTURE_AI_CONCURRENCY', { min: 1, max: 1000 }) ?? 8,
    requestsPerMinute: read.integer('OVERTURE_AI_REQUESTS_PER_MINUTE', { min: 1, max: 1_000_000 }),
    timeoutSeconds: read.integer('OVERTURE_AI_TIMEOUT_SECONDS', { min: 1, max: 60 }) ?? 60,
  }
}

function readFinder(read: Reader): FinderConfig {
  const provider = read.choice('OVERTURE_FINDER_PROVIDER', ['local', 'prospeo', 'pdl', 'apollo', 'none']) ?? 'local'
  const monthlyBudget = read.integer('OVERTURE_FINDER_MONTHLY_BUDGET', { min: 0, max: 1_000_000_000 })
  if (provider === 'local' || provider === 'none')
    return { provider, apiKey: null, baseUrl: null, monthlyBudget, openSearch: readOpenSearch(read) }
  const name = provider.toUpperCase()
  const apiKey = read.text(`${name}_API_KEY`)
  if (apiKey === null) read.problems.push(`${name}_API_KEY: needed with OVERTURE_FINDER_PROVIDER=${provider}.`)
  return {
    provider,
    apiKey,
    baseUrl: read.url(`${name}_BASE_URL`, ['http:', 'https:']),
    monthlyBudget,
    openSearch: readOpenSearch(read),
  }
}

function readOpenSearch(read: Reader): OpenSearchConfig | null {
  const url = read.url('OVERTURE_FINDER_OPENSEARCH_URL', ['http:', 'https:'])
  if (url === null) return null
  return {
    url: url.replace(/\/+$/, ''),
    username: read.text('OVERTURE_FINDER_OPENSEARCH_USERNAME'),
    password: read.text('OVERTURE_FINDER_OPENSEARCH_PASSWORD'),
    prefix: read.text('OVERTURE_FINDER_OPENSEARCH_PREFIX') ?? 'overture',
    shards: read.integer('OVERTURE_FINDER_OPENSEARCH_SHARDS', { min: 1, max: 1000 }) ?? 1,
  }
}

function readStripe(read: Reader): StripeConfig | null {
  const secretKey = read.text('STRIPE_SECRET_KEY')
  if (secretKey === null) return null
  return {
    secretKey,
    webhookSecret: read.text('STRIPE_WEBHOOK_SECRET'),
    apiBaseUrl: read.url('STRIPE_BASE_URL', ['http:', 'https:']),
  }
}

function absolutePath(path: string, folder: string): string {
  const joined =
    path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? path : `${folder}/${path.replace(/^(\.\/)+/, '')}`
  return joined.length > 1 ? joined.replace(/\/+$/, '') : joined
}
