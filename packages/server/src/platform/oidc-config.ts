import { roles, type Role } from '@overture/contract/team/roles.ts'
import type { Reader } from './settings/read-settings.ts'

/** Sign-in by OpenID Connect at one issuer. */
export interface OidcConfig {
  issuer: string
  clientId: string
  /** Null for a public client, which only PKCE protects. */
  clientSecret: string | null
  /** The account of the users; null for the account that was created first. */
  accountId: string | null
  /** The role of any user of the issuer; null admits invited people only. */
  defaultRole: Role | null
  /** The claim that contains a user's groups; null if roles are assigned in Overture. */
  roleClaim: string | null
  /** Roles by group name; `*` is the role of any user. */
  roleMap: ReadonlyMap<string, Role>
}

/** Names of this machine itself, where plain HTTP can't be intercepted. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns null without OVERTURE_OIDC_ISSUER. */
export function readOidc(read: Reader): OidcConfig | null {
  const issuer = read.value('OVERTURE_OIDC_ISSUER')
  const config = {
    clientId: read.value('OVERTURE_OIDC_CLIENT_ID'),
    clientSecret: read.value('OVERTURE_OIDC_CLIENT_SECRET'),
    accountId: read.value('OVERTURE_OIDC_ACCOUNT'),
    defaultRole: read.value('OVERTURE_OIDC_DEFAULT_ROLE'),
    roleClaim: read.value('OVERTURE_OIDC_ROLE_CLAIM'),
    roleMap: readRoleMap(read),
  }
  if (issuer === null) {
    if (!read.has('OVERTURE_OIDC_ISSUER') && config.clientId !== '')
      read.problems.push('OVERTURE_OIDC_ISSUER: required with OVERTURE_OIDC_CLIENT_ID.')
    return null
  }
  if (issuer.startsWith('http:') && !ownNames.includes(new URL(issuer).hostname))
    read.problems.push('OVERTURE_OIDC_ISSUER: use https, unless the issuer is on this machine.')
  if (config.clientId === '') read.problems.push('OVERTURE_OIDC_CLIENT_ID: required with OVERTURE_OIDC_ISSUER.')
  if ((config.roleClaim === null) !== (config.roleMap.size === 0))
    read.problems.push('OVERTURE_OIDC_ROLE_CLAIM: set it together with OVERTURE_OIDC_ROLE_MAP.')
  return { issuer, ...config }
}

function readRoleMap(read: Reader): Map<string, Role> {
  const map = new Map<string, Role>()
  for (const pair of read.value('OVERTURE_OIDC_ROLE_MAP')) {
    const at = pair.lastIndexOf('=')
    const role = roles.find((one) => one === pair.slice(at + 1).trim())
    const group = pair.slice(0, Math.max(at, 0)).trim()
    if (role === undefined || group === '')
      read.problems.push(
        `OVERTURE_OIDC_ROLE_MAP: use pairs such as ops=admin,*=viewer, with the roles ${roles.join(', ')}.`,
      )
    else map.set(group, role)
  }
  return map
}
