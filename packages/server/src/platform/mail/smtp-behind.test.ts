import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  startSmtpDouble,
  type SmtpDouble,
  type SmtpDoubleStage,
  type SmtpFault,
} from '@overture/testing/mail/smtp-double.server.ts'
import { loopback } from '@overture/testing/mail/reach.ts'
import type { SmtpConnectOptions } from './smtp-connect.client.ts'
import { createSmtpPool, type SmtpPool } from './smtp-pool.client.ts'
import type { SmtpMessage } from './smtp-session.client.ts'
import type { SmtpResult } from './smtp-result.ts'

// Messages whose envelope is sent in one write with the end of the previous message (RFC 2920, 3.1).

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(pipelining = true): Promise<SmtpDouble> {
  const double = await startSmtpDouble({ users: { ada: 'secret' }, pipelining })
  closers.push(() => double.stop())
  return double
}

function open(options = { connectionsMax: 1, messagesPerConnectionMax: 1000, idleCloseMs: 60_000 }): SmtpPool {
  const pool = createSmtpPool(options)
  closers.unshift(() => pool.close())
  return pool
}

const patientMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }
const lane = { key: 'lane', version: 1 }

function connectTo(port: number, timeoutsMs = patientMs): () => Promise<SmtpConnectOptions> {
  const auth = { kind: 'password' as const, username: 'ada', password: 'secret' }
  return () => Promise.resolve({ host: '127.0.0.1', port, security: 'none', auth, timeoutsMs, reach: loopback })
}

function message(n: number, changes: Partial<SmtpMessage> = {}): SmtpMessage {
  return {
    envelope: { from: 'ada@example.com', to: [`p${n}@prospects.test`] },
    raw: Buffer.from(`Message-ID: <${n}@example.com>\r\n\r\nHello ${n}\r\n`),
    gate: () => Promise.resolve(true),
    ...changes,
  }
}

const numbersOf = (double: SmtpDouble) =>
  double.accepted.map(({ messageId }) => Number(/\d+/.exec(messageId ?? '')?.[0]))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('messages waiting for one connection are sent in order, each once', async () => {
  const double = await start()
  const pool = open()
  const results = await Promise.all(upTo(20).map((n) => pool.send(lane, connectTo(double.port), message(n))))
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['accepted']))
  expect(numbersOf(double)).toEqual(upTo(20))
  expect(double.connectionCount).toBe(1)
})

/** A server that records everything it receives. It replies to each line at once, and to bodies at their end. */
async function listening(pipelining: boolean): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let inBody = false
    socket.on('error', () => {})
    socket.write('220 hello\r\n')
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('latin1'))
      for (const line of bytes.toString('latin1').split('\r\n').slice(0, -1)) {
        if (inBody && line !== '.') continue
        inBody = line === 'DATA'
        const greeting = pipelining ? '250-x\r\n250-PIPELINING\r\n250 AUTH PLAIN\r\n' : '250-x\r\n250 AUTH PLAIN\r\n'
        if (line.startsWith('EHLO')) socket.write(greeting)
        else socket.write(inBody ? '354 go on\r\n' : line.startsWith('AUTH') ? '235 ok\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

test('with PIPELINING the next envelope is sent together with the previous end', async () => {
  for (const pipelining of [true, false]) {
    const { port, heard } = await listening(pipelining)
    const pool = open()
    await Promise.all(upTo(3).map((n) => pool.send(lane, connectTo(port), message(n))))
    const together = heard.filter((text) => /(?:^|\n)\.\r\nMAIL FROM:.*\r\nRCPT TO:.*\r\nDATA\r\n$/.test(text))
    expect(together).toHaveLength(pipelining ? 2 : 0)
  }
})

test('nothing is sent together with an end that has a fault point', async () => {
  const { port, heard } = await listening(true)
  const pool = open()
  await Promise.all(upTo(3).map((n) => pool.send(lane, connectTo(port), message(n, { onPoint: () => {} }))))
  expect(heard.filter((text) => text.includes('.\r\nMAIL'))).toEqual([])
})

test('a gate that withholds ends the connection, and later messages use another', async () => {
  const double = await start()
  const pool = open()
  const results = await Promise.all(
    upTo(6).map((n) => pool.send(lane, connectTo(double.port), message(n, { gate: () => Promise.resolve(n !== 2) }))),
  )
  expect(results.map(({ kind }) => kind)).toEqual(upTo(6).map((n) => (n === 2 ? 'withheld' : 'accepted')))
  expect(numbersOf(double)).toEqual([0, 1, 3, 4, 5])
  expect(double.connectionCount).toBe(2)
})

test("a message without recipients doesn't delay others", async () => {
  const double = await start()
  const pool = open()
  const noRecipients = { envelope: { from: 'ada@example.com', to: [] } }
  const results = await Promise.all(
    upTo(5).map((n) => pool.send(lane, connectTo(double.port), message(n, n === 1 || n === 2 ? noRecipients : {}))),
  )
  expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'refused', 'refused', 'accepted', 'accepted'])
  expect(numbersOf(double)).toEqual([0, 3, 4])
})

