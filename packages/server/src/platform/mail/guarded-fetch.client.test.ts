import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { loopback, publicOnly } from '@overture/testing/mail/reach.ts'
import { createGuardedFetch, UnreachableError } from './guarded-fetch.client.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const fetchWith = ({ allowPrivate = true, timeoutMs = 5_000 } = {}) =>
  createGuardedFetch({
    getReach: () => (allowPrivate ? loopback : publicOnly),
    timeoutMs,
    answerBytesMax: 1_000,
  })

const get = { method: 'GET', headers: {} }

test('a response is returned completely, and a redirect is not followed', async () => {
  const url = await listen((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}')
  })
  const answer = await fetchWith()(url, get)
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([
    200,
    'application/json',
    { a: 1 },
  ])
  expect((await fetchWith()(`${url}away`, get)).status).toBe(302)
})

test('a private address is not requested unless allowed', async () => {
  let requestCount = 0
  const url = await listen((_request, response) => {
    requestCount++
    response.end()
  })
  await expect(fetchWith({ allowPrivate: false })(url, get)).rejects.toThrow(UnreachableError)
  expect(requestCount).toBe(0)
})

test('an endless response is cancelled, by size and by time', async () => {
  const long = await listen((_request, response) => void response.end('x'.repeat(1_001)))
  await expect(fetchWith()(long, get)).rejects.toThrow(/response of the server is too large/)
  const fits = await listen((_request, response) => void response.end('x'.repeat(1_000)))
  expect(await (await fetchWith()(fits, get)).text()).toHaveLength(1_000)
  const dripping = await listen((_request, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const silent = await listen(() => undefined)
  for (const url of [dripping, silent])
    await expect(fetchWith({ timeoutMs: 300 })(url, get)).rejects.toThrow(UnreachableError)
})

test("a server that doesn't listen or disconnects is unreachable", async () => {
  const url = await listen((request) => void request.socket.destroy())
  await expect(fetchWith()(url, get)).rejects.toThrow(UnreachableError)
  for (const stop of stops.splice(0)) stop()
  await expect(fetchWith()(url, get)).rejects.toThrow(UnreachableError)
})
