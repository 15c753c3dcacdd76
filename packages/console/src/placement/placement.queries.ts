import type { PlacementTest, SeedMailbox, SeedMailboxVerification } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'

/** A test is part of what is known about deliverability, so its end makes both stale. */
export const key = ['deliverability', 'placement']
const runningMs = 5_000
/** A test has no more sending accounts. */
const sendersMax = 20
const stale = () => [key]

export function usePlacementTest(id: string) {
  return useReading<PlacementTest>({
    key: [...key, id],
    read: (api) => api.placementTests.get(id),
    againMs: (test) => (test?.status === 'completed' ? false : runningMs),
  })
}

export function useSeeds() {
  return useReading({ key: [...key, 'seeds', 'some'], read: (api) => api.seedMailboxes.list({ limit: 100 }).page() })
}

export interface StepToTest {
  campaignId: string
  stepId: string
  variantId: string
  leadId: string
  sendingAccountIds: string[]
}

export function useStartTest(done: (test: PlacementTest) => void) {
  return useAction<StepToTest & { repeat: 'none' | 'weekly' }, PlacementTest>({
    act: (api, { sendingAccountIds, ...input }) =>
      api.placementTests.create({ ...input, sendingAccountIds: sendingAccountIds.slice(0, sendersMax) }),
    stale,
    done,
  })
}

export function useStopRepeat(id: string) {
  return useAction({ act: (api) => api.placementTests.update(id, { repeat: 'none' }), stale })
}

export interface SeedToAdd {
  email: string
  host: string
  port: number
  password: string
}

export function useAddSeed(done: () => void) {
  return useAction<SeedToAdd, SeedMailbox>({
    act: (api, { email, host, port, password }) =>
      api.seedMailboxes.create({ email, ...(host !== '' && { imap: { host, port, password } }) }),
    stale,
    done,
  })
}

export function useVerifySeed(id: string, done: (answer: SeedMailboxVerification) => void) {
  return useAction<void, SeedMailboxVerification>({ act: (api) => api.seedMailboxes.verify(id), stale, done })
}

export function useDeleteSeed(id: string) {
  return useAction({ act: (api) => api.seedMailboxes.delete(id), stale })
}
