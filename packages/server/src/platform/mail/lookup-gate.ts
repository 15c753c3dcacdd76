/** Parallel lookups of one account; further ones wait. */
export const lookupsMax = 8
const waitingMax = 200

interface LookupGate {
  /** Waits for a place of this account. Returns null if `left` aborts first, or if too many lookups wait already. */
  enter(accountId: string, left: AbortSignal): Promise<{ leave(): void } | null>
}

interface Line {
  running: number
  waiting: Set<() => void>
}

/** Limits lookups per account, so that an account with slow names delays only itself. */
export function createLookupGate(): LookupGate {
  const lines = new Map<string, Line>()

  function place(accountId: string, line: Line): { leave(): void } {
    return {
      leave() {
        const [next] = line.waiting
        // The place passes to the first waiting lookup, or becomes free.
        if (next !== undefined) return next()
        if (--line.running === 0) lines.delete(accountId)
      },
    }
  }

  return {
    async enter(accountId, left) {
      const line = lines.get(accountId) ?? { running: 0, waiting: new Set() }
      lines.set(accountId, line)
      if (line.running < lookupsMax) {
        line.running++
        return place(accountId, line)
      }
      if (line.waiting.size >= waitingMax || left.aborted) return null
      return new Promise((resolve) => {
        const take = (): void => {
          line.waiting.delete(take)
          left.removeEventListener('abort', giveUp)
          resolve(place(accountId, line))
        }
        const giveUp = (): void => {
          line.waiting.delete(take)
          resolve(null)
        }
        line.waiting.add(take)
        left.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
