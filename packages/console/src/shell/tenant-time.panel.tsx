import { useEffect, useState, type ReactNode } from 'react'
import { useAccount } from '../settings/index.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { realNowMs } from '../platform/time/clock.ts'
import { TenantTimeProvider } from '../platform/time/now.tsx'
import { useClock } from '../sandbox/index.ts'

const tickMs = { test: 1_000, live: 15_000 }

/**
 * The tenant's time for all components below. In live it is real time. In test it is the time of the test clock, which runs unless it is
 * frozen.
 */
export function TenantTimePanel({ children }: { children: ReactNode }) {
  const environment = useEnvironment()
  const clock = useClock()
  const account = useAccount()
  const [realMs, setRealMs] = useState(realNowMs)
  useEffect(() => {
    const timer = setInterval(() => setRealMs(realNowMs()), tickMs[environment])
    return () => clearInterval(timer)
  }, [environment])
  const zone = account.data?.defaultTimezone ?? 'UTC'
  const { data, dataUpdatedAt } = clock
  const passedMs = data === undefined || data.frozen ? 0 : Math.max(0, realMs - dataUpdatedAt)
  const nowMs = environment === 'live' || data === undefined ? realMs : Date.parse(data.now) + passedMs
  return <TenantTimeProvider value={{ now: new Date(nowMs).toISOString(), zone }}>{children}</TenantTimeProvider>
}
