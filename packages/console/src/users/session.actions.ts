import type { AcceptLinkInput, LoginInput, Me, UpdateMeInput } from '@overture/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { anyApi } from '../platform/api/environment.tsx'
import { lostSession } from '../platform/api/session-lost.ts'
import { applyPreferences } from '../platform/session/preferences.ts'

/** Signs a user in and invalidates all other data, since it may have been read for another user. */
function useComeIn<Input>(come: (input: Input) => PromiseLike<Me>) {
  const client = useQueryClient()
  return useMutation<Me, Error, Input>({
    mutationFn: async (input) => come(input),
    // A 401 is about the password or the link, not about the session.
    meta: { provesIdentity: true },
    onSuccess: async (me) => {
      applyPreferences(me.preferences)
      client.setQueryData(['session', 'me'], me)
      lostSession.regained()
      await client.invalidateQueries({ queryKey: ['session', 'state'] })
      await client.invalidateQueries({ queryKey: ['session', 'list'] })
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}

export function useSignIn() {
  return useComeIn((body: LoginInput) => anyApi.auth.login(body))
}

export function useAccept() {
  return useComeIn((body: AcceptLinkInput) => anyApi.auth.accept(body))
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => anyApi.auth.logout(),
    onSuccess: () => {
      client.clear()
      location.assign('/app/sign-in')
    },
  })
}

export function useUpdateMe() {
  const client = useQueryClient()
  return useMutation<Me, Error, UpdateMeInput>({
    mutationFn: async (body) => anyApi.me.update(body),
    onSuccess: (me) => {
      client.setQueryData(['session', 'me'], me)
      applyPreferences(me.preferences)
    },
  })
}

export function useResetPassword() {
  return useComeIn((body: { token: string; newPassword: string; code?: string }) => anyApi.auth.changePassword(body))
}

/** Changes the password of the signed-in user. All other sessions end. */
export function useChangePassword() {
  return useComeIn((body: { currentPassword: string; newPassword: string }) => anyApi.auth.changePassword(body))
}

export function useAskForReset() {
  return useMutation<unknown, Error, { email: string }>({
    mutationFn: async (body) => anyApi.auth.requestPasswordReset(body),
  })
}
