import { ConfigError, parseConfig, type Config } from './platform/config.ts'
import { createLogger } from './platform/log.ts'
import { collectProcessMetrics } from './platform/metrics.ts'
import { startOverture } from './start.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const log = createLogger(config.logLevel)
  collectProcessMetrics()
  process.on('uncaughtException', (error) => {
    log.fatal({ event: 'process.crashed', reason: error.message, stack: error.stack })
    process.exit(1)
  })
  const starting = startOverture({ config, log, print: (line) => process.stdout.write(`${line}\n`) })
  let asked = false
  const stop = (name: NodeJS.Signals): void => {
    // Whoever asks twice does not want to wait.
    if (asked) process.exit(1)
    asked = true
    log.info({ event: 'process.stopping', signal: name })
    starting
      .then((server) => server.stop())
      .then(() => process.exit(0))
      .catch(() => process.exit(1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  await starting.catch((error: Error) => fail(error))
}

function readConfig(): Config {
  try {
    return parseConfig(process.env, process.cwd())
  } catch (error) {
    return fail(error as Error)
  }
}

/** A wrong setting is told by its name alone; anything else is for whoever mends it. */
function fail(error: Error): never {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error.stack ?? error.message)}\n`)
  process.exit(1)
}

await main()
