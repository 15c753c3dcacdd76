import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { loopback } from '@overture/testing/mail/reach.ts'
import { openMailbox } from './imap-session.client.ts'
import { createLoginTurns, loginsPerServer, loginTurns } from './login-turns.ts'
import { openSmtpConnection } from './smtp-connect.client.ts'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

test("logins at one server are limited and in order, and servers don't wait for each other", async () => {
  const login = fc.record({ host: fc.constantFrom('a.test', 'A.test', 'b.test'), port: fc.constantFrom(465, 993) })
  await fc.assert(
    fc.asyncProperty(fc.array(login, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (logins, max) => {
      const turns = createLoginTurns({ first: max, least: max, most: max })
      const running: { key: string; end: () => void }[] = []
      const begun = new Map<string, number[]>()
      const results = logins.map(({ host, port }, at) =>
        turns.run({ host, port }, async () => {
          const key = `${host.toLowerCase()} ${port}`
          begun.set(key, [...(begun.get(key) ?? []), at])
          await new Promise<void>((end) => running.push({ key, end }))
          if (at % 3 === 0) throw new Error('refused')
          return { kind: at % 2 === 0 ? 'open' : 'dropped' }
        }),
      )
      const ended = Promise.allSettled(results)
      const keys = logins.map(({ host, port }) => `${host.toLowerCase()} ${port}`)
      const times = (key: string, all: readonly string[]) => all.filter((one) => one === key).length
      for (let left = logins.length; left > 0; left--) {
        await new Promise((resolve) => setImmediate(resolve))
        for (const key of new Set(keys)) {
          const now = times(
            key,
            running.map((one) => one.key),
          )
          const unended = times(key, keys) - (begun.get(key)?.length ?? 0) + now
          expect(now).toBe(Math.min(max, unended))
        }
        running.shift()?.end()
      }
      await ended
      for (const order of begun.values()) expect(order).toEqual(order.toSorted((a, b) => a - b))
      expect(turns.size).toBe(0)
    }),
    { numRuns: 100 },
  )
})

test('the limit grows with accepted logins and falls with refused ones, between bounds', async () => {
  const limits = { first: 20, least: 10, most: 50 }
  const server = { host: 'a.test', port: 465 }
  const turns = createLoginTurns(limits)
  const running: ((kind: string) => void)[] = []
  const results = Array.from({ length: 2_000 }, () =>
    turns.run(server, async () => ({ kind: await new Promise<string>((end) => running.push(end)) })),
  )
  const seen: number[] = []
  const answer = async (kind: string): Promise<void> => {
    running.shift()!(kind)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(running.length)
  }
  await new Promise((resolve) => setImmediate(resolve))
  expect(running.length).toBe(limits.first)
  while (running.length < limits.most) await answer('open')
  // Each step of the limit needs as many accepted logins as the limit itself.
  expect(seen.length).toBe(20 + 25 + 30 + 35 + 40 + 45)
  for (let more = 0; more < 100; more++) await answer('open')
  expect(Math.max(...seen)).toBe(limits.most)
  await answer('refused')
  while (running.length > limits.most / 2) await answer('open')
  for (let more = 0; more < 10; more++) await answer('dropped')
  while (running.length > limits.least) await answer('dropped')
  for (let more = 0; more < 30; more++) await answer('dropped')
  expect(running.length).toBe(limits.least)
  while (running.length > 0) await answer('open')
  await Promise.all(results)
  expect(turns.size).toBe(0)
})

test("a server's limit is remembered for ten minutes, for a thousand servers", async () => {
  const limits = { first: 2, least: 1, most: 12 }
  let now = 0
  const turns = createLoginTurns(limits, () => now)
  const server = { host: 'a.test', port: 465 }
  const logIn = (of: { host: string; port: number }) => turns.run(of, () => Promise.resolve({ kind: 'open' }))
  /** The number of logins that run at the same time. */
  const atOnce = async (): Promise<number> => {
    const running: (() => void)[] = []
    const results = Array.from({ length: 20 }, () =>
      turns.run(server, async () => (await new Promise<void>((end) => running.push(end)), { kind: 'open' })),
    )
    await new Promise((resolve) => setImmediate(resolve))
    const count = running.length
    while (running.length > 0) {
      running.shift()!()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(results)
    return count
  }
  expect(await atOnce()).toBe(2)
  now += 599_999
  expect(await atOnce()).toBe(12)
  now += 600_000
  expect(await atOnce()).toBe(2)
  for (let number = 0; number < 1_001; number++)
    await Promise.all([1, 2].map(() => logIn({ host: `mail${number}.test`, port: 465 })))
  expect([turns.size, turns.remembered]).toEqual([0, 1_000])
  expect(await atOnce()).toBe(2)
})

/** Accepts connections. Once as many wait as are allowed, it hangs up on all of them and lowers that number. */
async function startSilentServer(): Promise<{ port: number; most: () => number; seen: () => number }> {
  const waiting = new Set<Socket>()
  let [most, seen] = [0, 0]
  const server = createServer((socket) => {
    waiting.add(socket)
    seen++
    most = Math.max(most, waiting.size)
    socket.on('error', () => undefined)
    socket.on('close', () => waiting.delete(socket))
    const enough = seen <= loginsPerServer.first ? loginsPerServer.first : loginsPerServer.least
    if (waiting.size >= enough) for (const one of waiting) one.destroy()
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, most: () => most, seen: () => seen }
}

const auth = { kind: 'password', username: 'ada@example.com', password: 'secret' } as const
const timeoutsMs = { connect: 60_000, auth: 60_000, command: 60_000, body: 60_000, answer: 60_000 }

test.each([
  [
    'SMTP',
    (port: number) =>
      openSmtpConnection({ host: '127.0.0.1', port, security: 'none', auth, reach: loopback, timeoutsMs }),
  ],
  [
    'IMAP',
    (port: number) =>
      openMailbox({ host: '127.0.0.1', port, security: 'none', auth, reach: loopback, connectTimeoutMs: 60_000 }),
  ],
])('%s logins at one server take turns', async (_name, logIn) => {
  const server = await startSilentServer()
  const count = loginsPerServer.first * 2
  const results = await Promise.all(Array.from({ length: count }, () => logIn(server.port)))
  expect(results.filter(({ kind }) => kind === 'open')).toEqual([])
  expect([server.seen() >= count, server.most()]).toEqual([true, loginsPerServer.first])
  expect(loginTurns.size).toBe(0)
})
