import { hasRole, type Role } from '@overture/contract/team/roles.ts'
import type { OidcConfig } from '../../platform/oidc-config.ts'

const everybody = '*'

/** The highest role that the person's groups give, else the default role. Null: no role. */
export function roleOfClaims(
  claims: Readonly<Record<string, unknown>>,
  { roleClaim, roleMap, defaultRole }: Pick<OidcConfig, 'roleClaim' | 'roleMap' | 'defaultRole'>,
): Role | null {
  const groups = roleClaim === null ? [] : groupsIn(claimValue(claims, roleClaim))
  const given = groups.flatMap((group) => roleMap.get(group) ?? [])
  const highest = given.reduce<Role | null>(
    (known, role) => (known !== null && hasRole(known, role) ? known : role),
    null,
  )
  return highest ?? roleMap.get(everybody) ?? defaultRole
}

/** Reads a claim by its full name, which may be a URL, or as a path through objects such as `realm_access.roles`. */
function claimValue(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isObject ? (value as Record<string, unknown>)[part] : undefined
  }, claims)
}

// A group named `*` is ignored: the entry `*` of the map is the default for everyone and applies last.
function groupsIn(value: unknown): string[] {
  const groups: unknown[] = Array.isArray(value) ? value : [value]
  return groups.filter((group): group is string => typeof group === 'string' && group !== everybody)
}
