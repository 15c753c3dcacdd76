import { secondMs, minuteMs } from '@overture/ground/time/spans.ts'

// More times are kept than the limits need, so that a raised limit still finds the last minute complete.
const keptAtLeast = 256
const firstCapacity = 16

export interface Rates {
  requestsPerMinute: number
  burstPerSecond: number
}

/** The rates of each key of an account, and how many keys it may have. */
export interface AccountRates extends Rates {
  maxApiKeys: number
}

interface Hit {
  admitted: boolean
  /** Remaining requests in the current minute. */
  remaining: number
  /** Milliseconds after which one more request passes if nothing else is sent. */
  waitMs: number
}

/**
 * Counts a request in the window of its key, and if that admits it, in that of its account: a key above its limit does not use
 * up the rates of the others.
 */
export function hitBoth(
  windows: { key: RollingWindow; account: RollingWindow },
  atMs: number,
  rates: AccountRates,
): Hit {
  const own = windows.key.hit(atMs, rates)
  if (!own.admitted) return own
  const shared = windows.account.hit(atMs, accountRates(rates))
  return {
    admitted: shared.admitted,
    remaining: Math.min(own.remaining, shared.remaining),
    waitMs: Math.max(own.waitMs, shared.waitMs),
  }
}

/**
 * The rates of all keys of an account together: those of as many keys as it may have at once. Keys that were revoked and made
 * again count too.
 */
function accountRates({ requestsPerMinute, burstPerSecond, maxApiKeys }: AccountRates): Rates {
  const keys = Math.max(1, maxApiKeys)
  return { requestsPerMinute: requestsPerMinute * keys, burstPerSecond: burstPerSecond * keys }
}

/**
 * The exact rolling minute and second of one key, or of one account. A refused request counts like any other, so the n-th last request
 * alone decides: while it is younger than the window, the window holds n. One ring of times serves both windows.
 */
export class RollingWindow {
  #times = new Float64Array(firstCapacity)
  #first = 0
  #next = 0

  /** The time of the last request, in milliseconds since 1970. */
  get lastMs(): number {
    return this.#next === 0 ? 0 : this.#at(this.#next - 1)
  }

  /** The stored times, oldest first. `restore` makes a window from them on another node. */
  times(): number[] {
    return Array.from({ length: this.#next - this.#first }, (_, index) => this.#at(this.#first + index))
  }

  static restore(times: readonly number[]): RollingWindow {
    const window = new RollingWindow()
    for (const time of times) {
      if (window.#next === window.#times.length) window.#grow()
      window.#times[window.#next++] = time
    }
    return window
  }

  hit(atMs: number, rates: Rates): Hit {
    const nowMs = Math.max(atMs, this.lastMs)
    while (this.#first < this.#next && this.#at(this.#first) <= nowMs - minuteMs) this.#first++
    const full =
      this.#waitMs(rates.requestsPerMinute, minuteMs, nowMs) > 0 ||
      this.#waitMs(rates.burstPerSecond, secondMs, nowMs) > 0
    this.#append(nowMs, rates)
    const waitMs = Math.max(
      this.#waitMs(rates.requestsPerMinute, minuteMs, nowMs),
      this.#waitMs(rates.burstPerSecond, secondMs, nowMs),
    )
    const remaining = full ? 0 : Math.max(0, rates.requestsPerMinute - (this.#next - this.#first))
    return { admitted: !full, remaining, waitMs }
  }

  // How long until the window contains fewer than `limit` requests.
  #waitMs(limit: number, windowMs: number, nowMs: number): number {
    const decisive = this.#next - limit
    if (decisive < this.#first) return 0
    return Math.max(0, this.#at(decisive) + windowMs - nowMs)
  }

  #append(nowMs: number, rates: Rates): void {
    const kept = Math.max(rates.requestsPerMinute, rates.burstPerSecond, keptAtLeast)
    if (this.#next - this.#first === this.#times.length && this.#times.length < kept) this.#grow()
    if (this.#next - this.#first === this.#times.length) this.#first++
    this.#times[this.#next & (this.#times.length - 1)] = nowMs
    this.#next++
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2)
    for (let index = this.#first; index < this.#next; index++) larger[index & (larger.length - 1)] = this.#at(index)
    this.#times = larger
  }

  #at(index: number): number {
    return this.#times[index & (this.#times.length - 1)] ?? 0
  }
}

/** The Retry-After header of a refused request: whole seconds, at least one. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / secondMs))
}
