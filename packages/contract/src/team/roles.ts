/** What a person may do, each everything that the one before may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** What an operation asks for where it says nothing itself: who reads is a viewer, who changes a member. */
export function requiredRole({ role, scope, method }: { role?: Role; scope: string; method: string }): Role {
  if (role !== undefined) return role
  if (scope === 'admin') return 'admin'
  return method === 'GET' ? 'viewer' : 'member'
}

export function hasRole(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required)
}
