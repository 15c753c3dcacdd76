import { minuteMs } from '../../ground/time/spans.ts'
import { monotonicMs } from '../clock.ts'

interface LoginLimits {
  /** Logins under way at a server that nothing is known of. */
  first: number
  /** At one that refuses or drops them. */
  least: number
  /** At one that takes them. */
  most: number
}

/** At one server, of all mailboxes of a process together. */
export const loginsPerServer: LoginLimits = { first: 20, least: 10, most: 50 }

interface Line {
  running: number
  limit: number
  /** Logins that were taken since the limit changed. */
  taken: number
  waiting: (() => void)[]
}

/** A server's limit is known for so long after its last login. */
const rememberedMs = 10 * minuteMs
/** Servers of which more is known than that they exist; those longest without a login are forgotten first. */
const rememberedMax = 1_000

interface LoginTurns {
  /** Runs when it is its turn at that server: first come, first served. What runs has a time limit of its own. */
  run<Result extends { kind: string }>(
    server: { host: string; port: number },
    logIn: () => Promise<Result>,
  ): Promise<Result>
  /** Servers at which somebody logs in or waits. */
  readonly size: number
  /** Servers whose limit is remembered. */
  readonly remembered: number
}

/**
 * So that hundreds of mailboxes at one provider don't log in at the same moment after a start, which providers take for
 * an attack. A server that took as many as it may have at once gets five more, one that refuses or drops one gets half.
 * Servers don't wait for each other.
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

/** Of this process, for sending and reading alike. */
export const loginTurns = createLoginTurns()
