import type { Role } from '@overture/contract/team/roles.ts'
import { missingRole, type RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { createContext, useContext } from 'react'
import { text } from '../text/platform.messages.ts'

export interface Permissions {
  /** Null until the user is known. Everything is shown as allowed until then, because the server decides. */
  role: Role | null
  /** The names of the users who can be asked, per role. */
  namesByRole: Readonly<Partial<Record<Role, readonly string[]>>>
}

export const PermissionContext = createContext<Permissions>({ role: null, namesByRole: {} })

const namesMax = 2

/** The role of the user; null until it is known. */
export function useRole(): Role | null {
  return useContext(PermissionContext).role
}

/** Why the user can't do an operation, and which users can. Null if the user may do it. */
export function usePermissionReason(operation: RestrictedOperation | undefined): string | null {
  const { role, namesByRole } = useContext(PermissionContext)
  const missing = operation === undefined || role === null ? null : missingRole(role, operation)
  if (missing === null) return null
  const names = [...(namesByRole[missing] ?? []), ...(namesByRole.owner ?? [])]
  return text.notAllowed(text.roleNames[missing], [...new Set(names)].slice(0, namesMax).join(text.or))
}
