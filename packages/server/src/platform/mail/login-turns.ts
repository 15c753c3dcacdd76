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

interface Line {
  running: number
  limit: number
  /** Logins that the server accepted since the limit changed. */
  taken: number
  waiting: (() => void)[]
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
  const lines = new Map<string, Line>()
  const known = createKnownLimits(nowMs)
  return {
    async run({ host, port }, logIn) {
      const key = `${host.toLowerCase()} ${port}`
      const line = lines.get(key) ?? { running: 0, limit: known.get(key) ?? limits.first, taken: 0, waiting: [] }
      lines.set(key, line)
      if (line.running < line.limit) line.running++
      else await new Promise<void>((go) => line.waiting.push(go))
      let isOpen = false
      try {
        const result = await logIn()
        isOpen = result.kind === 'open'
        return result
      } finally {
        line.running--
        learn(line, isOpen, limits)
        for (; line.waiting.length > 0 && line.running < line.limit; line.running++) line.waiting.shift()?.()
        if (line.running === 0) {
          lines.delete(key)
          known.set(key, line.limit === limits.first ? null : line.limit)
        }
      }
    },
    get size() {
      return lines.size
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

function learn(line: Line, isOpen: boolean, { least, most }: LoginLimits): void {
  if (!isOpen) line.limit = Math.max(least, Math.floor(line.limit / 2))
  else if (++line.taken < line.limit) return
  else line.limit = Math.min(most, line.limit + 5)
  line.taken = 0
}

/** The login queue of this process, shared by sending and reading. */
export const loginTurns = createLoginTurns()
