import { minuteMs } from '@overture/ground/time/spans.ts'
/** How often one address may request pages of one kind, as a token bucket. */
export interface AddressRate {
  /** Routes with the same name share a bucket. */
  name: string
  perMinute: number
  burst: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** The number of buckets of all names together. The address that was silent for longest is forgotten first. */
const bucketsMax = 50_000

interface AddressRates {
  /** Returns 0 if the request passes, else the seconds until the next one passes. `nowMs` must never decrease. */
  take(rate: AddressRate, address: string, nowMs: number): number
}

export function createAddressRates(): AddressRates {
  const buckets = new Map<string, Bucket>()
  return {
    take(rate, address, nowMs) {
      const key = `${rate.name} ${sharedNetwork(address)}`
      const known = buckets.get(key) ?? { tokens: rate.burst, atMs: nowMs }
      const gained = ((nowMs - known.atMs) / minuteMs) * rate.perMinute
      const tokens = Math.min(rate.burst, known.tokens + gained)
      const passes = tokens >= 1
      // Moved to the end: the map is in the order of last use.
      buckets.delete(key)
      buckets.set(key, { tokens: passes ? tokens - 1 : tokens, atMs: nowMs })
      if (buckets.size > bucketsMax) buckets.delete(buckets.keys().next().value ?? '')
      return passes ? 0 : Math.ceil(((1 - tokens) / rate.perMinute) * (minuteMs / 1000))
    },
  }
}

/**
 * The network that shares a bucket: the owner of one IPv6 address has 2^64 of them. Some proxies append the client's port, of which
 * one client has many.
 */
export function sharedNetwork(given: string): string {
  const address = withoutPort(given)
  const mapped = mappedIn(address)
  if (mapped !== null || !address.includes(':')) return mapped ?? address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4)
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`
}

function withoutPort(address: string): string {
  return /^\[([^\]]*)\]/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):/.exec(address)?.[1] ?? address
}

/** The IPv4 address in an IPv6 address such as `::ffff:192.0.2.1` or `::ffff:c000:201`. */
function mappedIn(address: string): string | null {
  const inside = /^(?:0{0,4}:){2,5}ffff:(.*)$/i.exec(address)?.[1] ?? ''
  if (/^\d+\.\d+\.\d+\.\d+$/.test(inside)) return inside
  const groups = /^([\da-f]{1,4}):([\da-f]{1,4})$/i
    .exec(inside)
    ?.slice(1)
    .map((group) => Number.parseInt(group, 16))
  return groups?.flatMap((group) => [group >> 8, group & 255]).join('.') ?? null
}
