import { absolutePath } from './settings/absolute-path.ts'
import { createReader, type Environment, type Reader } from './settings/read-settings.ts'
import {
  readGoogle,
  readInbox,
  readMicrosoft,
  readVerification,
  type InboxConfig,
  type MicrosoftConfig,
  type OAuthConfig,
  type VerificationConfig,
} from './mail-config.ts'
import { readMcp, type McpConfig } from './mcp-config.ts'
import { readSystemMail, type SystemMailConfig } from './system-mail-config.ts'
import { readTraces, type TracesConfig } from './traces-config.ts'
import { readSignIn, type SignInConfig } from './sign-in-config.ts'

/** The environment variables, read and parsed once in main.ts and passed down (docs/contract.md, "Accounts and keys"). */
export interface Config {
  host: string
  /** 0 lets the system choose. */
  port: number
  role: 'all' | 'api' | 'worker'
  /** Null means that the server runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null
  /** Whether the database spans several servers. */
  distributed: boolean
  /** Null means that there is no replica. */
  replica: ReplicaConfig | null
  databasePoolSize: number
  /** An absolute path. */
  dataDir: string
  /** Without a trailing slash. Defaults to the URL of the listener. */
  publicUrl: string
  publicUrlIsDefault: boolean
  /** Addresses, networks or their names whose forwarded client address is trusted. */
  trustedProxies: readonly string[]
  /** The first key encrypts, all of them decrypt. If empty, a key in the data folder is used. */
  encryptionKeys: readonly string[]
  logLevel: LogLevel
  /** The requests that are logged. */
  requestLog: 'all' | 'failed' | 'off'
  /** Null means no traces. */
  traces: TracesConfig | null
  /** Null means that /metrics is served to this machine only. */
  metricsToken: string | null
  /** The largest size of an uploaded file, such as the CSV of an import. */
  uploadBytesMax: number
  /** Days until events are deleted; 0 keeps them forever. */
  eventRetentionDays: number
  /** Days until the bytes and texts of a message are deleted; 0 keeps them forever. */
  messageRetentionDays: number
  /** The time between a 503 from /readyz and the end of the listener, so that a load balancer notices. */
  drainSeconds: number
  /** The number of kept backups of an embedded database, one before each upgrade; 0 makes none. */
  upgradeBackups: number
  /** Days until the audit log is deleted, by whole months; 0 keeps it forever. */
  auditDays: number
  /** Whether the console is served at /app. */
  console: boolean
  /** Null means that the MCP endpoint for assistants is off. */
  mcp: McpConfig | null
  network: NetworkConfig
  signIn: SignInConfig
  /** Null means that the installation sends no mail: people pass on invitations and other links themselves. */
  systemMail: SystemMailConfig | null
  inbox: InboxConfig
  ai: AiConfig
  finder: FinderConfig
  /** Null means that no provider verifies addresses. */
  verification: VerificationConfig | null
  oauth: { google: OAuthConfig; microsoft: MicrosoftConfig }
  /** Null means that billing is off. */
  payments: PaymentsConfig | null
}

interface ReplicaConfig {
  url: string
  /** How long a reader waits until the replica has the earlier writes. */
  lagMsMax: number
}

interface NetworkConfig {
  /** Allows mail servers, webhooks and AI servers on private or loopback addresses. */
  allowPrivateTargets: boolean
  /** Name servers to query instead of the system's, as `host` or `host:port`. */
  dnsServers: readonly string[]
}

interface AiProviderConfig {
  apiKey: string | null
  /** Null means the provider's own URL. */
  baseUrl: string | null
  /** Model names to offer; if empty, the product's defaults. */
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
  /** Whether the test environment may use real models. Otherwise it has only the built-in drafter. */
  enabledInTest: boolean
  /** A JSON file of models with context and price, in addition to the product's own list; an absolute path or null. */
  modelsFile: string | null
  /** Parallel calls of one node to one provider. */
  concurrency: number
  /** Calls of one node to one provider per minute; null leaves the limit to the provider. */
  requestsPerMinute: number | null
  /** The time limit of a provider for one generation, including waits and retries. */
  timeoutSeconds: number
}

