import { queryOptions, useQuery } from '@tanstack/react-query'
import { anyApi } from '../platform/api/environment.tsx'

export interface SignInState {
  signedIn: boolean
  setupRequired: boolean
  methods: ('password' | 'oidc')[]
  version: string
}

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  singleKeys: boolean
  locale: string | null
}

export interface Me {
  id: string
  email: string
  name: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  totp: boolean
  account: { id: string; name: string }
  preferences: Preferences
}

const stateQuery = queryOptions({
  queryKey: ['session', 'state'],
  queryFn: () => anyApi.call<SignInState>('GET', '/v2/auth/state', {}) as Promise<SignInState>,
  staleTime: Number.POSITIVE_INFINITY,
})

const meQuery = queryOptions({
  queryKey: ['session', 'me'],
  queryFn: () => anyApi.call<Me>('GET', '/v2/me', {}) as Promise<Me>,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether anybody is signed in, and how one could. */
export function useSignInState() {
  return useQuery(stateQuery)
}

export function useMe() {
  return useQuery(meQuery)
}
