/** Logins under way at one server, of all mailboxes of a process together. */
export const loginsPerServerMax = 20

interface Line {
  running: number
  waiting: (() => void)[]
}

interface LoginTurns {
  /** Runs when it is its turn at that server: first come, first served. What runs has a time limit of its own. */
  run<Result>(server: { host: string; port: number }, logIn: () => Promise<Result>): Promise<Result>
  /** Servers at which somebody logs in or waits. */
  readonly size: number
}

/**
 * So that hundreds of mailboxes at one provider don't log in at the same moment after a start, which providers take for
 * an attack. Servers don't wait for each other.
 */
export function createLoginTurns(max: number = loginsPerServerMax): LoginTurns {
  const lines = new Map<string, Line>()
  return {
    async run({ host, port }, logIn) {
      const key = `${host.toLowerCase()} ${port}`
      const line = lines.get(key) ?? { running: 0, waiting: [] }
      lines.set(key, line)
      if (line.running < max) line.running++
      else await new Promise<void>((go) => line.waiting.push(go))
      try {
        return await logIn()
      } finally {
        // The place passes to the next in line, or comes free.
        const next = line.waiting.shift()
        if (next !== undefined) next()
        else if (--line.running === 0) lines.delete(key)
      }
    },
    get size() {
      return lines.size
    },
  }
}

/** Of this process, for sending and reading alike. */
export const loginTurns = createLoginTurns()
