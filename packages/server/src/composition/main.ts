import { ConfigError, parseConfig, type Config } from '../platform/config.ts'
import { monotonicMs } from '../platform/clock.ts'
import { MigrationError } from '../platform/db/migrate.shell.ts'
import { collectAfterStart, keepHeapSmall } from '../platform/lifecycle/heap.shell.ts'
import { createLogger, errorFacts, type Logger } from '../platform/log.shell.ts'
import { collectProcessMetrics } from '../platform/metrics.shell.ts'
import { readProcessSettings } from '../platform/settings/find-settings.shell.ts'
import { startOverture } from './start.ts'

const impatientAfterMs = 2_000

async function main(): Promise<void> {
  keepHeapSmall()
  const config = readConfig()
  const log = createLogger(config.logLevel)
  collectProcessMetrics()
  process.on('uncaughtException', (error) => {
    log.fatal({ event: 'process.crashed', ...errorFacts(error) })
    exit(log, 1)
  })
  const stopRequest = new AbortController()
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const starting = startOverture({ config, log, print, signal: stopRequest.signal })
  let askedAtMs: number | null = null
  const stop = (name: NodeJS.Signals): void => {
    // npm and terminals send a signal twice. A second signal after some time means that the operator wants to stop at once.
    if (askedAtMs !== null && monotonicMs() - askedAtMs > impatientAfterMs) process.exit(1)
    if (askedAtMs !== null) return
    askedAtMs = monotonicMs()
    log.info({ event: 'process.stopping', signal: name })
    stopRequest.abort()
    starting
      .then((server) => server.stop())
      .then(() => exit(log, 0))
      .catch((error: Error) => (error instanceof ConfigError ? exit(log, 0) : fail(error)))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  await starting.then(
    () => collectAfterStart(),
    (error: Error) => {
      if (askedAtMs === null) fail(error)
    },
  )
}

function readConfig(): Config {
  try {
    const folder = process.cwd()
    // `overture start --port 8080` arrives with the word `start`.
    const words = process.argv.slice(process.argv[2] === 'start' ? 3 : 2)
    const { values, problems } = readProcessSettings({ environment: process.env, folder, words })
    return parseConfig(values, folder, problems)
  } catch (error) {
    return fail(error as Error)
  }
}

/** Prints one sentence for a wrong setting or a refused database. Other errors are printed with their stack, for debugging. */
function fail(error: Error): never {
  const isSentence = error instanceof ConfigError || (error instanceof MigrationError && error.cause === undefined)
  process.stderr.write(`${isSentence ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
}

function exit(log: Logger, code: number): never {
  log.flush()
  process.exit(code)
}

await main()
