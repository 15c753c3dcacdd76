import { KeyedSemaphore } from '@overture/ground/keyed-semaphore.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { monotonicMs } from '../clock.ts'

interface LoginLimits {
  /** Parallel logins at a server without history. */
  first: number
  /** Parallel logins at a server that refuses or drops them, at least. */
  least: number
  /** Parallel logins at a server that accepts them, at most. */
  most: number
}

/** Limits for one server, over all mailboxes of a process. */
export const loginsPerServer: LoginLimits = { first: 20, least: 10, most: 50 }

interface ServerLimit {
  limit: number
  /** Logins that the server accepted since the limit changed. */
  taken: number
}

/** A server's limit is remembered for this long after its last login. */
const rememberedMs = 10 * minuteMs
/** The number of servers with a remembered limit. The servers without a login for the longest time are forgotten first. */
const rememberedMax = 1_000

interface LoginTurns {
  /** Runs `logIn` when the limit of that server allows it, first come, first served. `logIn` has its own time limit. */
  run<Result extends { kind: string }>(
    server: { host: string; port: number },
    logIn: () => Promise<Result>,
  ): Promise<Result>
  /** The number of servers with a running or waiting login. */
  readonly size: number
  /** The number of servers whose limit is remembered. */
  readonly remembered: number
}

/**
 * Limits parallel logins per server, because providers treat hundreds of simultaneous logins after a start as an attack. A server
 * that accepted as many logins as its limit gets five more; one that refuses or drops a login gets half. Servers are independent
 * of each other.
 */
export function createLoginTurns(limits: LoginLimits = loginsPerServer, nowMs: () => number = monotonicMs): LoginTurns {
  const current = new Map<string, ServerLimit>()
  const known = createKnownLimits(nowMs)
  const logins = new KeyedSemaphore({ permits: (key) => current.get(key)?.limit ?? limits.first })
  return {
    async run({ host, port }, logIn) {
      const key = `${host.toLowerCase()} ${port}`
      const server = current.get(key) ?? { limit: known.get(key) ?? limits.first, taken: 0 }
      current.set(key, server)
      const release = await logins.acquire(key)
      let isOpen = false
      try {
        const result = await logIn()
        isOpen = result.kind === 'open'
        return result
      } finally {
        learn(server, isOpen, limits)
        release()
        if (!logins.has(key)) {
          current.delete(key)
          known.set(key, server.limit === limits.first ? null : server.limit)
        }
      }
    },
    get size() {
      return logins.size
    },
    get remembered() {
      return known.size
    },
  }
}

function createKnownLimits(nowMs: () => number) {
  const known = new Map<string, { limit: number; endMs: number }>()
  return {
    get(key: string): number | null {
      const found = known.get(key)
      return found !== undefined && nowMs() < found.endMs ? found.limit : null
    },
    set(key: string, limit: number | null): void {
      known.delete(key)
      if (limit !== null) known.set(key, { limit, endMs: nowMs() + rememberedMs })
      const [oldest] = known.keys()
      if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest)
    },
    get size() {
      return known.size
    },
  }
}

function learn(server: ServerLimit, isOpen: boolean, { least, most }: LoginLimits): void {
  if (!isOpen) server.limit = Math.max(least, Math.floor(server.limit / 2))
  else if (++server.taken < server.limit) return
  else server.limit = Math.min(most, server.limit + 5)
  server.taken = 0
}

/** The login queue of this process, shared by sending and reading. */
export const loginTurns = createLoginTurns()
