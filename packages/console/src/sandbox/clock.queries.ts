import type { SandboxClock } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'
import { useEnvironment } from '../platform/api/environment.tsx'

/** Where it stands and, as the stream says it, where somebody is moving it to. */
export type ClockState = SandboxClock & { target?: string | null }

/** Where the test environment's clock stands; live has none. */
export function useClock() {
  const test = useEnvironment() === 'test'
  return useReading<ClockState>({ key: ['clock'], read: (api) => api.sandbox.clock.get(), enabled: test })
}
