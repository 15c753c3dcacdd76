import type { HealthReport, SendingAccount } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'
import { timeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'

/** Nothing in the log says that one was added or paused. */
const againMs = 10_000
/** What asks others is not asked by looking at the page again. */
const healthFreshMs = 10 * 60_000

/** The senders of an environment, to choose from. */
export function useSenders() {
  return useReading({
    key: ['senders', 'some'],
    read: (api) => api.sendingAccounts.list({ limit: 100 }).page(),
    againMs: () => againMs,
  })
}

export function senderList(): ListReading<SendingAccount> {
  return {
    key: ['senders', 'list'],
    page: (api, place) => api.sendingAccounts.list(place).page(),
    againMs,
  }
}

export function useSender(id: string) {
  return useReading<SendingAccount>({ key: ['senders', 'one', id], read: (api) => api.sendingAccounts.get(id) })
}

/** Asks DNS, so that it is read where it is looked at alone. */
export function useHealth(id: string) {
  return useReading<HealthReport>({
    key: ['senders', 'health', id],
    read: (api) => api.sendingAccounts.health(id),
    freshMs: healthFreshMs,
  })
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g

/** The API's words, with its times and senders as people read them. */
export function useApiWords(): (detail: string) => string {
  const { zone } = useTenantTime()
  const senders = useSenders().data?.results ?? []
  return (detail) =>
    senders.reduce(
      (words, { id, email }) => words.replaceAll(id, email),
      detail.replaceAll(instants, (at) => timeText(at, zone)),
    )
}
