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
  PORT: integer({ min: 0, max: 65_535, default: '3000', help: 'the port to listen on; 0 takes a free one' }),
  OVERTURE_ROLE: choice(['all', 'api', 'worker'], {
    default: 'all',
    help: '`api` serves, `worker` works, `all` does both',
  }),
  OVERTURE_PUBLIC_URL: url(web, {
    otherwise: 'the URL listened on',
    help: 'in links of messages; live mail needs https and a public name. Kept for all nodes',
  }),
  OVERTURE_TRUSTED_PROXIES: list({
    default: 'loopback',
    each: (one) => proxyNames.includes(one) || proxyAddress.test(one),
    expected: `addresses, networks such as 10.0.0.0/8, or ${proxyNames.join(', ')}.`,
    help: 'whose `X-Forwarded-For` is believed: addresses, networks, or `loopback`, `linklocal`, `uniquelocal`',
  }),
  OVERTURE_CONSOLE: choice(['on', 'off'], { default: 'on', help: 'whether the console is served at `/app`' }),
  OVERTURE_MCP: list({
    otherwise: '`write`',
    help: 'what assistants may do at `/mcp`: `off`, `read`, `write`, `send`, and `live` beside it',
  }),
  OVERTURE_DRAIN_SECONDS: integer({
    min: 0,
    max: 300,
    default: '0',
    help: 'between `/readyz` that says 503 and a listener that is closed, after SIGTERM',
  }),
  OVERTURE_UPLOAD_MEBIBYTES_MAX: integer({
    min: 1,
    max: 65_536,
    default: '256',
    help: 'size of a file that is uploaded, in MiB',
  }),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    help: 'what of the log is written; one JSON line per event on standard error',
  }),
  OVERTURE_REQUEST_LOG: choice(['all', 'failed', 'off'], {
    default: 'all',
    help: 'which requests have a line in the log: all, those that were refused or failed, or none',
  }),
  OVERTURE_METRICS_TOKEN: like(
    (value) => value.length >= secretLengthMin && /^[\x21-\x7e]+$/.test(value),
    `at least ${secretLengthMin} visible characters of ASCII.`,
    {
      secret: true,
      otherwise: '`/metrics` answers this machine alone',
      help: 'who shows it as a bearer token may read `/metrics`',
    },
  ),
}

const store = {
  DATABASE_URL: url(['postgres:', 'postgresql:', 'socket:'], {
    secret: true,
    otherwise: 'a PostgreSQL of its own in the data folder',
    help: 'any PostgreSQL 15 or newer',
  }),
  OVERTURE_CITUS: choice(['off', 'on'], {
    default: 'off',
    help: '`on`: `DATABASE_URL` is the coordinator of a Citus ("Citus" in docs/operating.md)',
  }),
  DATABASE_REPLICA_URL: url(['postgres:', 'postgresql:', 'socket:'], {
    secret: true,
    otherwise: 'everything is read from `DATABASE_URL`',
    help: 'one server that follows it and answers lists, analytics and exports of live data',
  }),
  OVERTURE_REPLICA_LAG_MS_MAX: integer({
    min: 1,
    max: minuteMs,
    default: '500',
    help: 'how long a reader waits for the replica to have all that was written before it; then `DATABASE_URL` answers',
  }),
  OVERTURE_DATABASE_POOL_SIZE: integer({ min: 4, max: 1000, default: '20', help: 'connections of one process' }),
  OVERTURE_DATA_DIR: text({ default: 'data', help: 'embedded database, keys, indexes; from where the process starts' }),
  OVERTURE_ENCRYPTION_KEY: list({
    secret: true,
    otherwise: 'made and kept in the data folder',
    each: (key) => key.length >= secretLengthMin,
    expected: `a key has at least ${secretLengthMin} characters.`,
    help: 'encrypts stored credentials; several, by commas, while it is changed',
  }),
  OVERTURE_UPGRADE_BACKUPS: integer({
    min: 0,
    max: 100,
    default: '3',
    help: 'backups of an embedded database that are kept, each of before an upgrade',
  }),
  OVERTURE_EVENT_RETENTION_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '0',
    help: 'events older than this are dropped, one month at a time; 0: never',
  }),
  OVERTURE_MESSAGE_RETENTION_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '0',
    help: 'messages older than this lose their bytes and texts; 0: never',
  }),
  OVERTURE_AUDIT_DAYS: integer({
    min: 0,
    max: daysMax,
    default: '400',
    help: 'how long the audit log is kept, by whole months; 0: for good',
  }),
}

