import type { FastifyRequest } from 'fastify'

const userAgentLengthMax = 300

/** Facts about the client of a request, apart from its key. */
export interface ClientFacts {
  ip: string
  userAgent: string | null
  /** Whether the request came over TLS, or OVERTURE_PUBLIC_URL says that all browsers use TLS. */
  secure: boolean
  /** The value of the session cookie. */
  sessionToken: string | null
  cookieName: string
  /** The value of the cookie that a browser keeps after a sign-in. */
  deviceToken?: string | null
}

export function readClientFacts(request: FastifyRequest): ClientFacts {
  // An unconfigured TLS proxy is not trusted, but the operator's public URL is.
  const secure = request.protocol === 'https' || request.server.publicUrlIsSecure === true
  const cookieName = secure ? '__Host-overture' : `overture_${hostPort(request.host)}`
  return {
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, userAgentLengthMax) ?? null,
    secure,
    cookieName,
    sessionToken: readCookie(request.headers.cookie, cookieName),
    deviceToken: readCookie(request.headers.cookie, deviceCookieName(cookieName)),
  }
}

/** The `Set-Cookie` header of a session; null deletes the cookie. Browsers keep it for the longest possible session. */
export function sessionCookie(client: ClientFacts, session: { token: string; lifeSeconds: number } | null): string {
  const { cookieName, secure } = client
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  if (session === null) return `${cookieName}=; Max-Age=0${attributes}`
  return `${cookieName}=${session.token}; Max-Age=${session.lifeSeconds}${attributes}`
}

function deviceCookieName(cookieName: string): string {
  return `${cookieName}_device`
}

/** Marks a browser that signed in before. The cookie outlives the session and grants no access. */
export function deviceCookie(
  { cookieName, secure }: ClientFacts,
  device: { token: string; lifeSeconds: number },
): string {
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${deviceCookieName(cookieName)}=${device.token}; Max-Age=${device.lifeSeconds}${attributes}`
}

/** Stores an unfinished sign-in in the browser that began it; null deletes the cookie. */
export function flowCookie(
  { cookieName, secure }: ClientFacts,
  flow: { value: string; lifeSeconds: number } | null,
): { name: string; header: string } {
  const name = `${cookieName}_flow`
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return { name, header: `${name}=${flow?.value ?? ''}; Max-Age=${flow?.lifeSeconds ?? 0}${attributes}` }
}

/** Stores one step of a flow over several pages in one browser. With `Strict`, browsers send it only from our own pages. */
export function stepCookie(
  { cookieName, secure }: ClientFacts,
  step: { name: string; value: string; lifeSeconds: number; sameSite: 'Strict' | 'Lax' },
): { name: string; header: string } {
  const name = `${cookieName}_${step.name}`
  const attributes = `; Path=/; HttpOnly; SameSite=${step.sameSite}${secure ? '; Secure' : ''}`
  return { name, header: `${name}=${step.value}; Max-Age=${step.lifeSeconds}${attributes}` }
}

/** The value of a cookie of the request. */
export function cookieNamed({ headers }: FastifyRequest, name: string): string | null {
  return readCookie(headers.cookie, name)
}

type Origin = 'own' | 'foreign' | 'unsaid'

/**
 * Whether our own or a foreign page sent the request. Browsers report it by `Sec-Fetch-Site`, over plain HTTP only by `Origin`;
 * programs send neither. The origin is compared with the requested host, because one server has several names.
 */
export function requestOrigin(request: FastifyRequest): Origin {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'foreign'
  const { origin } = request.headers
  if (origin === undefined) return 'unsaid'
  return URL.canParse(origin) && new URL(origin).host === request.host ? 'own' : 'foreign'
}

// Cookies ignore ports: without the port in the name, two servers on one machine would overwrite each other's cookies.
function hostPort(host: string): string {
  return /:(\d+)$/.exec(host)?.[1] ?? '80'
}

function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether OVERTURE_PUBLIC_URL begins with https. */
    publicUrlIsSecure?: boolean
  }
}
