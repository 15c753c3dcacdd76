import type { Confirmation } from '@overture/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { pacedFetch } from '../platform/api/paced-fetch.ts'

type Environment = 'live' | 'test'
export type AssistantScope = 'read' | 'write' | 'send' | 'live'

/** The request for access that this browser began, as the server describes it. */
export interface AccessRequest {
  id: string
  client: { name: string; host: string; redirectHost: string }
  account: string
  user: string
  environments: { environment: Environment; scopes: AssistantScope[] }[]
}

interface AccessAnswer {
  id: string
  allow: boolean
  environment: Environment
  scopes: AssistantScope[]
  confirm?: Confirmation
}

const path = '/oauth/consent'

export function useAccessRequest(enabled: boolean) {
  return useQuery({
    queryKey: ['session', 'access-request'],
    queryFn: () => ask<AccessRequest>({ method: 'GET' }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Answers the request. The result is the address at which the browser continues. */
export function useAccessAnswer() {
  return useMutation<{ location: string }, Error, AccessAnswer>({
    mutationFn: (answer) =>
      ask({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) }),
    meta: { provesIdentity: true },
    onSuccess: ({ location }) => window.location.assign(location),
  })
}

async function ask<Answer>(init: RequestInit): Promise<Answer> {
  const answer = await pacedFetch(path, init)
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error((body as { error: { message: string } }).error.message)
  return body as Answer
}
