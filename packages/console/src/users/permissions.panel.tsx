import type { User } from '@overture/sdk'
import { useMemo, type ReactNode } from 'react'
import { useReading } from '../platform/api/query.ts'
import { PermissionContext, type Permissions } from '../platform/session/permission.ts'
import { useMe } from './session.queries.ts'

const namesMax = 100

/** Tells the buttons what the user's role may do, and the names of the users who may do more. */
export function PermissionsPanel({ children }: { children: ReactNode }) {
  const role = useMe().data?.role ?? null
  const users = useReading<User[]>({
    key: ['users', 'names'],
    read: async (api) => (await api.users.list({ limit: namesMax }).page()).results,
    enabled: role === 'viewer' || role === 'member',
  }).data
  const value = useMemo((): Permissions => ({ role, namesByRole: namesByRole(users ?? []) }), [role, users])
  return <PermissionContext.Provider value={value}>{children}</PermissionContext.Provider>
}

function namesByRole(users: readonly User[]): Permissions['namesByRole'] {
  const userNames = (role: User['role']): string[] =>
    users.filter((one) => one.role === role && one.status === 'active').map(({ name }) => name)
  return { member: userNames('member'), admin: userNames('admin'), owner: userNames('owner') }
}
