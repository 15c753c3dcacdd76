import type { Overture } from '@overture/sdk'

/** What one who uses the tools may do at most, whatever the key allows. */
export const ceilings = ['read', 'write', 'send'] as const
export type Ceiling = (typeof ceilings)[number]

/** What a key can do here: what its scopes and its user's role say, and no more than the operator lets in. */
export interface Access {
  environment: 'live' | 'test'
  writes: boolean
  sends: boolean
}

/** Asks the API who the key is. Throws what the API answers, 401 above all. */
export async function readAccess(overture: Overture, ceiling: Ceiling): Promise<Access> {
  const request = overture.account.get()
  const [account, { headers }] = await Promise.all([request, request.raw()])
  const scopes = (headers.get('x-overture-scopes') ?? '').split(' ')
  const writes = ceiling !== 'read' && scopes.includes('write') && headers.get('x-overture-role') !== 'viewer'
  return { environment: account.environment, writes, sends: writes && ceiling === 'send' }
}
