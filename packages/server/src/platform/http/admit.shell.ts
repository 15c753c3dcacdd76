import type { FastifyReply, FastifyRequest } from 'fastify'
import { environment as environments } from '@overture/contract/common.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { hasRole, requiredRole } from '@overture/contract/team/roles.ts'
import { deprecatedRequests } from '../metrics.shell.ts'
import type { Admission, Caller, SessionAdmission, Verdict } from './admission.ts'
import { readClientFacts, requestOrigin } from './client-facts.ts'
import type { Route } from './route.ts'

const environmentHeader = 'x-overture-environment'

export interface Admissions {
  limiter: Admission
  /** If absent, only keys are accepted. */
  sessions?: SessionAdmission
}

/** Decides by the key, or without a key by the session cookie. Calls back synchronously if nothing had to be read. */
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
  const { sessionToken } = readClientFacts(request)
  if (sessionToken === null) return limiter.admit(undefined)
  refuseForeignPages(request)
  const environment = environments.safeParse(request.headers[environmentHeader] ?? environmentOfLink(request))
  if (!environment.success) {
    throw invalid({
      path: 'X-Overture-Environment',
      rule: 'required',
      message: 'Set this header to live or test. It is required with a session.',
    })
  }
  return sessions.admit(sessionToken, environment.data)
}

// A download link can't send headers, so its query names the environment. A page can't read the response of such a link.
function environmentOfLink(request: FastifyRequest): unknown {
  const { format, environment } = request.query as Record<string, unknown>
  const isFile = format === 'csv' || request.routeOptions.config.isDownload === true
  return request.method === 'GET' && isFile ? environment : undefined
}

/** Browsers send the cookie with requests of any page, so a request that changes something must come from our own pages. */
function refuseForeignPages(request: FastifyRequest): void {
  const origin = requestOrigin(request)
  const isFine = request.method === 'GET' ? origin !== 'foreign' || isTyped(request) : origin === 'own'
  if (!isFine) throw foreignPage()
}

// The user typed the address or used a bookmark; requests of pages have another value.
function isTyped({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'none'
}

/** Refuses foreign pages. Only our own pages, and programs, which send no origin, may sign in and out. */
export function refuseForeignSignIn(request: FastifyRequest): void {
  if (requestOrigin(request) === 'foreign') throw foreignPage()
}

function foreignPage(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'A session works only on pages of this server.')
}

/** Sets the headers of a verdict. Throws the refusal if the request was not admitted. */
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
      throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests. Wait for the seconds in Retry-After.')
    case 'over_quota':
      throw new AppError('QUOTA_EXCEEDED', 'The monthly request quota of this account is used up.')
    case 'admitted':
  }
  // The rights of the caller, so that a client need not try.
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

/** A key belongs to one environment. A session belongs to a person, who has the same rights in both. */
function refuseEnvironment({ environment }: Endpoint, { kind, tenant }: Caller): void {
  if (environment === 'both' || environment === tenant.environment) return
  if (environment === 'test') throw notFound()
  if (kind === 'session') return
  throw new AppError('INSUFFICIENT_SCOPE', "A test key can't do this. Use a live key, or sign in.")
}

/** Announces the end of a deprecated operation with the headers of RFC 9745 and RFC 8594. */
function tellDeprecation({ endpoint: { deprecated, operationId: operation } }: Route, reply: FastifyReply): void {
  if (deprecated === undefined) return
  deprecatedRequests.inc({ operation })
  reply.header('deprecation', `@${Date.parse(deprecated.since) / 1000}`)
  reply.header('sunset', new Date(deprecated.sunset).toUTCString())
}
