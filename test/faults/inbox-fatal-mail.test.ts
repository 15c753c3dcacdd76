import { fork, type ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { campaignRoutes } from '@overture/server/campaigns/index.ts'
import { listSetAsideAcrossAccounts } from '@overture/server/inbox/mailboxes/set-aside.sql.ts'
import { sendingAccountsRoutes } from '@overture/server/sending-accounts/index.ts'
import { endMailboxLeasesAcrossAccounts } from '@overture/testing/inbox/inbox-fixtures.sql.ts'
import { newUser, openMailboxWorld, writeReply } from '@overture/testing/inbox/mailbox-world.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'

const worker = await builtProgram(new URL('./inbox-worker-main.ts', import.meta.url))

const patient = { timeout: 90_000, interval: 50 }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes()],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
})
afterAll(() => server.stop())

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

function startProcess(fatal = 'X-Fatal: yes'): { child: ChildProcess; ended: Promise<void> } {
  const child = fork(worker, {
    execArgv: [],
    env: { ...process.env, DATABASE_URL: server.database.url, OVERTURE_TEST_FATAL: fatal },
  })
  stops.push(async () => void child.kill('SIGKILL'))
  return { child, ended: new Promise((resolve) => void child.once('exit', () => resolve())) }
}

async function openBox() {
  const user = newUser()
  const double = await startImapDouble({ users: { [user]: 'secret' } })
  stops.push(() => double.stop())
  const mail = {
    port: double.port,
    deliver: (to: string, raw: string) => double.deliver(to, raw),
    renewUidValidity: (of: string) => double.renewUidValidity(of, 'INBOX'),
  }
  const box = await openMailboxWorld(server, stops, { mail, user })
  for (const name of ['before', 'fatal', 'after']) {
    await box.contact(name)
    box.mail.deliver(user, writeReply(user, name, name === 'fatal' ? ['X-Fatal: yes'] : []))
  }
  for (let deaths = 0; deaths < 2; deaths++) {
    await startProcess().ended
    expect(await box.replies()).toEqual({ before: 1, fatal: 0, after: 0 })
    await endMailboxLeasesAcrossAccounts(server.app.db)
  }
  return box
}

test('a message that ends its process twice is set aside, and all others are read', async () => {
  const box = await openBox()
  startProcess()
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ before: 1, fatal: 0, after: 1 }), patient)
  const rows = await listSetAsideAcrossAccounts(server.app.db, 10)
  expect(rows).toMatchObject([{ uid: 2, reason: 'ended_the_process' }])
  await server.app.db.execute('delete from set_aside_messages')
}, 240_000)

test('a message that was only being read during two kills is read later automatically', async () => {
  const box = await openBox()
  startProcess('X-Nothing: no')
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ before: 1, fatal: 0, after: 1 }), patient)
  const [row] = await listSetAsideAcrossAccounts(server.app.db, 10)
  expect(row!.retryAskedAt!.getTime() - row!.setAsideAt.getTime()).toBe(120_000)
  // Simulates that two minutes have passed.
  await server.app.db.execute(`update set_aside_messages set retry_asked_at = retry_asked_at - interval '2 minutes'`)
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ before: 1, fatal: 1, after: 1 }), patient)
  await vi.waitFor(async () => expect(await listSetAsideAcrossAccounts(server.app.db, 10)).toEqual([]), patient)
}, 240_000)

test('a message that ends its process again on retry is not retried any more', async () => {
  const box = await openBox()
  const third = startProcess()
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ before: 1, fatal: 0, after: 1 }), patient)
  await server.app.db.execute(`update set_aside_messages set retry_asked_at = retry_asked_at - interval '2 minutes'`)
  await third.ended
  expect(await listSetAsideAcrossAccounts(server.app.db, 10)).toMatchObject([{ uid: 2, retryAskedAt: null }])
}, 240_000)
