import { createInboxWorker } from '../../packages/server/src/inbox/index.ts'
import { createReadingThreads } from '@overture/server/inbox/reading/reading-threads.client.ts'
import type { Clock } from '../../packages/server/src/platform/clock.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestApp } from '@overture/testing/app.ts'

/** Runs the production worker in its own process. Its clock runs `OVERTURE_TEST_SPEED` times as fast as real time. */
const url = process.env.DATABASE_URL ?? ''
const speed = Number(process.env.OVERTURE_TEST_SPEED ?? 1)
const epochMs = Number(process.env.OVERTURE_TEST_EPOCH ?? 0)
const clock: Clock = { now: () => new Date(epochMs + (Date.now() - epochMs) * speed) }
const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 4 })
const app = createTestApp(
  { db, url },
  { clock, environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_MAIL_SECONDS_MAX: '60' } },
)
const reader = createReadingThreads({ log: app.log, ...app.config.inbox })
/** A message that crashes the process that reads it, in a way that can't be caught. */
const fatal = process.env.OVERTURE_TEST_FATAL
await createInboxWorker(app, {
  tickMs: 200,
  pollMs: 2_000,
  reader: {
    read(raw) {
      if (fatal !== undefined && Buffer.from(raw).includes(fatal)) process.kill(process.pid, 'SIGKILL')
      return reader.read(raw)
    },
  },
}).start()
process.send?.('started')
