import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'

/** A tenant with unread events, and the place after which they begin. */
export type PlacedTenant = Tenant & { place: FeedPosition }

interface KnownPlace {
  accountId: string
  environment: Tenant['environment'] | null
  txId: string
  position: number
}

const beginning: FeedPosition = { txId: '0', position: 0 }

/** Negative if the first position is before the second. */
export function comparePositions(one: FeedPosition, other: FeedPosition): number {
  const [left, right] = [BigInt(one.txId), BigInt(other.txId)]
  return left === right ? one.position - other.position : left < right ? -1 : 1
}

/**
 * The tenants with unread events in a stretch, in the order of their first event there. `places` has a row for every existing
 * account. Before `lowest` no account has unread events; it is null if an earlier epoch may have some. A tenant without a place
 * begins at `lowest`, or at its first event.
 */
export function tenantsToRead(
  events: readonly (Tenant & FeedPosition)[],
  places: readonly KnownPlace[],
  lowest: FeedPosition | null,
): PlacedTenant[] {
  const tenantKey = (accountId: string, environment: string | null) => `${accountId} ${environment}`
  const accounts = new Set(places.map(({ accountId }) => accountId))
  const placeByTenant = new Map(places.map((place) => [tenantKey(place.accountId, place.environment), place]))
  const last = new Map(events.map((event) => [tenantKey(event.accountId, event.environment), event]))
  return [...last].flatMap(([key, { accountId, environment, ...until }]) => {
    if (!accounts.has(accountId)) return []
    const own = placeByTenant.get(key) ?? beginning
    if (comparePositions(own, until) >= 0) return []
    const place = lowest !== null && comparePositions(own, lowest) < 0 ? lowest : own
    return [{ accountId, environment, place: { txId: place.txId, position: place.position } }]
  })
}
