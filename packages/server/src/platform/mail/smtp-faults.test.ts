import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startSmtpDouble, type SmtpDoubleStage, type SmtpFault } from '@overture/testing/mail/smtp-double.server.ts'
import { loopback } from '@overture/testing/mail/reach.ts'
import type { MailSecurity } from './smtp-connect.client.ts'
import type { SmtpResult } from './smtp-result.ts'
import { openSmtpSession } from './smtp-session.client.ts'

// Every result is compared with the receiving server's own list of accepted messages.

const stages: SmtpDoubleStage[] = ['connect', 'auth', 'mail', 'rcpt', 'data', 'body', 'end', 'answer']
const actions: SmtpFault['action'][] = [
  'stall',
  'drop',
  { code: 250, text: 'ok' },
  { code: 421, text: '4.3.2 closing' },
  { code: 451, text: '4.7.1 later' },
  { code: 550, text: '5.1.1 never' },
  { bytes: '250' },
  { bytes: '250 ok\r\n250 ok\r\n250 ok\r\n' },
  { bytes: 'garbage\r\n' },
]
const raw = Buffer.from(`Message-ID: <judged@example.com>\r\n\r\n${'A line of text.\r\n'.repeat(20_000)}`)
const timeoutsMs = { connect: 500, auth: 500, command: 500, body: 500, answer: 500 }
const answerAloneMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 500 }
const sockets = new Set<Socket>()
let raws: Server[] = []

afterEach(async () => {
  sockets.forEach((socket) => socket.destroy())
  await Promise.all(raws.map((server) => new Promise((resolve) => server.close(resolve))))
  raws = []
})

async function send(
  port: number,
  security: MailSecurity = 'none',
  { gate = true, waits = timeoutsMs } = {},
): Promise<SmtpResult> {
  const auth = { kind: 'password' as const, username: 'ada', password: 'secret' }
  const opened = await openSmtpSession({
    host: '127.0.0.1',
    port,
    security,
    auth,
    timeoutsMs: waits,
    reach: loopback,
  })
  if (opened.kind !== 'open') return opened
  const envelope = { from: 'ada@example.com', to: ['bob@prospects.test'] }
  const result = await opened.session.send({ envelope, raw, gate: () => Promise.resolve(gate) })
  await opened.session.close()
  return result
}

test.each(stages)('after a fault at %s no result contradicts what the server accepted', async (stage) => {
  const cases = actions.flatMap((action) =>
    [true, false].flatMap((pipelining) => [true, false].map((gate) => ({ action, pipelining, gate }))),
  )
  await Promise.all(cases.map((one) => judge({ stage, ...one })))
})

interface Case {
  stage: SmtpDoubleStage
  action: SmtpFault['action']
  pipelining: boolean
  gate: boolean
}

async function judge({ stage, action, pipelining, gate }: Case): Promise<void> {
  const double = await startSmtpDouble({ users: { ada: 'secret' }, pipelining })
  double.faults = [{ stage, action }]
  const result = await send(double.port, 'none', { gate })
  const accepted = double.accepted.length
  await double.stop()
  const seen = JSON.stringify({ stage, action, pipelining, gate, result, accepted })
  const admits =
    result.kind === 'accepted' || (result.kind === 'dropped' && result.terminatorSent) || isLie(stage, action)
  if (accepted > 0) expect(gate && admits, seen).toBe(true)
  if (result.kind === 'accepted') expect(gate, seen).toBe(true)
  if (result.kind === 'accepted' && typeof action === 'string') expect(accepted, seen).toBe(1)
  if (result.kind === 'dropped' && result.terminatorSent) expect(result.gatePassed, seen).toBe(true)
}

/** A server that refuses in the middle, or after it kept the message, and keeps it all the same. No client can detect this. */
function isLie(stage: SmtpDoubleStage, action: SmtpFault['action']): boolean {
  return (stage === 'answer' || stage === 'body') && typeof action === 'object'
}

async function rawServer(talk: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  })
  raws.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test.each<[string, MailSecurity, (socket: Socket) => void]>([
  ['says nothing', 'none', () => {}],
  ['says nothing instead of TLS', 'tls', () => {}],
  ['says nonsense', 'none', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['sends plain text instead of TLS', 'tls', (socket) => socket.write('220 hello\r\n')],
  ['never ends its greeting', 'none', (socket) => drip(socket, '220-again\r\n')],
  ['never ends a line', 'none', (socket) => drip(socket, 'x')],
  ['floods', 'none', (socket) => socket.write('x'.repeat(3_000_000))],
  ['closes at once', 'none', (socket) => socket.end()],
  [
    'promises STARTTLS and closes',
    'starttls',
    (socket) => {
      socket.write('220 hello\r\n')
      socket.on('data', (data) =>
        data.toString().startsWith('EHLO') ? socket.write('250-x\r\n250 STARTTLS\r\n') : socket.end('220 go\r\n'),
      )
    },
  ],
])('a server that %s times out', async (_name, security, talk) => {
  const result = await send(await rawServer(talk), security)
  expect(result).toMatchObject({ kind: 'dropped', stage: 'connect', gatePassed: false, terminatorSent: false })
})

test('a reply that never ends after the end of the message is uncertain after a timeout', async () => {
  const port = await rawServer((socket) => {
    let body = false
    socket.write('220 hello\r\n')
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      if (body) return text.endsWith('\r\n.\r\n') ? drip(socket, '250-soon\r\n') : undefined
      if (text.startsWith('EHLO')) socket.write('250-x\r\n250 AUTH PLAIN\r\n')
      else if (text.startsWith('AUTH')) socket.write('235 ok\r\n')
      else if (text.startsWith('DATA')) socket.write(((body = true), '354 go\r\n'))
      else socket.write('250 ok\r\n')
    })
  })
  expect(await send(port, 'none', { waits: answerAloneMs })).toMatchObject({
    kind: 'dropped',
    stage: 'end',
    reason: 'timeout',
    gatePassed: true,
    terminatorSent: true,
  })
})

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 10)
  socket.once('close', () => clearInterval(timer))
}
