import type { HealthReport, SendingAccount } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'
import { timeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'

/** No event reports that a sender was added or paused, so the list is polled. */
const againMs = 10_000
/** The health check queries other servers, so it does not run again each time the page is opened. */
const healthFreshMs = 10 * 60_000

/** The senders of an environment, for lists to choose from. */
export function useSenders() {
  return useReading({
    key: ['senders', 'some'],
    read: (api) => api.sendingAccounts.list({ limit: 100 }).page(),
    againMs: () => againMs,
  })
}

export function senderList(filter: { tagId?: string }): ListReading<SendingAccount> {
  return {
    key: ['senders', 'list', filter],
    page: (api, place) => api.sendingAccounts.list({ ...filter, ...place }).page(),
    againMs,
  }
}

export function useSender(id: string) {
  return useReading<SendingAccount>({
    key: ['senders', 'one', id],
    read: (api, signal) => api.sendingAccounts.get(id, { signal }),
  })
}

/** Runs DNS queries, so it is only read on the page that shows it. */
export function useHealth(id: string) {
  return useReading<HealthReport>({
    key: ['senders', 'health', id],
    read: (api) => api.sendingAccounts.health(id),
    freshMs: healthFreshMs,
  })
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g

/** A message of the API, with its times and senders in readable form. */
export function useApiWords(): (detail: string) => string {
  const { zone } = useTenantTime()
  const senders = useSenders().data?.results ?? []
  return (detail) =>
    senders.reduce(
      (words, { id, email }) => words.replaceAll(id, email),
      detail.replaceAll(instants, (at) => timeText(at, zone)),
    )
}
