import type { AddressVerification, VerifiedAddress } from '@overture/sdk'
import { useAction } from '../../platform/api/action.ts'
import { useReading } from '../../platform/api/query.ts'

const againMs = 1_000
export const problemsShown = 20

export function useStartVerification(campaignId: string) {
  return useAction<void, AddressVerification>({ act: (api) => api.verifications.create({ campaignId }) })
}

export function useVerification(id: string) {
  return useReading<AddressVerification>({
    key: ['leads', 'verification', id],
    read: (api) => api.verifications.get(id),
    againMs: (data) => (data?.status === 'completed' ? false : againMs),
  })
}

/** The first addresses that are undeliverable, then those that are risky. */
export function useProblems(id: string) {
  return useReading<VerifiedAddress[]>({
    key: ['leads', 'verification', id, 'problems'],
    read: async (api) => {
      const read = async (result: 'undeliverable' | 'risky') =>
        (await api.verifications.results(id, { result, limit: problemsShown }).page()).results
      return [...(await read('undeliverable')), ...(await read('risky'))].slice(0, problemsShown)
    },
  })
}
