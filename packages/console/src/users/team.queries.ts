import type {
  ChangedUser,
  CreatedInvitation,
  CreateInvitationInput,
  DeleteUserInput,
  Invitation,
  UpdateUserInput,
  User,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import type { ListReading } from '../platform/api/query.ts'

export const userList: ListReading<User> = {
  key: ['users', 'list'],
  page: (api, place) => api.users.list(place).page(),
}

export const invitationList: ListReading<Invitation> = {
  key: ['users', 'invitations'],
  page: (api, place) => api.invitations.list(place).page(),
}

const stale = () => [['users']]

export function useChangeUser(id: string) {
  return useAction<UpdateUserInput, ChangedUser>({ act: (api, body) => api.users.update(id, body), stale })
}

export function useRemoveUser(id: string) {
  return useAction<DeleteUserInput>({ act: (api, body) => api.users.delete(id, body), stale })
}

export function useInvite(done: (invitation: CreatedInvitation) => void) {
  return useAction<CreateInvitationInput, CreatedInvitation>({
    act: (api, body) => api.invitations.create(body),
    stale,
    done,
  })
}

export function useRevokeInvitation(id: string) {
  return useAction({ act: (api) => api.invitations.delete(id), stale })
}
