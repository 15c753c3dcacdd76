import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { loopback } from '@overture/testing/mail/reach.ts'
import { openMailbox } from './imap-session.client.ts'
import { createLoginTurns, loginsPerServerMax, loginTurns } from './login-turns.ts'
import { openSmtpConnection } from './smtp-connect.client.ts'

const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => server.close()))

test('at one server so many log in at once, each in its turn; servers do not wait for each other', async () => {
  const login = fc.record({ host: fc.constantFrom('a.test', 'A.test', 'b.test'), port: fc.constantFrom(465, 993) })
  await fc.assert(
    fc.asyncProperty(fc.array(login, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (logins, max) => {
      const turns = createLoginTurns(max)
      const running: { key: string; end: () => void }[] = []
      const begun = new Map<string, number[]>()
      const asked = logins.map(({ host, port }, at) =>
        turns.run({ host, port }, async () => {
          const key = `${host.toLowerCase()} ${port}`
          begun.set(key, [...(begun.get(key) ?? []), at])
          await new Promise<void>((end) => running.push({ key, end }))
          if (at % 3 === 0) throw new Error('refused')
        }),
      )
      const ended = Promise.allSettled(asked)
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

/** Takes connections, and hangs up on the first when as many wait as may. */
async function startSilentServer(): Promise<{ port: number; most: () => number; seen: () => number }> {
  const waiting = new Set<Socket>()
  let [most, seen] = [0, 0]
  const server = createServer((socket) => {
    waiting.add(socket)
    seen++
    most = Math.max(most, waiting.size)
    socket.on('error', () => undefined)
    socket.on('close', () => waiting.delete(socket))
    if (waiting.size >= loginsPerServerMax) for (const one of waiting) one.destroy()
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
  const count = loginsPerServerMax * 2
  const results = await Promise.all(Array.from({ length: count }, () => logIn(server.port)))
  expect(results.filter(({ kind }) => kind === 'open')).toEqual([])
  expect([server.seen() >= count, server.most()]).toEqual([true, loginsPerServerMax])
  expect(loginTurns.size).toBe(0)
})
