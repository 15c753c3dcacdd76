/** Look-ups under way for one account, and those that wait for a place. */
export const lookupsMax = 8
const waitingMax = 200

interface LookupGate {
  /** Waits for a place of this account; null when `left` aborts before there is one, or too many wait already. */
  enter(accountId: string, left: AbortSignal): Promise<{ leave(): void } | null>
}

interface Line {
  running: number
  waiting: Set<() => void>
}

/** So that an account whose names are slow to answer holds up itself alone. */
export function createLookupGate(): LookupGate {
  const lines = new Map<string, Line>()

  function place(accountId: string, line: Line): { leave(): void } {
    return {
      leave() {
        const [next] = line.waiting
        // The place passes to the first in line, or comes free.
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
