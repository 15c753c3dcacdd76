import type { Me } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import type { ListReading } from '../platform/api/query.ts'

/** Somebody who can sign in. */
export type User = Pick<Me, 'id' | 'email' | 'name' | 'role' | 'status' | 'lastSeenAt'>

export interface Invitation {
  id: string
  email: string
  role: User['role']
  expiresAt: string
  createdAt: string
  /** In the answer that made it, alone. */
  url?: string
}

interface List<Item> {
  results: Item[]
  pagination: { currentPage: number; totalPages: number; totalCount: number }
  nextCursor: string | null
}

export const userList: ListReading<User> = {
  key: ['users', 'list'],
  page: (api, query) => api.list<User, List<User>>('GET', '/v2/users', { query }).page(),
}

export const invitationList: ListReading<Invitation> = {
  key: ['users', 'invitations'],
  page: (api, query) => api.list<Invitation, List<Invitation>>('GET', '/v2/invitations', { query }).page(),
}

const stale = () => [['users']]

export function useChangeUser(id: string) {
  return useAction<Partial<Pick<User, 'role' | 'status'>>, User>({
    act: (api, body) => api.call<User>('PUT', `/v2/users/${id}`, { body }),
    stale,
  })
}

export function useRemoveUser(id: string) {
  return useAction({ act: (api) => api.call('DELETE', `/v2/users/${id}`, {}), stale })
}

export function useInvite(done: (invitation: Invitation) => void) {
  return useAction<{ email: string; role: User['role'] }, Invitation>({
    act: (api, body) => api.call<Invitation>('POST', '/v2/invitations', { body }),
    stale,
    done,
  })
}

export function useRevokeInvitation(id: string) {
  return useAction({ act: (api) => api.call('DELETE', `/v2/invitations/${id}`, {}), stale })
}
