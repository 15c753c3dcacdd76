import { accountsRoutes, createAccount, setAccount } from '@overture/server/accounts/index.ts'
import type { AccountChanges, AccountTools } from '@overture/server/accounts/index.ts'
import { apiKeysRoutes, countActiveKeys, createAdmission, createKey } from '@overture/server/api-keys/index.ts'
import { changePlan, creditSummary, initialiseCredits } from '@overture/server/credits/index.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import type { App } from '@overture/server/platform/app.ts'
import type { Clock } from '@overture/server/platform/clock.ts'
import type { Admission } from '@overture/server/platform/http/admission.ts'
import type { PublicRoute } from '@overture/server/platform/http/public-route.ts'
import type { Names } from '@overture/server/platform/mail/names.client.ts'
import type { Route } from '@overture/server/platform/http/route.ts'
import { roomySessions } from './server/limits.ts'
import { createProtection, createSessionAdmission, type SessionRates } from '@overture/server/team/index.ts'
import { createHttpServer } from '@overture/server/platform/http/server.shell.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { createTestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { prepared } from './time-spent.ts'

export interface TestTools {
  app: App
  admission: Admission
}

export interface TestServerOptions {
  /** Routes in addition to those of accounts and keys. They replace routes of the same operation. */
  routes?: (tools: TestTools) => readonly Route[]
  publicRoutes?: (tools: TestTools) => readonly PublicRoute[]
  /** The rate limiter: in memory (`all`, the default) or in the database (`api`). */
  role?: 'all' | 'api'
  /** Limits of both accounts. By default they are too high to be reached; null is the product's default. */
  limits?: AccountChanges
  /** Rate limits of each user's session. By default they are too high to be reached. */
  sessionRates?: SessionRates
  /** Composes the whole product in place of `routes`. */
  compose?: (open: { app: App; database: TestDatabase }) => Promise<Composition>
  /** Environment variables that override the defaults, read as main.ts reads them. */
  environment?: Readonly<Record<string, string>>
  clock?: Clock
  /** Resolves host names. */
  names?: Names
  /** The database to use instead of a new one. */
  database?: TestDatabase
  /** Checks responses against their schemas. Default: true. */
  checkAnswers?: boolean
}

export interface Composition {
  admission: Admission
  routes: readonly Route[]
  publicRoutes: readonly PublicRoute[]
  /** Closes the streams that clients would keep open. */
  drain?(): void
  stop(): Promise<void>
}

