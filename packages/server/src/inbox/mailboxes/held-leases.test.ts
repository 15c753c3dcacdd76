import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createSender } from '../../sending-accounts/index.ts'
import { findShare, renewShare, takeFreeMailboxes } from './share.shell.ts'
import { countGoodMs } from './sharing.ts'

const [living, dead] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

async function addSender(email: string, imap: boolean): Promise<void> {
  const { app, tenant } = server
  const login = { host: '127.0.0.1', port: 143, security: 'none' as const, username: 'a', password: 'secret' }
  const input = { email, fromName: 'A', provider: 'smtp' as const, smtp: login, ...(imap ? { imap: login } : {}) }
  await app.db.transaction((tx) => createSender(app, tx, tenant, { input, now: app.clock.now() }))
}

const claim = (token: string, limit: number) => takeFreeMailboxes(server.app.db, { token, limit })
const end = (token: string) =>
  server.app.db.execute(`update inbox_workers set lease_until = now() - interval '1 ms' where token = $1`, [token])

test('a new sender has a mailbox row only if it can be read', async () => {
  await addSender('read@example.com', true)
  await addSender('sends@example.com', false)
  const rows = await server.app.db.query(
    'select s.email from mailboxes m join sending_accounts s on s.account_id = m.account_id and s.id = m.sending_account_id',
  )
  expect(rows).toEqual([{ email: 'read@example.com' }])
})

test('a worker whose lease ends loses all its mailboxes at once, and starts again without any', async () => {
  for (let at = 0; at < 5; at++) await addSender(`more${at}@example.com`, true)
  await renewShare(server.app, dead)
  await renewShare(server.app, living)
  expect(await claim(dead, 4)).toHaveLength(4)
  expect(await claim(living, 10)).toHaveLength(2)
  // The lease expires, but a worker that renews in time keeps its mailboxes.
  await end(dead)
  expect(await renewShare(server.app, dead)).toBe(4)
  await findShare(server.app)
  expect(await claim(living, 10)).toHaveLength(0)

  await end(dead)
  expect((await findShare(server.app)).workers).toBe(1)
  expect(await claim(living, 10)).toHaveLength(4)
  expect(await renewShare(server.app, dead)).toBe(0)
  expect(await renewShare(server.app, living)).toBe(6)
})

test("a worker whose lease has expired can't claim mailboxes", async () => {
  await server.app.db.execute('update mailboxes set lease_token = null')
  await renewShare(server.app, dead)
  await end(dead)
  await findShare(server.app)
  await expect(claim(dead, 1)).rejects.toThrow(/foreign key/)
})

test('the count of all mailboxes is made once for all workers, and again when it is due', async () => {
  const { db } = server.app
  const nextCount = async () =>
    (await db.query<{ at: Date }>('select next_count_at as at from mailbox_counts'))[0]!.at.getTime()
  await db.execute(`update mailbox_counts set next_count_at = now() + interval '1 hour', mailboxes = 17`)
  const before = await nextCount()
  for (const token of [living, dead]) {
    await renewShare(server.app, token)
    expect((await findShare(server.app)).mailboxes).toBe(17)
  }
  expect(await nextCount()).toBe(before)
  await db.execute('update mailbox_counts set next_count_at = now()')
  await Promise.all([living, dead].map(() => findShare(server.app)))
  expect((await findShare(server.app)).mailboxes).toBe(6)
})

test.each([
  [0, 0],
  [1, 20],
  [400, 8_000],
  [10_000, 60_000],
])('a count that took %i ms is used for %i ms', (tookMs, goodMs) => expect(countGoodMs(tookMs)).toBe(goodMs))

test('workers that claim at the same moment share the free mailboxes without overlap', async () => {
  const { app } = server
  await app.db.execute('update mailboxes set lease_token = null, retry_at = null')
  for (let at = 0; at < 20; at++) await addSender(`shared${at}@example.com`, true)
  const tokens = Array.from({ length: 4 }, () => crypto.randomUUID())
  for (const token of tokens) await renewShare(app, token)
  const taken = await Promise.all(tokens.map((token) => claim(token, 5)))
  expect(taken.map((boxes) => boxes.length)).toEqual([5, 5, 5, 5])
  expect(new Set(taken.flat().map(({ sendingAccountId }) => sendingAccountId)).size).toBe(20)
})

test('a sender without a mailbox row gets one at the next count', async () => {
  const { app } = server
  const before = await app.db.query<{ count: number }>('select count(*)::int as count from mailboxes')
  await app.db.execute('delete from mailboxes')
  await app.db.execute('update mailbox_counts set next_count_at = now()')
  await findShare(app)
  expect(await app.db.query('select count(*)::int as count from mailboxes')).toEqual(before)
  expect(before[0]!.count).toBeGreaterThan(20)
})