test('a refused recipient behind another message is refused alone', async () => {
  const double = await start()
  double.faults = [{ stage: 'rcpt', only: 'p2@prospects.test', action: { code: 550, text: '5.1.1 unknown' } }]
  const pool = open()
  const results = await Promise.all(upTo(5).map((n) => pool.send(lane, connectTo(double.port), message(n))))
  expect(results[2]).toMatchObject({ kind: 'refused', stage: 'rcpt', code: 550 })
  expect(numbersOf(double)).toEqual([0, 1, 3, 4])
})

test('a connection ends after its number of messages, or with its version', async () => {
  const double = await start()
  const few = open({ connectionsMax: 1, messagesPerConnectionMax: 3, idleCloseMs: 60_000 })
  await Promise.all(upTo(9).map((n) => few.send(lane, connectTo(double.port), message(n))))
  expect(double.connectionCount).toBe(3)
  const pool = open()
  const old = upTo(3).map((n) => pool.send(lane, connectTo(double.port), message(n)))
  const newer = upTo(3).map((n) => pool.send({ ...lane, version: 2 }, connectTo(double.port), message(n)))
  await Promise.all([...old, ...newer])
  expect(double.connectionCount).toBe(5)
})

const stages: SmtpDoubleStage[] = ['mail', 'rcpt', 'data', 'body', 'end', 'answer']
const actions: SmtpFault['action'][] = [
  'stall',
  'drop',
  { code: 421, text: '4.3.2 closing' },
  { code: 451, text: '4.7.1 later' },
  { code: 550, text: '5.1.1 never' },
  { bytes: '250' },
  { bytes: '250 ok\r\n250 ok\r\n250 ok\r\n' },
  { bytes: 'garbage\r\n' },
]
// Timeouts for a silent server, but long enough for a busy one.
const shortMs = { ...patientMs, command: 1_500, body: 1_500, answer: 1_500 }

test.each(stages)(
  'after a fault at %s of one message, the server has each message as its result says',
  async (stage) => {
    await Promise.all(actions.flatMap((action) => [1, 3].map((at) => judge(stage, action, at))))
  },
)

/** Compares the results with the list of accepted messages that the double keeps. */
async function judge(stage: SmtpDoubleStage, action: SmtpFault['action'], at: number): Promise<void> {
  const double = await start()
  let seen = 0
  double.onStage = (entered) => {
    if (entered === stage && seen++ === at) double.faults = [{ stage, action, times: 1 }]
  }
  const pool = open()
  const connect = connectTo(double.port, action === 'stall' ? shortMs : patientMs)
  const results = await Promise.all(upTo(6).map((n) => pool.send(lane, connect, message(n))))
  const accepted = numbersOf(double)
  const details = JSON.stringify({ stage, action, at, results, accepted })
  expect(new Set(accepted).size, details).toBe(accepted.length)
  for (const [n, result] of results.entries()) expect(agrees(result, accepted.includes(n), stage), details).toBe(true)
  // The fault affects one message; those before and after it must be accepted.
  expect(results.filter(({ kind }) => kind !== 'accepted').length, details).toBeLessThanOrEqual(1)
}

function agrees(result: SmtpResult, wasAccepted: boolean, stage: SmtpDoubleStage): boolean {
  // A server that refuses a message and keeps it all the same can't be detected.
  if ((stage === 'answer' || stage === 'body') && result.kind === 'refused') return true
  if (result.kind === 'accepted') return wasAccepted || stage === 'end'
  return wasAccepted ? result.kind === 'dropped' && result.terminatorSent : true
}
