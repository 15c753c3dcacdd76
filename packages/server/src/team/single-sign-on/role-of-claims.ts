import { hasRole, type Role } from '@overture/contract/team/roles.ts'
import type { OidcConfig } from '../../platform/oidc-config.ts'

const everybody = '*'

/** The highest role that somebody's groups give, else that of whoever comes; null: none. */
export function roleOfClaims(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, roleMap, defaultRole }: Pick<OidcConfig, 'roleClaim' | 'roleMap' | 'defaultRole'>,
): Role | null {
  const groups = roleClaim === null ? [] : groupsIn(valueOf(claims, roleClaim))
  const given = groups.flatMap((group) => roleMap.get(group) ?? [])
  const highest = given.reduce<Role | null>(
    (known, role) => (known !== null && hasRole(known, role) ? known : role),
    null,
  )
  return highest ?? roleMap.get(everybody) ?? defaultRole
}

/** By its whole name, which may be a URL, or through objects: `realm_access.roles`. */
function valueOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isObject ? (value as Record<string, unknown>)[part] : undefined
  }, claims)
}

// A group that is called `*` gives nobody what is meant for whoever comes; that comes last all the same.
function groupsIn(value: unknown): string[] {
  const groups: unknown[] = Array.isArray(value) ? value : [value]
  return groups.filter((group): group is string => typeof group === 'string' && group !== everybody)
}
