import { startNodeProcess } from './node-process.ts'
import { startPostgresProcess } from './postgres-process.ts'

/** Starts the processes that runs of killed nodes start, prints their process ids and waits to be killed: `left-alone.ts FOLDER`. */
const folder = process.argv[2] as string
const postgres = await startPostgresProcess(folder)
const node = await startNodeProcess({
  DATABASE_URL: postgres.url,
  OVERTURE_ROLE: 'api',
  OVERTURE_ENCRYPTION_KEY: 'a key of its own',
  OVERTURE_DATA_DIR: `${folder}/node`,
  PORT: '0',
})
process.stdout.write(`${JSON.stringify([postgres.pid, node.pid])}\n`)
setInterval(() => undefined, 60_000)
