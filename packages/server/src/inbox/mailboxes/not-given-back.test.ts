import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import type { App } from '../../platform/app.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { createInboxWorker } from './inbox.worker.ts'

const user = 'ada@example.com'
const patient = { timeout: 60_000, interval: 50 }
let server: TestServer
let mail: ImapDouble
beforeAll(async () => {
  const environment = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
  server = await startTestServer({ routes: () => sendingAccountsRoutes(), environment })
  mail = await startImapDouble({ users: { [user]: 'secret' } })
  const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
  const made = await server.call('POST', '/v2/sending-accounts', {
    key: server.keys.live,
    body: {
      email: user,
      fromName: 'Ada',
      smtp: { ...login, port: 2525 },
      imap: { ...login, port: mail.port },
    },
  })
  expect(made.status).toBe(201)
})
afterAll(async () => {
  await mail.stop()
  await server.stop()
})

/** A database that is unavailable the first `times` times that a mailbox is to be released. */
function awayAtRelease(app: App, times: number): { app: App; refused: () => number } {
  let refused = 0
  const execute: App['db']['execute'] = (text, values, name) => {
    if (name !== 'release_mailbox' || refused >= times) return app.db.execute(text, values, name)
    refused++
    return Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))
  }
  const db = new Proxy(app.db, {
    get(target, field) {
      if (field === 'execute') return execute
      const value: unknown = Reflect.get(target, field)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  return { app: { ...app, db }, refused: () => refused }
}

test("a mailbox that can't be released because the database is away is read again by its worker", async () => {
  const away = awayAtRelease(server.app, 1)
  const worker = createInboxWorker(away.app, { tickMs: 50 })
  await worker.start()
  await vi.waitFor(() => expect(mail.idleConnections).toBe(1), patient)
  mail.dropAll()
  await vi.waitFor(() => expect(away.refused()).toBe(1), patient)
  await vi.waitFor(() => expect(mail.idleConnections).toBe(1), patient)
  await worker.stop()
})
