/** The roles of a user. Each role may do everything that the role before it may do. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** The role that an operation without its own role needs: viewer to read, member to change. */
export function requiredRole({ role, scope, method }: { role?: Role; scope: string; method: string }): Role {
  if (role !== undefined) return role
  if (scope === 'admin') return 'admin'
  return method === 'GET' ? 'viewer' : 'member'
}

export function hasRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required)
}
