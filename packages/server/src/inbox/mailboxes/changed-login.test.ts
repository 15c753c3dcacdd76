import { afterAll, beforeAll, expect, test } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import type { Worker } from '../../platform/lifecycle/worker.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { createInboxWorker } from './inbox.worker.ts'

const user = 'ada@example.com'
const path = '/v2/sending-accounts'
const patient = { timeout: 60_000, interval: 20 }

let server: TestServer
let worker: Worker
let before: ImapDouble
let after: ImapDouble

beforeAll(async () => {
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  before = await startImapDouble({ users: { [user]: 'old secret' } })
  after = await startImapDouble({ users: { [user]: 'new secret' } })
  worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 1_000 })
  await worker.start()
})
afterAll(async () => {
  await worker.stop()
  await Promise.all([before.stop(), after.stop()])
  await server.stop()
})

test('a mailbox whose server or login changes is closed at once and read with the new one', async () => {
  const key = server.keys.live
  const at = { host: '127.0.0.1', security: 'none', username: user, password: 'old secret' }
  const made = await server.call('POST', path, {
    key,
    body: { email: user, smtp: { ...at, port: 2525 }, imap: { ...at, port: before.port } },
  })
  expect(made.status, made.text).toBe(201)
  await expect.poll(() => before.idleConnections, patient).toBe(1)
  await server.call('PUT', `${path}/${made.body.id}`, { key, body: { fromName: 'Ada' } })
  const imap = { port: after.port, password: 'new secret' }
  const changed = await server.call('PUT', `${path}/${made.body.id}`, { key, body: { imap } })
  expect(changed.status, changed.text).toBe(200)
  await expect.poll(() => before.openConnections, patient).toBe(0)
  // No worker claims the mailbox until its reader can have closed it. The test does not wait for that.
  expect(after.openConnections).toBe(0)
  await server.app.db.execute('update mailboxes set retry_at = now()')
  await expect.poll(() => after.idleConnections, patient).toBe(1)
  expect(before.commands.filter((command) => command === 'AUTHENTICATE')).toHaveLength(1)

  await server.call('DELETE', `${path}/${made.body.id}`, { key })
  await expect.poll(() => after.openConnections, patient).toBe(0)
})
