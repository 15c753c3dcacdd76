import type { FastifyRequest } from 'fastify'

const userAgentLengthMax = 300

/** What a request says of who sent it, beside its key. */
export interface ClientFacts {
  ip: string
  userAgent: string | null
  /** The request came over TLS, or OVERTURE_PUBLIC_URL says that every browser does. */
  secure: boolean
  /** The value of the session's cookie. */
  sessionToken: string | null
  cookieName: string
  /** The value of the cookie that a browser keeps after it signed in. */
  deviceToken?: string | null
}

export function clientFactsOf(request: FastifyRequest): ClientFacts {
  // A TLS proxy that is not configured is not believed, but the operator's own public URL is.
  const secure = request.protocol === 'https' || request.server.publicUrlIsSecure === true
  const cookieName = secure ? '__Host-overture' : `overture_${portOf(request.host)}`
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
    secure,
    cookieName,
    sessionToken: cookieOf(request.headers.cookie, cookieName),
    deviceToken: cookieOf(request.headers.cookie, deviceCookieName(cookieName)),
  }
}

/** `Set-Cookie` of a session; null takes it back. Browsers keep it as long as the session can last. */
export function sessionCookie(client: ClientFacts, session: { token: string; lifeSeconds: number } | null): string {
  const { cookieName, secure } = client
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  if (session === null) return `${cookieName}=; Max-Age=0${attributes}`
  return `${cookieName}=${session.token}; Max-Age=${session.lifeSeconds}${attributes}`
}

function deviceCookieName(cookieName: string): string {
  return `${cookieName}_device`
}

/** Tells a browser that signed in before from strangers. It outlives the session and opens nothing. */
export function deviceCookie(
  { cookieName, secure }: ClientFacts,
  device: { token: string; lifeSeconds: number },
): string {
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${deviceCookieName(cookieName)}=${device.token}; Max-Age=${device.lifeSeconds}${attributes}`
}

/** Carries a sign-in that was begun, in the one browser; null takes it back. */
export function flowCookie(
  { cookieName, secure }: ClientFacts,
  flow: { value: string; lifeSeconds: number } | null,
): { name: string; header: string } {
  const name = `${cookieName}_flow`
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return { name, header: `${name}=${flow?.value ?? ''}; Max-Age=${flow?.lifeSeconds ?? 0}${attributes}` }
}

/** Carries one step of what goes over several pages, in the one browser. `Strict`: our own pages alone send it along. */
export function stepCookie(
  { cookieName, secure }: ClientFacts,
  step: { name: string; value: string; lifeSeconds: number; sameSite: 'Strict' | 'Lax' },
): { name: string; header: string } {
  const name = `${cookieName}_${step.name}`
  const attributes = `; Path=/; HttpOnly; SameSite=${step.sameSite}${secure ? '; Secure' : ''}`
  return { name, header: `${name}=${step.value}; Max-Age=${step.lifeSeconds}${attributes}` }
}

/** A cookie that came along. */
export function cookieNamed({ headers }: FastifyRequest, name: string): string | null {
  return cookieOf(headers.cookie, name)
}

type Origin = 'own' | 'foreign' | 'unsaid'

/**
 * Whose page asks. Browsers say so by `Sec-Fetch-Site`, over plain http by `Origin` alone; programs say nothing. What a
 * page's address begins with is compared with the very host that was asked, for one server answers to several names.
 */
export function originOf(request: FastifyRequest): Origin {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  const { origin } = request.headers
  if (origin === undefined) return 'unsaid'
  return URL.canParse(origin) && new URL(origin).host === request.host ? 'own' : 'foreign'
}

// Cookies know no ports: two servers of one machine would overwrite each other's.
function portOf(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? '80'
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}

declare module 'fastify' {
  interface FastifyInstance {
    /** OVERTURE_PUBLIC_URL begins with https. */
    publicUrlIsSecure?: boolean
  }
}
