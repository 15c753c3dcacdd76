import { roles } from '@overture/contract/team/roles.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { choice, flag, integer, like, list, text, url, type Setting } from './setting.ts'
import { modelSettings, providerSettings } from './provider-settings.ts'

const web = ['http:', 'https:']
const proxyNames = ['loopback', 'linklocal', 'uniquelocal']
const proxyAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:\/\d{1,3})?$/
const secretLengthMin = 16
const daysMax = 36_500

const server = {
  HOST: text({ default: '127.0.0.1', help: 'the address to listen on' }),
  PORT: integer({ min: 0, max: 65_535, default: '3000', help: 'the port to listen on; 0 uses a free one' }),
  OVERTURE_ROLE: choice(['all', 'api', 'worker'], {
    default: 'all',
    help: '`api` serves requests, `worker` sends and reads mail, `all` does both',
  }),
  OVERTURE_PUBLIC_URL: url(web, {
    otherwise: 'the URL of HOST and PORT',
    help: 'base of the links in messages; live mail needs https and a public name. Stored for all nodes',
  }),
  OVERTURE_TRUSTED_PROXIES: list({
    default: 'loopback',
    each: (one) => proxyNames.includes(one) || proxyAddress.test(one),
    expected: `addresses, networks such as 10.0.0.0/8, or ${proxyNames.join(', ')}.`,
    help: 'proxies whose `X-Forwarded-For` is trusted: addresses, networks, or `loopback`, `linklocal`, `uniquelocal`',
  }),
  OVERTURE_CONSOLE: choice(['on', 'off'], { default: 'on', help: 'whether the console is served at `/app`' }),
  OVERTURE_MCP: list({
    otherwise: '`write`',
    help: 'what assistants may do at `/mcp`: `off`, `read`, `write` or `send`, plus `live` for live keys',
  }),
  OVERTURE_DRAIN_SECONDS: integer({
    min: 0,
    max: 300,
    default: '0',
    help: 'seconds after SIGTERM between `/readyz` returning 503 and closing the listener',
  }),
  OVERTURE_UPLOAD_MEBIBYTES_MAX: integer({
    min: 1,
    max: 65_536,
    default: '256',
    help: 'maximum size of an uploaded file, in MiB',
  }),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    help: 'lowest level that is logged, as one JSON line per event on standard error',
  }),
  OVERTURE_REQUEST_LOG: choice(['all', 'failed', 'off'], {
    default: 'all',
    help: 'which requests are logged: all, only rejected and failed ones, or none',
  }),
  OVERTURE_METRICS_TOKEN: like(
    (value) => value.length >= secretLengthMin && /^[\x21-\x7e]+$/.test(value),
    `use at least ${secretLengthMin} visible ASCII characters.`,
    {
      secret: true,
      otherwise: '`/metrics` is open only to this machine',
      help: 'the bearer token that allows reading `/metrics`',
    },
  ),
}

const store = {
  DATABASE_URL: url(['postgres:', 'postgresql:', 'socket:'], {
    secret: true,
    otherwise: 'an embedded PostgreSQL in the data folder',
    help: 'any PostgreSQL 15 or newer',
  }),
  OVERTURE_CITUS: choice(['off', 'on'], {
    default: 'off',
    help: '`on` if `DATABASE_URL` is the coordinator of a Citus cluster (docs/citus.md)',
  }),
  DATABASE_REPLICA_URL: url(['postgres:', 'postgresql:', 'socket:'], {
    secret: true,
    otherwise: 'everything is read from `DATABASE_URL`',
    help: 'a replica of it that serves lists, analytics and exports of live data',
  }),
  OVERTURE_REPLICA_LAG_MS_MAX: integer({
    min: 1,
    max: minuteMs,
    default: '500',
    help: 'how long a read waits for the replica to catch up before it uses `DATABASE_URL`',
  }),
  OVERTURE_DATABASE_POOL_SIZE: integer({ min: 4, max: 1000, default: '20', help: 'database connections per process' }),
  OVERTURE_DATA_DIR: text({
    default: 'data',
    help: 'folder of the embedded database, keys and indexes; relative to the working directory',
  }),
  OVERTURE_ENCRYPTION_KEY: list({
    secret: true,
    otherwise: 'generated and stored in the data folder',
    each: (key) => key.length >= secretLengthMin,
    expected: `a key needs at least ${secretLengthMin} characters.`,
    help: 'encrypts stored credentials; during a change several keys, comma-separated',
  }),
  OVERTURE_UPGRADE_BACKUPS: integer({
    min: 0,
    max: 100,
    default: '3',
    help: 'number of backups to keep that are made before upgrades of an embedded database',
  }),
  OVERTURE_EVENT_RETENTION_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '0',
    help: 'events older than this are deleted, one month at a time; 0: never',
  }),
  OVERTURE_MESSAGE_RETENTION_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '0',
    help: 'texts and raw bytes of messages older than this are deleted; 0: never',
  }),
  OVERTURE_AUDIT_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '400',
    help: 'how long the audit log is kept, in whole months; 0: forever',
  }),
}

