import type { SandboxClock } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'
import { useEnvironment } from '../platform/api/environment.tsx'

/** The time of the clock and, as the stream reports it, the time to which it is being moved. */
export type ClockState = SandboxClock & { target?: string | null }

/** The time of the test environment's clock; the live environment has none. */
export function useClock() {
  const test = useEnvironment() === 'test'
  return useReading<ClockState>({ key: ['clock'], read: (api) => api.sandbox.clock.get(), enabled: test })
}
