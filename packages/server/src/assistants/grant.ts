import type { Environment } from '@overture/contract/endpoint.ts'
import { type Grant, type GrantScope, grantScopes } from '@overture/contract/accounts/grants.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import { hasRole } from '@overture/contract/team/roles.ts'
import type { McpConfig } from '../platform/mcp-config.ts'

const nameLengthMax = 80
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const ownScheme = /^[a-z][a-z\d+.-]*:\/\//
// Schemes whose addresses run code, read files or open other connections in a browser.
const refusedSchemes: ReadonlySet<string> = new Set([
  'http:',
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'blob:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
])

/** A grant as it is stored, with the state of its key. */
export interface GrantRow {
  id: string
  keyId: string
  userId: string | null
  environment: Environment
  clientName: string
  clientHost: string
  scopes: GrantScope[]
  createdAt: Date
  lastUsedAt: Date | null
}

export function toGrant({ keyId: _keyId, createdAt, lastUsedAt, ...row }: GrantRow): Grant {
  return { ...row, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

/** The scopes that a user can give in an environment: requested by the client, allowed by the operator and within the user's role. */
export function grantableScopes(
  requested: readonly string[],
  { role, mcp, environment }: { role: Role; mcp: McpConfig; environment: Environment },
): GrantScope[] {
  const isAllowed: Readonly<Record<GrantScope, boolean>> = {
    read: true,
    write: mcp.ceiling !== 'read' && hasRole(role, 'member'),
    send: mcp.ceiling === 'send' && hasRole(role, 'member'),
    live: mcp.live && environment === 'live',
  }
  return grantScopes.filter((scope) => isAllowed[scope] && (scope === 'read' || requested.includes(scope)))
}

/** The environments that a user can choose. Live needs the operator's permission and a request for it. */
export function grantableEnvironments(requested: readonly string[], mcp: McpConfig): Environment[] {
  return mcp.live && requested.includes('live') ? ['test', 'live'] : ['test']
}

/** The scopes of a grant for a choice of the user, or null if the user chose more than is possible. Sending needs writing. */
export function chosenScopes(
  chosen: readonly GrantScope[],
  grantable: readonly GrantScope[],
  environment: Environment,
): GrantScope[] | null {
  if (environment === 'live' && !grantable.includes('live')) return null
  if (chosen.some((scope) => scope !== 'live' && !grantable.includes(scope))) return null
  if (chosen.includes('send') && !chosen.includes('write')) return null
  return grantScopes.filter(
    (scope) => scope === 'read' || (scope === 'live' ? environment === 'live' : chosen.includes(scope)),
  )
}

/** Whether answers may be sent to this address: by TLS, to a program on the user's machine, or by the scheme of an app. */
export function isSafeRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return loopbackHosts.has(url.hostname)
  return ownScheme.test(uri) && !refusedSchemes.has(url.protocol)
}

/**
 * The host that identifies a client to a person: that of the document that describes it, else that of the address to which its
 * answers are sent. The scheme stands for the host of an app.
 */
export function clientHost(clientId: string, redirectUri: string): string {
  const document = clientId.startsWith('https://') ? URL.parse(clientId) : null
  if (document !== null) return document.host
  const url = URL.parse(redirectUri)
  return url === null ? '' : url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol
}

/** The name of a client without characters that hide or reorder text. */
export function clientLabel(name: string | undefined, host: string): string {
  const visible = (name ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replace(/\s+/g, ' ')
  return Array.from(visible.trim()).slice(0, nameLengthMax).join('') || host
}
