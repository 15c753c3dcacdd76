import { useMutation, useQueryClient } from '@tanstack/react-query'
import { anyApi } from '../platform/api/environment.tsx'
import { applyPreferences } from '../platform/session/preferences.ts'
import type { Me, Preferences } from './session.queries.ts'

export interface SignInInput {
  email: string
  password: string
  code?: string
}

export interface AcceptInput {
  token: string
  name: string
  password: string
  email?: string
}

/** Whoever comes in: nothing that was read for another is shown to them. */
function useComeIn<Input>(come: (input: Input) => PromiseLike<Me>) {
  const client = useQueryClient()
  return useMutation<Me, Error, Input>({
    mutationFn: async (input) => come(input),
    onSuccess: async (me) => {
      applyPreferences(me.preferences)
      client.setQueryData(['session', 'me'], me)
      await client.invalidateQueries({ queryKey: ['session', 'state'] })
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    },
  })
}

export function useSignIn() {
  return useComeIn((body: SignInInput) => anyApi.call<Me>('POST', '/v2/auth/login', { body }))
}

export function useAccept() {
  return useComeIn((body: AcceptInput) => anyApi.call<Me>('POST', '/v2/auth/accept', { body }))
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => anyApi.call('POST', '/v2/auth/logout', {}),
    onSuccess: () => {
      client.clear()
      location.assign('/app/sign-in')
    },
  })
}

export function useUpdateMe() {
  const client = useQueryClient()
  return useMutation<Me, Error, { name?: string; preferences?: Partial<Preferences> }>({
    mutationFn: async (body) => anyApi.call<Me>('PUT', '/v2/me', { body }),
    onSuccess: (me) => {
      client.setQueryData(['session', 'me'], me)
      applyPreferences(me.preferences)
    },
  })
}

export function useChangePassword() {
  return useMutation<Me, Error, { currentPassword?: string; newPassword: string; token?: string }>({
    mutationFn: async (body) => anyApi.call<Me>('POST', '/v2/auth/password', { body }),
  })
}
