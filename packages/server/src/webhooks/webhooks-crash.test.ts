import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appendEvents } from '../platform/events/events.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { webhookRoutes } from './index.ts'

// The test kills and starts whole processes.
vi.setConfig({ testTimeout: 300_000 })

const allowed = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
const answerMs = 40
const program = `
  import { createDatabase } from '${import.meta.resolve('../platform/db/pool.client.ts')}'
  import { createLogger } from '${import.meta.resolve('../platform/log.shell.ts')}'
  import { createTestApp } from '${import.meta.resolve('../../../testing/src/app.ts')}'
  import { createWebhookWorker } from '${import.meta.resolve('./index.ts')}'
  const url = process.argv[1]
  const db = createDatabase({ url, log: createLogger('silent') })
  await createWebhookWorker(createTestApp({ db, url }, { environment: ${JSON.stringify(allowed)} })).start()
  setInterval(() => {}, 1000)
`

let server: TestServer
let receiver: Server
const received: string[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  server = await startTestServer({ routes: () => webhookRoutes(), environment: allowed })
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    setTimeout(() => response.writeHead(200).end(), answerMs)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
})

function startProcess(): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program, server.database.url],
    { stdio: 'inherit' },
  )
  children.push(child)
  return child
}

const until = (test: () => boolean) => expect.poll(test, { timeout: 60_000, interval: 5 }).toBe(true)

test('after kill -9 during deliveries all events arrive with the same ids and in order', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const made = await server.call('POST', '/v2/webhooks', { key: server.keys.live, body: { url } })
  expect(made.status).toBe(201)
  const written: string[] = []
  for (let batch = 0; batch < 4; batch++) {
    const events = Array.from({ length: 10 }, () => ({
      type: 'lead.added' as const,
      occurredAt: new Date('2026-03-01'),
    }))
    written.push(...(await server.app.db.transaction((tx) => appendEvents(tx, server.tenant, events))))
  }
  for (const killedAfter of [5, 15, 25]) {
    const child = startProcess()
    await until(() => received.length >= killedAfter)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    // Ends the dead process's lease, which would otherwise expire later.
    await server.app.db.execute(`update webhooks set lease_until = now() - interval '1 second'`)
  }
  startProcess()
  await until(() => new Set(received).size === written.length)
  expect([...new Set(received)]).toEqual(written)
  // Deliveries that were in flight or not written when a process died are repeated once, and no others.
  expect(received.length).toBeLessThanOrEqual(written.length + 3 * 3)
})