export interface CallOptions {
  key?: string | null
  /** Sent as JSON, except that a string or Buffer is sent unchanged. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the answer holds
export type AnswerBody = any

export interface TestAnswer {
  status: number
  headers: Headers
  /** The parsed JSON, or null if the body isn't JSON. */
  body: AnswerBody
  text: string
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<TestAnswer>

export interface TestKeys {
  live: string
  test: string
  liveRead: string
  testRead: string
  liveWrite: string
  testWrite: string
}

export interface TestServer {
  app: App
  admission: Admission
  database: TestDatabase
  url: string
  call: Call
  keys: TestKeys
  /** The live tenant of `keys`, and the test one. */
  tenant: Tenant
  testTenant: Tenant
  /** A second account with its own keys. */
  other: { tenant: Tenant; keys: TestKeys }
  /** Creates another key of the first account. */
  newKey(input?: NewTestKey): Promise<{ id: string; key: string }>
  setLimits(changes: AccountChanges): Promise<void>
  stop(): Promise<void>
}

export interface NewTestKey {
  environment?: Environment
  scopes?: readonly Scope[]
  expiresAt?: Date
}

const roomyLimits: AccountChanges = {
  requestsPerMinute: 1_000_000,
  burstPerSecond: 1_000_000,
  monthlyRequests: 1_000_000_000,
  maxApiKeys: 1_000,
}

/** Starts the API on a free port with two accounts and keys of every kind, on its own database. Call `stop` in `afterAll`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  return prepared('server', () => startOn(database, options))
}

async function startOn(database: TestDatabase, options: TestServerOptions): Promise<TestServer> {
  const app = createTestApp(database, options)
  const composed = await options.compose?.({ app, database })
  const admission = composed?.admission ?? createAdmission(app, options.role ?? 'all')
  const first = await createTestAccount(app)
  const second = await createTestAccount(app)
  const setLimits = async (accountId: string, changes: AccountChanges) => {
    await setAccount(app.db, accountId, changes, { now: app.clock.now(), changePlan })
    admission.forget(accountId)
  }
  for (const { tenant } of [first, second]) await setLimits(tenant.accountId, { ...roomyLimits, ...options.limits })
  const tools = { app, admission }
  const server = await createHttpServer({
    app,
    routes: withoutRepeats([...coreRoutes(app, admission), ...(composed?.routes ?? options.routes?.(tools) ?? [])]),
    publicRoutes: composed?.publicRoutes ?? options.publicRoutes?.(tools) ?? [],
    limiter: admission,
    sessions: createSessionAdmission(app, options.sessionRates ?? roomySessions),
    checkAnswers: options.checkAnswers ?? true,
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    admission,
    database,
    url,
    call: createCall(url),
    keys: first.keys,
    tenant: first.tenant,
    testTenant: { ...first.tenant, environment: 'test' },
    other: second,
    newKey: (input) => createTestKey(app, first.tenant.accountId, input ?? {}),
    setLimits: (changes) => setLimits(first.tenant.accountId, changes),
    async stop() {
      composed?.drain?.()
      await server.close()
      await composed?.stop()
      await admission.stop()
      if (options.database === undefined) await database.drop()
    },
  }
}

export function createCall(url: string): Call {
  return async (method, path, { key, body, headers } = {}) => {
    const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: plain ? (body as string) : JSON.stringify(body) }),
    })
    // An event stream has no end, so its body is not read here.
    const endless = path.startsWith('/v2/events/stream') && response.ok
    if (endless) await response.body?.cancel()
    const text = endless ? '' : await response.text()
    return { status: response.status, headers: response.headers, body: parse(text), text }
  }
}

function coreRoutes(app: App, admission: Admission): Route[] {
  const protection = createProtection(app)
  return [...accountsRoutes(accountTools(admission)), ...apiKeysRoutes({ admission, protection })]
}

// If an operation has two routes, the later one is mounted.
function withoutRepeats(routes: readonly Route[]): Route[] {
  return [...new Map(routes.map((route) => [route.endpoint.operationId, route])).values()]
}

function accountTools(admission: Admission): AccountTools {
  return {
    usedRequests: (_db, accountId) => admission.usage(accountId),
    activeApiKeys: countActiveKeys,
    credits: creditSummary,
    linksReachRecipients: true,
  }
}

async function createTestAccount(app: App): Promise<{ tenant: Tenant; keys: TestKeys }> {
  const now = app.clock.now()
  const account = await app.db.transaction((tx) =>
    createAccount(tx, { name: 'Example Ltd', plan: 'self_hosted', now }, initialiseCredits),
  )
  const { accountId } = account
  await setAccount(app.db, accountId, { maxApiKeys: 1_000 }, { now, changePlan })
  const make = async (environment: Environment, scopes: readonly Scope[]) =>
    (await createTestKey(app, accountId, { environment, scopes })).key
  return {
    tenant: { accountId, environment: 'live' },
    keys: {
      live: await make('live', ['read', 'write', 'admin']),
      test: await make('test', ['read', 'write', 'admin']),
      liveRead: await make('live', ['read']),
      testRead: await make('test', ['read']),
      liveWrite: await make('live', ['write']),
      testWrite: await make('test', ['write']),
    },
  }
}

async function createTestKey(app: App, accountId: string, input: NewTestKey): Promise<{ id: string; key: string }> {
  return app.db.transaction((tx) =>
    createKey(tx, {
      accountId,
      environment: input.environment ?? 'live',
      scopes: input.scopes ?? ['read', 'write', 'admin'],
      expiresAt: input.expiresAt ?? null,
      now: app.clock.now(),
    }),
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
