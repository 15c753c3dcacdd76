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

/** Every campaign is run ahead for it. */
const accountFreshMs = 60_000

/** An area of its own: while messages leave it is read anew now and then. */
export function useAccountForecast(days: number) {
  return useReading<AccountForecast>({
    key: ['diagnosis', 'account', days],
    read: (api) => api.campaigns.forecastAll({ days }),
    freshMs: accountFreshMs,
  })
}