interface FinderConfig {
  provider: 'local' | 'prospeo' | 'pdl' | 'apollo' | 'none'
  /** The key of the chosen licensed provider; null for the others. */
  apiKey: string | null
  /** Null means the provider's own URL. */
  baseUrl: string | null
  /** Calls to a licensed provider per calendar month; null means no limit. */
  monthlyBudget: number | null
  /** The cluster for searching the local people; null means the index in this process. */
  cluster: SearchClusterConfig | null
}

interface SearchClusterConfig {
  /** Without a trailing slash. */
  url: string
  username: string | null
  password: string | null
  /** The prefix of its index names. */
  prefix: string
  shards: number
}

interface PaymentsConfig {
  secretKey: string
  webhookSecret: string | null
  /** Null means the provider's own URL. */
  apiBaseUrl: string | null
}

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Reports every invalid variable at once, one per line. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/**
 * Throws ConfigError, which also contains `problems`: those of the code that gathered the settings. A relative OVERTURE_DATA_DIR
 * is resolved from `folder`.
 */
export function parseConfig(environment: Environment, folder: string, problems: readonly string[] = []): Config {
  const read = createReader(environment, [...problems])
  const host = read.value('HOST')
  const port = read.value('PORT')
  const publicUrl = read.value('OVERTURE_PUBLIC_URL')
  const trustedProxies = read.value('OVERTURE_TRUSTED_PROXIES')
  const config: Config = {
    host,
    port,
    role: read.value('OVERTURE_ROLE'),
    databaseUrl: read.value('DATABASE_URL'),
    distributed: readDistributed(read),
    replica: readReplica(read),
    databasePoolSize: read.value('OVERTURE_DATABASE_POOL_SIZE'),
    dataDir: absolutePath(read.value('OVERTURE_DATA_DIR'), folder),
    publicUrl: (publicUrl ?? listenUrl(host, port)).replace(/\/+$/, ''),
    publicUrlIsDefault: publicUrl === null,
    trustedProxies: trustedProxies.length === 0 ? ['loopback'] : trustedProxies,
    encryptionKeys: read.value('OVERTURE_ENCRYPTION_KEY'),
    logLevel: read.value('LOG_LEVEL'),
    requestLog: read.value('OVERTURE_REQUEST_LOG'),
    traces: readTraces(read),
    metricsToken: read.value('OVERTURE_METRICS_TOKEN'),
    uploadBytesMax: read.value('OVERTURE_UPLOAD_MEBIBYTES_MAX') * 1024 * 1024,
    drainSeconds: read.value('OVERTURE_DRAIN_SECONDS'),
    eventRetentionDays: read.value('OVERTURE_EVENT_RETENTION_DAYS'),
    messageRetentionDays: read.value('OVERTURE_MESSAGE_RETENTION_DAYS'),
    console: read.value('OVERTURE_CONSOLE') === 'on',
    mcp: readMcp(read),
    upgradeBackups: read.value('OVERTURE_UPGRADE_BACKUPS'),
    auditDays: read.value('OVERTURE_AUDIT_DAYS'),
    network: {
      allowPrivateTargets: read.value('OVERTURE_ALLOW_PRIVATE_TARGETS'),
      dnsServers: read.value('OVERTURE_DNS_SERVERS'),
    },
    signIn: readSignIn(read),
    systemMail: readSystemMail(read),
    inbox: readInbox(read),
    ai: readAi(read, folder),
    finder: readFinder(read),
    verification: readVerification(read),
    oauth: { google: readGoogle(read), microsoft: readMicrosoft(read) },
    payments: readPayments(read),
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}

/** `http://HOST:PORT`, with brackets around an IPv6 address. */
function listenUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function readDistributed(read: Reader): boolean {
  if (read.value('OVERTURE_CITUS') === 'off') return false
  if (read.value('DATABASE_URL') === null)
    read.problems.push('OVERTURE_CITUS: needs DATABASE_URL. The embedded PostgreSQL is a single server.')
  if (read.value('DATABASE_REPLICA_URL') !== null)
    read.problems.push("DATABASE_REPLICA_URL: can't be used with OVERTURE_CITUS. Remove one of them.")
  return true
}

function readReplica(read: Reader): ReplicaConfig | null {
  const url = read.value('DATABASE_REPLICA_URL')
  if (url === null) return null
  if (read.value('DATABASE_URL') === null)
    read.problems.push('DATABASE_REPLICA_URL: needs DATABASE_URL. The embedded PostgreSQL has no replica.')
  return { url, lagMsMax: read.value('OVERTURE_REPLICA_LAG_MS_MAX') }
}

function readAi(read: Reader, folder: string): AiConfig {
  const baseUrl = read.value('OVERTURE_AI_BASE_URL')
  const model = read.value('OVERTURE_AI_MODEL')
  const modelsFile = read.value('OVERTURE_AI_MODELS_FILE')
  if (baseUrl !== null && model === null) read.problems.push('OVERTURE_AI_MODEL: required with OVERTURE_AI_BASE_URL.')
  return {
    openai: {
      apiKey: read.value('OPENAI_API_KEY'),
      baseUrl: read.value('OPENAI_BASE_URL'),
      models: read.value('OVERTURE_OPENAI_MODELS'),
    },
    anthropic: {
      apiKey: read.value('ANTHROPIC_API_KEY'),
      baseUrl: read.value('ANTHROPIC_BASE_URL'),
      models: read.value('OVERTURE_ANTHROPIC_MODELS'),
    },
    google: {
      apiKey: read.value('GOOGLE_GENERATIVE_AI_API_KEY'),
      baseUrl: read.value('GOOGLE_GENERATIVE_AI_BASE_URL'),
      models: read.value('OVERTURE_GOOGLE_MODELS'),
    },
    mistral: {
      apiKey: read.value('MISTRAL_API_KEY'),
      baseUrl: read.value('MISTRAL_BASE_URL'),
      models: read.value('OVERTURE_MISTRAL_MODELS'),
    },
    compatible:
      baseUrl === null || model === null ? null : { baseUrl, model, apiKey: read.value('OVERTURE_AI_API_KEY') },
    creditsPerGeneration: read.value('OVERTURE_AI_CREDITS_PER_GENERATION'),
    enabledInTest: read.value('OVERTURE_AI_IN_TEST'),
    modelsFile: modelsFile === null ? null : absolutePath(modelsFile, folder),
    concurrency: read.value('OVERTURE_AI_CONCURRENCY'),
    requestsPerMinute: read.value('OVERTURE_AI_REQUESTS_PER_MINUTE'),
    timeoutSeconds: read.value('OVERTURE_AI_TIMEOUT_SECONDS'),
  }
}

function readFinder(read: Reader): FinderConfig {
  const provider = read.value('OVERTURE_FINDER_PROVIDER')
  const common = { monthlyBudget: read.value('OVERTURE_FINDER_MONTHLY_BUDGET'), cluster: readSearchCluster(read) }
  if (provider === 'local' || provider === 'none') return { provider, apiKey: null, baseUrl: null, ...common }
  const name = provider.toUpperCase() as Uppercase<typeof provider>
  const apiKey = read.value(`${name}_API_KEY`)
  if (apiKey === null) read.problems.push(`${name}_API_KEY: required with OVERTURE_FINDER_PROVIDER=${provider}.`)
  return { provider, apiKey, baseUrl: read.value(`${name}_BASE_URL`), ...common }
}

function readSearchCluster(read: Reader): SearchClusterConfig | null {
  const url = read.value('OVERTURE_FINDER_OPENSEARCH_URL')
  if (url === null) return null
  return {
    url: url.replace(/\/+$/, ''),
    username: read.value('OVERTURE_FINDER_OPENSEARCH_USERNAME'),
    password: read.value('OVERTURE_FINDER_OPENSEARCH_PASSWORD'),
    prefix: read.value('OVERTURE_FINDER_OPENSEARCH_PREFIX'),
    shards: read.value('OVERTURE_FINDER_OPENSEARCH_SHARDS'),
  }
}

function readPayments(read: Reader): PaymentsConfig | null {
  const secretKey = read.value('STRIPE_SECRET_KEY')
  if (secretKey === null) return null
  return {
    secretKey,
    webhookSecret: read.value('STRIPE_WEBHOOK_SECRET'),
    apiBaseUrl: read.value('STRIPE_BASE_URL'),
  }
}
