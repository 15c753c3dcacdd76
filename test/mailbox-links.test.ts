import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const path = '/v2/sending-accounts/oauth/authorize'
const body = (name: string) => ({ provider: 'google', email: `${name}@example.com`, fromName: 'Ada' })
const follow = (authorizeUrl: string, cookie = '') => {
  const { pathname, search } = new URL(authorizeUrl)
  return server.call('GET', pathname + search, { headers: { cookie } })
}
const senders = async () =>
  (await server.call('GET', '/v2/sending-accounts', { key: server.keys.test })).body.pagination.totalCount

test('a mailbox is connected once by a link, however often somebody follows it', async () => {
  const { authorizeUrl } = (await server.call('POST', path, { key: server.keys.test, body: body('once') })).body
  const both = await Promise.all([follow(authorizeUrl), follow(authorizeUrl)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await follow(authorizeUrl)).text).toContain('used already')
})

test('what a person began is finished in their browser alone', async () => {
  const [ada, eve] = [await createTestPerson(server), await createTestPerson(server)]
  const { authorizeUrl } = (await ada.call('POST', path, { body: body('bound') })).body
  const before = await senders()
  for (const cookie of ['', eve.cookie]) expect((await follow(authorizeUrl, cookie)).status).toBe(400)
  expect(await senders()).toBe(before)
  expect((await follow(authorizeUrl, ada.cookie)).status).toBe(200)
  expect(await senders()).toBe(before + 1)
})
