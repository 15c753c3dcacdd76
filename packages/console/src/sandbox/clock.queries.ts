import type { SandboxClock } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'
import { useEnvironment } from '../platform/api/environment.tsx'

/** Where the test environment's clock stands; live has none. */
export function useClock() {
  const test = useEnvironment() === 'test'
  return useReading<SandboxClock>({ key: ['clock'], read: (api) => api.sandbox.clock.get(), enabled: test })
}
