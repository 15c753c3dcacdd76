import type { AdvanceSandboxClockInput, SandboxAdvance, SandboxClock } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'

const everything = [
  ['clock'],
  ['campaigns'],
  ['leads'],
  ['conversations'],
  ['senders'],
  ['events'],
  ['mail'],
  ['people'],
  ['meetings'],
  ['analytics'],
  ['account'],
]
/** Weeks with many leads take a while, and the API allows a year. */
const advanceTimeoutMs = 10 * 60_000

export function useAdvance(done: (advance: SandboxAdvance) => void) {
  return useAction<AdvanceSandboxClockInput, SandboxAdvance>({
    act: (api, body) => api.sandbox.clock.advance(body, { timeoutMs: advanceTimeoutMs }),
    stale: () => everything,
    done,
  })
}

export function useFreeze() {
  return useAction<boolean, SandboxClock>({
    act: (api, frozen) => api.sandbox.clock.set({ frozen }),
    stale: () => [['clock']],
  })
}
