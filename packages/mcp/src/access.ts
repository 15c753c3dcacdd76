import type { Overture } from '@overture/sdk'

/** The most that a user of the tools may do, even if the key allows more. */
export const ceilings = ['read', 'write', 'send'] as const
export type Ceiling = (typeof ceilings)[number]

/** The rights of a key here: those of its scopes and its user's role, limited by the operator's ceiling. */
export interface Access {
  environment: 'live' | 'test'
  writes: boolean
  sends: boolean
}

/** Asks the API for the rights of the key. Throws the error of the API, most often 401. */
export async function readAccess(overture: Overture, ceiling: Ceiling): Promise<Access> {
  const request = overture.account.get()
  const [account, { headers }] = await Promise.all([request, request.raw()])
  const scopes = (headers.get('x-overture-scopes') ?? '').split(' ')
  const writes = ceiling !== 'read' && scopes.includes('write') && headers.get('x-overture-role') !== 'viewer'
  return { environment: account.environment, writes, sends: writes && ceiling === 'send' }
}
