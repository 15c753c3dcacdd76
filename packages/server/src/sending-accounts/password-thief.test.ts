import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from './index.ts'

// A test makes hundreds of changes with connections to mail servers.
vi.setConfig({ testTimeout: 300_000 })

const user = 'ada@example.com'
const path = '/v2/sending-accounts'

let server: TestServer
let smtp: SmtpDouble
let imap: ImapDouble
let smtpThief: Thief
let imapThief: Thief

interface Thief {
  server: Server
  port: number
  /** Everything that it received, with every base64 word also decoded. */
  heard: string
}

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { [user]: 'the stored secret' } })
  imap = await startImapDouble({ users: { [user]: 'the stored secret' } })
  smtpThief = await startThief('220 hello\r\n', (line) => {
    if (/^EHLO/i.test(line)) return '250-thief\r\n250 AUTH PLAIN LOGIN\r\n'
    return /^AUTH/i.test(line) ? '235 thanks\r\n' : '250 ok\r\n'
  })
  imapThief = await startThief(
    '* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] hello\r\n',
    (line) => `${line.split(' ')[0]} OK\r\n`,
  )
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
})
afterAll(async () => {
  await Promise.all([server.stop(), smtp.stop(), imap.stop()])
  for (const thief of [smtpThief, imapThief]) thief.server.close()
})

async function startThief(greeting: string, answer: (line: string) => string): Promise<Thief> {
  const sockets = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.write(greeting)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
        const words = line.split(' ').map((word) => Buffer.from(word, 'base64').toString('latin1'))
        thief.heard += `${line}\n${words.join(' ')}\n`
        socket.write(answer(line))
      }
    })
  })
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  const thief: Thief = { server: sockets, port: (sockets.address() as AddressInfo).port, heard: '' }
  return thief
}

/** Moves one side of the account to the thief, partly or completely, with or without a password that the caller knows. */
const moved = (port: () => number) =>
  fc
    .record(
      {
        port: fc.constant(true),
        host: fc.constantFrom('127.0.0.1', 'localhost'),
        security: fc.constantFrom('none', 'starttls'),
        username: fc.constantFrom(user, 'thief@example.com', null),
        password: fc.constant('a guess'),
      },
      { requiredKeys: [] },
    )
    .map(({ port: moves, ...fields }) => ({ ...fields, ...(moves === true ? { port: port() } : {}) }))

test('no accepted change sends the stored password to another server', async () => {
  const change = fc.record(
    { smtp: moved(() => smtpThief.port), imap: fc.option(moved(() => imapThief.port)) },
    { requiredKeys: [] },
  )
  const key = server.keys.live
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(change, { minLength: 1, maxLength: 3 }), async (ownPassword, changes) => {
      const made = await server.call('POST', path, {
        key,
        body: {
          email: user,
          smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: user, password: 'the stored secret' },
          imap: {
            host: '127.0.0.1',
            port: imap.port,
            security: 'none',
            username: user,
            ...(ownPassword ? { password: 'the stored secret' } : {}),
          },
        },
      })
      expect(made.status, made.text).toBe(201)
      for (const body of changes) {
        const answer = await server.call('PUT', `${path}/${made.body.id}`, { key, body })
        if (answer.status === 200) taken++
        else expect(answer.body.error.code).toBe('VALIDATION_ERROR')
        await server.call('POST', `${path}/${made.body.id}/verify`, { key })
      }
      expect(smtpThief.heard + imapThief.heard).not.toContain('the stored secret')
      await server.call('DELETE', `${path}/${made.body.id}`, { key })
    }),
    { numRuns: 40 },
  )
  // The thief was contacted, and got only passwords that the caller knew.
  expect(taken).toBeGreaterThan(0)
  expect(smtpThief.heard + imapThief.heard).toContain('a guess')
}, 180_000)

test('the refusal names the password field of each side that moves', async () => {
  const key = server.keys.live
  const at = { host: '127.0.0.1', security: 'none', username: user, password: 'the stored secret' }
  const made = await server.call('POST', path, {
    key,
    body: { email: user, smtp: { ...at, port: smtp.port }, imap: { ...at, port: imap.port } },
  })
  const answer = await server.call('PUT', `${path}/${made.body.id}`, {
    key,
    body: { smtp: { port: smtpThief.port }, imap: { username: 'thief@example.com' } },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'smtp.password',
    'imap.password',
  ])
  const shown = await server.call('GET', `${path}/${made.body.id}`, { key })
  expect((await server.call('PUT', `${path}/${made.body.id}`, { key, body: shown.body })).status).toBe(200)
})
