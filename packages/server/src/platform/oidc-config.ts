import { roles, type Role } from '@overture/contract/team/roles.ts'
import type { Reader } from './settings/read-settings.ts'

/** People who sign in by OpenID Connect, at one issuer. */
export interface OidcConfig {
  issuer: string
  clientId: string
  /** Null: a public client, which PKCE alone protects. */
  clientSecret: string | null
  /** Whose users they are; null: the account that was made first. */
  accountId: string | null
  /** Lets in whoever the issuer knows; null: invited people alone. */
  defaultRole: Role | null
  /** The claim that names somebody's groups; null: roles are given here. */
  roleClaim: string | null
  /** By the name of a group; `*`: whoever comes. */
  roleMap: ReadonlyMap<string, Role>
}

/** Names that lead to this machine alone, where nobody listens in on plain http. */
const ownNames = ['localhost', '127.0.0.1', '[::1]']

/** Null without OVERTURE_OIDC_ISSUER. */
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
      read.problems.push('OVERTURE_OIDC_ISSUER: needed with OVERTURE_OIDC_CLIENT_ID.')
    return null
  }
  if (issuer.startsWith('http:') && !ownNames.includes(new URL(issuer).hostname))
    read.problems.push('OVERTURE_OIDC_ISSUER: https, unless the issuer is on this machine.')
  if (config.clientId === '') read.problems.push('OVERTURE_OIDC_CLIENT_ID: needed with OVERTURE_OIDC_ISSUER.')
  if ((config.roleClaim === null) !== (config.roleMap.size === 0))
    read.problems.push('OVERTURE_OIDC_ROLE_CLAIM: goes with OVERTURE_OIDC_ROLE_MAP, and neither alone.')
  return { issuer, ...config }
}

function readRoleMap(read: Reader): Map<string, Role> {
  const map = new Map<string, Role>()
  for (const pair of read.value('OVERTURE_OIDC_ROLE_MAP')) {
    const at = pair.lastIndexOf('=')
    const role = roles.find((one) => one === pair.slice(at + 1).trim())
    const group = pair.slice(0, Math.max(at, 0)).trim()
    if (role === undefined || group === '')
      read.problems.push(`OVERTURE_OIDC_ROLE_MAP: pairs such as ops=admin,*=viewer, with roles of ${roles.join(', ')}.`)
    else map.set(group, role)
  }
  return map
}
