import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createInboxWorker } from '../packages/server/src/inbox/index.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { createSender } from '../packages/server/src/sending-accounts/index.ts'
import { openStage } from './stage.ts'

/**
 * Prints the memory of an idle mailbox in the process that watches it: `node --expose-gc --import tsx bench/inbox-memory.ts [COUNT]`.
 * The IMAP server has its own process. The worker is the product's worker with its database.
 */
const count = Number(process.argv[2] ?? 1_000)
const waitMs = 180_000

const stage = await openStage()
const server = fork(fileURLToPath(new URL('./imap-server.ts', import.meta.url)), [String(count)], {
  execArgv: ['--import', 'tsx'],
})
try {
  const port = (await nextMessage<{ port: number }>()).port
  await addMailboxes(port)
  const before = memory()
  const worker = createInboxWorker(stage.app)
  await worker.start()
  const idle = await untilIdle()
  // Waits until the first polls of Junk have finished and their memory is free.
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  const after = memory()
  const cpu = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const used = process.cpuUsage(cpu)
  process.stdout.write(
    `${idle} mailboxes idle in one process: ${((after.rss - before.rss) / idle / 1024).toFixed(0)} kB each (resident), ` +
      `${((after.heapUsed - before.heapUsed) / idle / 1024).toFixed(0)} kB of it heap; ` +
      `process ${(after.rss / 1024 / 1024).toFixed(0)} MB; CPU while idle ${((used.user + used.system) / 1e5).toFixed(1)} %\n`,
  )
  await worker.stop()
} finally {
  server.disconnect()
  await stage.close()
}

async function addMailboxes(port: number): Promise<void> {
  const tenant = await insertTestAccount(stage.app.db)
  const login = { host: '127.0.0.1', security: 'none' as const, password: 'secret' }
  await stage.app.db.transaction(async (tx) => {
    for (let at = 0; at < count; at++) {
      const email = `sender${at}@example.com`
      const input = {
        email,
        fromName: 'Sender',
        provider: 'smtp' as const,
        smtp: { ...login, username: email, port: 25 },
        imap: { ...login, username: email, port },
      }
      await createSender(stage.app, tx, tenant, { input, now: stage.app.clock.now() })
    }
  })
}

function nextMessage<Message>(): Promise<Message> {
  return new Promise((resolve) => server.once('message', (message) => resolve(message as Message)))
}

function memory(): NodeJS.MemoryUsage {
  globalThis.gc?.()
  return process.memoryUsage()
}

async function untilIdle(): Promise<number> {
  const endMs = performance.now() + waitMs
  let idle = 0
  while (idle < count && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    server.send('count')
    idle = (await nextMessage<{ idle: number }>()).idle
  }
  return idle
}
