import { createPostgresAdmission } from '@overture/server/api-keys/index.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestApp } from './app.ts'
import { findServers } from './distributed/test-servers.ts'

/** An API node in its own process. It replies to `{id, authorization, nowMs}` with `{id, verdict}`. */
const url = process.argv[2] ?? ''
const distributed = (await findServers(url)) !== null
const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 5, distributed })
const app = createTestApp({ db, url })

process.on('message', (message: { id: number; authorization: string; nowMs: number | null }) => {
  const { id, authorization, nowMs } = message
  const admission = createPostgresAdmission(app, () => (nowMs === null ? null : new Date(nowMs)))
  Promise.resolve(admission.admit(authorization)).then(
    (verdict) => process.send?.({ id, verdict }),
    (error: Error) => process.send?.({ id, error: error.message }),
  )
})
process.on('disconnect', () => {
  db.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
process.send?.({ ready: true })