const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(web, {
    otherwise: 'no traces',
    help: 'a collector for OTLP over HTTP, such as `http://127.0.0.1:4318`; traces are sent to its `/v1/traces`',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: list({
    secret: true,
    each: (one) => /^[!#$%&'*+.^`|~\w-]+=[\x20-\x7e]*$/.test(one),
    expected: 'use headers such as `authorization=Bearer%20…`, comma-separated.',
    help: 'headers for the collector: `name=value`, comma-separated, values percent-encoded',
  }),
  OTEL_SERVICE_NAME: text({ default: 'overture', help: 'name of this service in traces' }),
  OTEL_TRACES_SAMPLER_ARG: like(
    (value) => /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value),
    'use a share from 0 to 1.',
    {
      otherwise: '`1`',
      help: 'the share of traces to keep, from 0 to 1',
    },
  ),
}

const people = {
  OVERTURE_PASSWORD_LOGIN: choice(['on', 'off'], {
    default: 'on',
    help: '`off`: users can sign in only with OpenID Connect',
  }),
  OVERTURE_PASSWORD_MEBIBYTES: integer({
    min: 1,
    max: 1024,
    default: '64',
    help: 'memory for checking one password, in MiB',
  }),
  OVERTURE_SYSTEM_MAIL_URL: url(['smtp:', 'smtps:'], {
    secret: true,
    otherwise: 'no system mail; users hand over links themselves',
    help: 'the mail server for invitations and forgotten passwords: `smtp://user:password@host:587?starttls&from=ADDRESS`',
  }),
  OVERTURE_OIDC_ISSUER: url(['https:', 'http:'], { help: 'the OpenID Connect issuer where users sign in' }),
  OVERTURE_OIDC_CLIENT_ID: text({ default: '', help: 'client id of this server at the issuer' }),
  OVERTURE_OIDC_CLIENT_SECRET: text({
    secret: true,
    help: 'client secret of this server at the issuer; a public client has none',
  }),
  OVERTURE_OIDC_ACCOUNT: text({ otherwise: 'the first account', help: 'the account of these users' }),
  OVERTURE_OIDC_DEFAULT_ROLE: choice(roles, {
    otherwise: 'only invited people can sign in',
    help: 'lets every user of the issuer sign in, with this role',
  }),
  OVERTURE_OIDC_ROLE_CLAIM: text({ help: 'the claim with the groups of a user' }),
  OVERTURE_OIDC_ROLE_MAP: list({ help: 'roles by group, such as `ops=admin,*=viewer`' }),
}

const network = {
  OVERTURE_ALLOW_PRIVATE_TARGETS: flag({
    default: '0',
    help: '`1` allows private addresses for mail servers, webhooks and AI servers',
  }),
  OVERTURE_DNS_SERVERS: list({ otherwise: "the system's", help: 'DNS servers to use, comma-separated' }),
  OVERTURE_IDLE_MAILBOXES_MAX: integer({
    min: 1,
    max: 100_000,
    otherwise: '1,000 to 10,000, depending on memory',
    help: 'mailboxes per process with a permanent connection; the others are polled in turn',
  }),
  OVERTURE_MAIL_THREADS: integer({ min: 1, max: 64, default: '2', help: 'threads that parse incoming mail' }),
  OVERTURE_MAIL_SECONDS_MAX: integer({ min: 1, max: 60, default: '2', help: 'maximum time to parse one message' }),
  OVERTURE_MAIL_MEBIBYTES_MAX: integer({
    min: 64,
    max: 4_096,
    default: '256',
    help: 'memory of one parsing thread, in MiB',
  }),
}

/** All settings, by area. A test compares README, .env.example and the documentation pages with it. */
export const settingGroups = {
  Server: server,
  'Database and data': store,
  Traces: traces,
  People: people,
  'Network and mail': network,
  'Writing with models': modelSettings,
  'Other services': providerSettings,
} as const satisfies Record<string, Record<string, Setting>>

export const settings = { ...server, ...store, ...traces, ...people, ...network, ...modelSettings, ...providerSettings }
export type SettingName = keyof typeof settings
export type SettingValue<Name extends SettingName> =
  (typeof settings)[Name] extends Setting<infer Value> ? Value : never

export const settingNames = Object.keys(settings) as SettingName[]
