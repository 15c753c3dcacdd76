import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { createNamesDouble } from '@overture/testing/mail/names-double.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { postWebhook } from '../../webhooks/post.client.ts'
import { openMailbox } from './imap-session.client.ts'
import type { Reach } from './network-guard.client.ts'
import { openSmtpSession } from './smtp-session.client.ts'

const user = 'ada@example.com'
const auth = { kind: 'password', username: user, password: 'secret' } as const
const host = 'several.test'
const alive = '127.0.0.1'
/** Addresses where no server listens, or where a server hangs up. */
const others = ['127.0.0.2', '127.0.0.3', '::1']
const patientMs = 30_000
const timeoutsMs = { connect: patientMs, auth: patientMs, command: patientMs, body: patientMs, answer: patientMs }

const names = createNamesDouble()
const reach: Reach = { names, accountId: 'acc_test', allowPrivate: true }
const stops: (() => Promise<unknown>)[] = []
let smtp: SmtpDouble
let smtpTls: SmtpDouble
let imap: ImapDouble
let receiver: Server

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { [user]: 'secret' } })
  smtpTls = await startSmtpDouble({ users: { [user]: 'secret' }, security: 'tls' })
  imap = await startImapDouble({ users: { [user]: 'secret' } })
  receiver = createHttpServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, alive, resolve))
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(async () => {
  await Promise.all([smtp.stop(), smtpTls.stop(), imap.stop()])
  receiver.closeAllConnections()
  receiver.close()
})

/** Each `speak` returns a word that says whether a server replied at that port. */
const conversations: Record<string, { port: () => number; speak: () => Promise<string> }> = {
  SMTP: { port: () => smtp.port, speak: () => speakSmtp(smtp.port, 'none') },
  'SMTP over TLS': { port: () => smtpTls.port, speak: () => speakSmtp(smtpTls.port, 'tls') },
  IMAP: {
    port: () => imap.port,
    async speak() {
      const opened = await openMailbox({
        host,
        port: imap.port,
        security: 'none',
        auth,
        connectTimeoutMs: patientMs,
        reach,
      })
      if (opened.kind === 'open') await opened.mailbox.close()
      return opened.kind
    },
  },
  'a webhook': {
    port: () => (receiver.address() as AddressInfo).port,
    async speak() {
      const url = `http://${host}:${(receiver.address() as AddressInfo).port}/`
      const result = await postWebhook({ url, headers: {}, body: '{}', reach }, patientMs)
      return result.kind === 'answered' ? 'open' : result.kind
    },
  },
}

async function speakSmtp(port: number, security: 'none' | 'tls'): Promise<string> {
  const opened = await openSmtpSession({ host, port, security, auth, timeoutsMs, reach })
  if (opened.kind === 'open') await opened.session.close()
  return opened.kind
}

/** Accepts connections at this address and hangs up. */
async function hangUpAt(address: string, port: number): Promise<void> {
  const server = createServer((socket: Socket) => socket.on('error', () => {}).destroy())
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve))
  stops.push(() => new Promise((resolve) => server.close(resolve)))
}

test.each(Object.keys(conversations))('%s uses whichever address of the name accepts the connection', async (name) => {
  const { speak } = conversations[name]!
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(others), fc.nat(3), async (dead, at) => {
      names.answers.set(host, [dead.toSpliced(Math.min(at, dead.length), 0, alive)])
      expect(await speak()).toBe('open')
      names.answers.set(host, [dead.length === 0 ? ['127.0.0.2'] : dead])
      expect(await speak()).not.toBe('open')
    }),
    { numRuns: 12 },
  )
})

test.each(['SMTP', 'SMTP over TLS', 'IMAP'])('%s: an address that closes the connection is skipped', async (name) => {
  const { speak, port } = conversations[name]!
  await hangUpAt('127.0.0.2', port())
  names.answers.set(host, [['127.0.0.2', alive]])
  expect(await speak()).toBe('open')
})

test('a refusal is a reply, so no other address is tried', async () => {
  const refusing = await startSmtpDouble({ port: 0 })
  stops.push(() => refusing.stop())
  refusing.faults = [{ stage: 'connect', action: { code: 554, text: '5.7.1 not you' } }]
  names.answers.set(host, [[alive, '127.0.0.2']])
  expect(await openSmtpSession({ host, port: refusing.port, security: 'none', auth, timeoutsMs, reach })).toMatchObject(
    {
      kind: 'refused',
      code: 554,
    },
  )
  expect(refusing.connectionCount).toBe(1)
})

test('addresses without a greeting end after the total time', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, alive, resolve))
  const { port } = silent.address() as AddressInfo
  stops.push(() => new Promise((resolve) => silent.close(resolve)))
  names.answers.set(host, [[alive, alive, alive]])
  const short = { ...timeoutsMs, connect: 300 }
  expect(await openSmtpSession({ host, port, security: 'none', auth, timeoutsMs: short, reach })).toMatchObject({
    kind: 'dropped',
    reason: 'timeout',
  })
})
