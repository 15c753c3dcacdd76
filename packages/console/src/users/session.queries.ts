import type { LinkDescription, Me, SignInState } from '@overture/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { anyApi } from '../platform/api/environment.tsx'

const stateQuery = queryOptions({
  queryKey: ['session', 'state'],
  queryFn: async (): Promise<SignInState> => anyApi.auth.state(),
  staleTime: Number.POSITIVE_INFINITY,
})

const meQuery = queryOptions({
  queryKey: ['session', 'me'],
  queryFn: async (): Promise<Me> => anyApi.me.get(),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether a user is signed in, and which methods to sign in there are. */
export function useSignInState() {
  return useQuery(stateQuery)
}

/** Reads what an invitation is for, before it is accepted. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['session', 'link', token],
    queryFn: async (): Promise<LinkDescription> => anyApi.auth.describeLink({ token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useMe() {
  return useQuery(meQuery)
}
