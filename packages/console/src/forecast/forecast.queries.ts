import type { AccountForecast, Forecast, Preflight } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

export function useForecast(id: string) {
  return useReading<Forecast>({ key: ['campaigns', 'forecast', id], read: (api) => api.campaigns.forecast(id) })
}

export function usePreflight(id: string, enabled: boolean) {
  return useReading<Preflight>({
    key: ['campaigns', 'preflight', id],
    read: (api) => api.campaigns.preflight(id),
    enabled,
    keepOld: true,
  })
}

/** The server runs every campaign ahead for it. */
const accountFreshMs = 60_000

/** Has its own area, which is read again only now and then while messages are sent. */
export function useAccountForecast(days: number) {
  return useReading<AccountForecast>({
    key: ['diagnosis', 'account', days],
    read: (api) => api.campaigns.forecastAll({ days }),
    freshMs: accountFreshMs,
  })
}
