import { createContext, useContext, type ReactNode } from 'react'
import { longTimeText, shortTimeText, timeText } from './format.ts'

/** The tenant's time, which is virtual in the test environment, and the zone in which times are shown. */
export interface TenantTime {
  now: string
  zone: string
}

const TenantTimeContext = createContext<TenantTime>({ now: new Date(0).toISOString(), zone: 'UTC' })

export function TenantTimeProvider({ value, children }: { value: TenantTime; children: ReactNode }) {
  return <TenantTimeContext.Provider value={value}>{children}</TenantTimeContext.Provider>
}

export function useTenantTime(): TenantTime {
  return useContext(TenantTimeContext)
}

/** Shows a moment, in the account's zone unless another zone is given. */
export function Time({ at, zone, short = false }: { at: string; zone?: string; short?: boolean }) {
  const tenant = useTenantTime()
  const shownIn = zone ?? tenant.zone
  const text = short ? shortTimeText(at, tenant.now, shownIn) : timeText(at, shownIn)
  return (
    <time dateTime={at} title={longTimeText(at, shownIn)}>
      {text}
    </time>
  )
}
