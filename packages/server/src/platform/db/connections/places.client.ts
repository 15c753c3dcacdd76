import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '@overture/contract/errors.ts'

interface PlacesOptions {
  /** The number of places for all accounts together. */
  total: number
  perAccount: number
  waitingPerAccountMax?: number
  waitMsMax?: number
}

/** Frees the place. */
export type Leave = () => void

interface Waiter {
  grant(leave: Leave): void
  timer: NodeJS.Timeout
}

const defaults = { waitingPerAccountMax: 1_000, waitMsMax: 30_000 }

/**
 * Distributes connections among accounts. An account has only a few at the same time. The next free one goes to the account whose
 * turn it is, so an account with many requests delays only itself.
 */
export class Places {
  readonly #options: Required<PlacesOptions>
  readonly #held = new Map<string, number>()
  /** The waiting accounts in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #inside = new AsyncLocalStorage<string>()
  #free: number

  constructor(options: PlacesOptions) {
    this.#options = { ...defaults, ...options }
    this.#free = options.total
  }

  /** Lets statements in `run` use the place that the account already has. Otherwise the account could wait for itself forever. */
  inPlace<Result>(accountId: string, run: () => Promise<Result>): Promise<Result> {
    return this.#inside.run(accountId, run)
  }

  take(accountId: string): Leave | Promise<Leave> {
    if (this.#inside.getStore() === accountId) return () => undefined
    if (this.#mayHaveOne(accountId) && !this.#waiting.has(accountId)) return this.#grant(accountId)
    const { waitingPerAccountMax, waitMsMax } = this.#options
    const line = this.#waiting.get(accountId) ?? []
    if (line.length >= waitingPerAccountMax) throw tooMuchAtOnce()
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#forget(accountId, waiter)
        reject(tooMuchAtOnce())
      }
      const waiter: Waiter = { grant: resolve, timer: setTimeout(giveUp, waitMsMax) }
      line.push(waiter)
      this.#waiting.set(accountId, line)
    })
  }

  #mayHaveOne(accountId: string): boolean {
    return this.#free > 0 && (this.#held.get(accountId) ?? 0) < this.#options.perAccount
  }

  #grant(accountId: string): Leave {
    this.#free--
    this.#held.set(accountId, (this.#held.get(accountId) ?? 0) + 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#release(accountId)
    }
  }

  #release(accountId: string): void {
    this.#free++
    const heldCount = (this.#held.get(accountId) ?? 0) - 1
    if (heldCount > 0) this.#held.set(accountId, heldCount)
    else this.#held.delete(accountId)
    const next = [...this.#waiting.keys()].find((account) => this.#mayHaveOne(account))
    if (next === undefined) return
    const waiter = this.#waiting.get(next)?.[0] as Waiter
    this.#forget(next, waiter)
    const line = this.#waiting.get(next)
    if (line !== undefined) {
      this.#waiting.delete(next)
      this.#waiting.set(next, line)
    }
    clearTimeout(waiter.timer)
    waiter.grant(this.#grant(next))
  }

  #forget(accountId: string, waiter: Waiter): void {
    const line = (this.#waiting.get(accountId) ?? []).filter((one) => one !== waiter)
    if (line.length > 0) this.#waiting.set(accountId, line)
    else this.#waiting.delete(accountId)
  }
}

function tooMuchAtOnce(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', 'This account has too many running requests. Try again in a moment.')
}