const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(web, {
    otherwise: 'no traces',
    help: 'a collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; traces go to `/v1/traces` there',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: list({
    secret: true,
    each: (one) => /^[!#$%&'*+.^`|~\w-]+=[\x20-\x7e]*$/.test(one),
    expected: 'headers such as `authorization=Bearer%20…`, by commas.',
    help: 'what the collector wants to see: `name=value`, by commas, values percent-encoded',
  }),
  OTEL_SERVICE_NAME: text({ default: 'overture', help: 'how this service is called in traces' }),
  OTEL_TRACES_SAMPLER_ARG: like((value) => /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(value), 'a share from 0 to 1.', {
    otherwise: '`1`',
    help: 'the share of all traces that is kept, from 0 to 1',
  }),
}

const people = {
  OVERTURE_PASSWORD_LOGIN: choice(['on', 'off'], {
    default: 'on',
    help: '`off`: people sign in by OpenID Connect alone',
  }),
  OVERTURE_PASSWORD_MEBIBYTES: integer({
    min: 1,
    max: 1024,
    default: '64',
    help: 'memory that checking a password takes, in MiB',
  }),
  OVERTURE_SYSTEM_MAIL_URL: url(['smtp:', 'smtps:'], {
    secret: true,
    otherwise: 'links are handed over by people',
    help: 'the mail server for invitations and forgotten passwords: `smtp://user:password@host:587?starttls&from=ADDRESS`',
  }),
  OVERTURE_OIDC_ISSUER: url(['https:', 'http:'], { help: 'where people sign in by OpenID Connect' }),
  OVERTURE_OIDC_CLIENT_ID: text({ default: '', help: 'of this server at the issuer' }),
  OVERTURE_OIDC_CLIENT_SECRET: text({ secret: true, help: 'of this server at the issuer; a public client has none' }),
  OVERTURE_OIDC_ACCOUNT: text({ otherwise: 'the account that was made first', help: 'whose users they are' }),
  OVERTURE_OIDC_DEFAULT_ROLE: choice(roles, {
    otherwise: 'invited people alone',
    help: 'lets in whoever the issuer knows, with this role',
  }),
  OVERTURE_OIDC_ROLE_CLAIM: text({ help: "the claim that names somebody's groups" }),
  OVERTURE_OIDC_ROLE_MAP: list({ help: 'roles by group, such as `ops=admin,*=viewer`' }),
}

const network = {
  OVERTURE_ALLOW_PRIVATE_TARGETS: flag({
    default: '0',
    help: '`1` lets mail servers, webhooks and AI servers be on private addresses',
  }),
  OVERTURE_DNS_SERVERS: list({ otherwise: "the system's", help: 'name servers to ask instead, comma-separated' }),
  OVERTURE_IDLE_MAILBOXES_MAX: integer({
    min: 1,
    max: 100_000,
    otherwise: 'by memory: 1,000 to 10,000',
    help: 'mailboxes that one process is connected to all the time; the others are visited in turn',
  }),
  OVERTURE_MAIL_THREADS: integer({ min: 1, max: 64, default: '2', help: 'threads that read incoming mail' }),
  OVERTURE_MAIL_SECONDS_MAX: integer({ min: 1, max: 60, default: '2', help: 'time for one message that is read' }),
  OVERTURE_MAIL_MEBIBYTES_MAX: integer({
    min: 64,
    max: 4_096,
    default: '256',
    help: 'memory of one thread that reads, in MiB',
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
