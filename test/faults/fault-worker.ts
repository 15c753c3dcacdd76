import {
  createDeliveryWorker,
  createSmtpTransport,
  type FaultPoints,
} from '../../packages/server/src/delivery/index.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createSmtpPool } from '../../packages/server/src/platform/mail/smtp-pool.client.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'

/** Starts the production worker on DATABASE_URL, with one message at a time. Returns a function that stops it. */
export async function startFaultWorker(
  faults: FaultPoints,
  url: string = process.env.DATABASE_URL ?? '',
): Promise<() => Promise<void>> {
  const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 6 })
  const app = createTestApp(
    { db, url },
    { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' } },
  )
  const pool = createSmtpPool()
  const smtp = createSmtpTransport({ app, pool, faultsArmed: faults.armed })
  const worker = createDeliveryWorker(
    { app, renderer: testRenderer, faults, sentFolder: null, transportFor: () => smtp },
    { pollMs: 50, recoverEveryMs: 200, concurrency: 1 },
  )
  await worker.start()
  return async () => {
    await worker.stop()
    await pool.close()
    await db.close()
  }
}
