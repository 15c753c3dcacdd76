import type { FastifyReply, FastifyRequest } from 'fastify'
import { environment as environments } from '@overture/contract/common.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { hasRole, requiredRole } from '@overture/contract/team/roles.ts'
import { deprecatedRequests } from '../metrics.shell.ts'
import type { Admission, Caller, SessionAdmission, Verdict } from './admission.ts'
import { clientFactsOf, originOf } from './client-facts.ts'
import type { Route } from './route.ts'

const environmentHeader = 'x-overture-environment'

export interface Admissions {
  limiter: Admission
  /** Absent: there are keys alone. */
  sessions?: SessionAdmission
}

/** Decides by the key; without one, by the cookie of a session. Calls back at once where nothing had to be read. */
export function admit(
  admissions: Admissions,
  request: FastifyRequest,
  decide: (error: Error | null, verdict: Verdict | null) => void,
): void {
  let verdict: Verdict | Promise<Verdict>
  try {
    verdict = verdictOn(admissions, request)
  } catch (error) {
    return decide(error as Error, null)
  }
  if (!(verdict instanceof Promise)) return decide(null, verdict)
  verdict.then(
    (settled) => decide(null, settled),
    (error: Error) => decide(error, null),
  )
}

function verdictOn({ limiter, sessions }: Admissions, request: FastifyRequest): Verdict | Promise<Verdict> {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined || cookie === undefined || sessions === undefined) return limiter.admit(authorization)
  const { sessionToken } = clientFactsOf(request)
  if (sessionToken === null) return limiter.admit(undefined)
  refuseForeignPages(request)
  const environment = environments.safeParse(request.headers[environmentHeader] ?? environmentOfLink(request))
  if (!environment.success) {
    throw invalid({
      path: 'X-Overture-Environment',
      rule: 'required',
      message: 'A session says in this header which environment it means: live or test.',
    })
  }
  return sessions.admit(sessionToken, environment.data)
}

// A link to a file sends no headers: it says the environment in the query, and the answer is nothing that a page could read.
function environmentOfLink(request: FastifyRequest): unknown {
  const { format, environment } = request.query as Record<string, unknown>
  return request.method === 'GET' && format === 'csv' ? environment : undefined
}

/** A cookie comes along with whatever page makes a browser ask: what changes something has to come from our own. */
function refuseForeignPages(request: FastifyRequest): void {
  const origin = originOf(request)
  const isFine = request.method === 'GET' ? origin !== 'foreign' || isTyped(request) : origin === 'own'
  if (!isFine) throw foreignPage()
}

// By hand or from a bookmark: no page asks so, ours or another's.
function isTyped({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'none'
}

/** Signing in and out is for the pages of this server, and for programs, which have no pages. */
export function refuseForeignSignIn(request: FastifyRequest): void {
  if (originOf(request) === 'foreign') throw foreignPage()
}

function foreignPage(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'A session is used by the pages of this server alone.')
}

/** Turns a verdict into headers and, where it is not in favour, into a refusal. */
export function settle(route: Route, verdict: Verdict, reply: FastifyReply): Extract<Verdict, { outcome: 'admitted' }> {
  if (verdict.outcome === 'unknown_session') throw new AppError('UNAUTHORIZED', 'The session is unknown or has ended.')
  if (verdict.outcome === 'unknown_key') {
    reply.header('www-authenticate', 'Bearer')
    throw new AppError('UNAUTHORIZED', 'The API key is missing, malformed, unknown, revoked or expired.')
  }
  tellDeprecation(route, reply)
  reply.header('x-ratelimit-limit', String(verdict.limit))
  reply.header('x-ratelimit-remaining', String(verdict.remaining))
  switch (verdict.outcome) {
    case 'access_disabled':
      throw new AppError('API_ACCESS_DISABLED', 'API access is turned off for this account.')
    case 'limited':
      reply.header('retry-after', String(verdict.retryAfterSeconds))
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait as long as Retry-After says.')
    case 'over_quota':
      throw new AppError('QUOTA_EXCEEDED', 'The monthly quota of this account is used up.')
    case 'admitted':
  }
  // What a client may do, so that it need not try.
  reply.header('x-overture-scopes', verdict.caller.scopes.join(' ')).header('x-overture-role', verdict.caller.role)
  refuseLackingRights(route, verdict)
  return verdict
}

function refuseLackingRights({ endpoint }: Route, { caller }: Extract<Verdict, { outcome: 'admitted' }>): void {
  if (!caller.scopes.includes(endpoint.scope)) {
    throw new AppError('INSUFFICIENT_SCOPE', `This operation needs a key with the scope ${endpoint.scope}.`)
  }
  const needed = requiredRole(endpoint)
  if (!hasRole(caller.role, needed)) {
    throw new AppError('INSUFFICIENT_ROLE', `This operation needs the role ${needed}.`, { requiredRole: needed })
  }
  refuseEnvironment(endpoint, caller)
}

/** A key is of one environment. A session is of a person, who has the same rights in both. */
function refuseEnvironment({ environment }: Endpoint, { kind, tenant }: Caller): void {
  if (environment === 'both' || environment === tenant.environment) return
  if (environment === 'test') throw notFound()
  if (kind === 'session') return
  throw new AppError('INSUFFICIENT_SCOPE', "A key of the test environment can't do this. Use a live key, or sign in.")
}

/** Tells clients of what is going away, as RFC 9745 and RFC 8594 have it. */
function tellDeprecation({ endpoint: { deprecated, operationId: operation } }: Route, reply: FastifyReply): void {
  if (deprecated === undefined) return
  deprecatedRequests.inc({ operation })
  reply.header('deprecation', `@${Date.parse(deprecated.since) / 1000}`)
  reply.header('sunset', new Date(deprecated.sunset).toUTCString())
}
