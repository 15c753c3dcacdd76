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

test('a link connects a mailbox once, even if it is opened several times', async () => {
  const { authorizeUrl } = (await server.call('POST', path, { key: server.keys.test, body: body('once') })).body
  const both = await Promise.all([follow(authorizeUrl), follow(authorizeUrl)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await follow(authorizeUrl)).text).toContain('already used')
})

test('a connection can only be finished in the browser of the user who began it', async () => {
  const [ada, eve] = [await createTestPerson(server), await createTestPerson(server)]
  const { authorizeUrl } = (await ada.call('POST', path, { body: body('bound') })).body
  const before = await senders()
  for (const cookie of ['', eve.cookie]) expect((await follow(authorizeUrl, cookie)).status).toBe(400)
  expect(await senders()).toBe(before)
  expect((await follow(authorizeUrl, ada.cookie)).status).toBe(200)
  expect(await senders()).toBe(before + 1)
})

test('the user returns to the console page of the request, after success and failure', async () => {
  const returnPath = '/app/test/sending-accounts/snd_1?tab=health&page=2'
  const answer = await server.call('POST', path, { key: server.keys.test, body: { ...body('back'), returnPath } })
  const { authorizeUrl } = answer.body
  const done = await follow(authorizeUrl)
  expect([done.status, done.headers.get('location')]).toEqual([303, returnPath])
  const again = await follow(authorizeUrl)
  expect(again.status).toBe(400)
  expect(again.text).toContain('href="/app/test/sending-accounts/snd_1?tab=health&amp;page=2"')
  const forged = await follow(authorizeUrl.replace(/state=..../, 'state=AAAA'))
  expect(forged.status).toBe(400)
  expect(forged.text).not.toContain('href=')
})

test('the return path can only be a page below /app/', async () => {
  const ways = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/app',
    '/app/',
    '/apple/x',
    '/app//evil.example',
  ]
  const turns = [
    '/app/../hooks',
    '/app/%2e%2e/x',
    '/app/..%2fx',
    '/app/\\x',
    '/app/x\r\nset-cookie: a=b',
    '/app/x#y',
    ' /app/x',
  ]
  const spellings = [
    '/APP/x',
    '/app/x?y=//evil',
    '/app/x"onclick=',
    '/app/\u2025/x',
    '/app/\tx',
    'javascript:alert(1)',
    '',
  ]
  for (const returnPath of [...ways, ...turns, ...spellings]) {
    const answer = await server.call('POST', path, { key: server.keys.test, body: { ...body('open'), returnPath } })
    expect([returnPath, answer.status]).toEqual([returnPath, 400])
    expect(answer.body.error.details.issues).toMatchObject([{ path: 'returnPath' }])
  }
})
