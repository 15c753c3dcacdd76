import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSmtpDouble, type SmtpDouble, type SmtpDoubleStage } from '@overture/testing/mail/smtp-double.server.ts'
import { loopback } from '@overture/testing/mail/reach.ts'
import { foreignTextLengthMax } from '@overture/ground/text/foreign-text.ts'
import { openMailbox, type OpenedMailbox } from './imap-session.client.ts'
import { openSmtpSession } from './smtp-session.client.ts'
import type { SmtpResult } from './smtp-result.ts'

const user = 'ada@example.com'
const stages: SmtpDoubleStage[] = ['connect', 'auth', 'mail', 'rcpt', 'data', 'body', 'end', 'answer']
const timeoutsMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }

/** Lines that a hostile server may send: any bytes, and text with surrogate pairs of a length around the limit. */
const serverText = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13))),
  fc
    .tuple(fc.integer({ min: 980, max: 1_010 }), fc.constantFrom('😀', '\0', 'é', '\u001b[31m', '\u0085'))
    .map(([length, end]) => Buffer.from('x'.repeat(length) + end.repeat(30))),
)

let smtp: SmtpDouble
let imap: Server
let imapAnswer: Buffer = Buffer.alloc(0)

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { [user]: 'secret' } })
  imap = createServer(refuseLogin)
  await new Promise<void>((resolve) => imap.listen(0, '127.0.0.1', resolve))
})
afterEach(() => void (smtp.faults = []))
afterAll(async () => {
  await smtp.stop()
  imap.close()
})

/** Greets, then replies to the login with the chosen bytes. */
function refuseLogin(socket: Socket): void {
  socket.on('error', () => {})
  socket.write('* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN] ready\r\n')
  socket.on('data', (chunk) => {
    const tag = chunk.toString('latin1').split(' ', 1)[0]
    socket.end(Buffer.concat([Buffer.from(`${tag} NO [AUTHENTICATIONFAILED] `), imapAnswer, Buffer.from('\r\n')]))
  })
}

async function sendOnce(): Promise<SmtpResult> {
  const opened = await openSmtpSession({
    host: '127.0.0.1',
    port: smtp.port,
    security: 'none',
    auth: { kind: 'password', username: user, password: 'secret' },
    timeoutsMs,
    reach: loopback,
  })
  if (opened.kind !== 'open') return opened
  const envelope = { from: user, to: ['bob@prospects.test', 'eve@prospects.test'] }
  const result = await opened.session.send({
    envelope,
    raw: Buffer.from('Subject: Hello\r\n\r\nHello'),
    gate: () => Promise.resolve(true),
  })
  await opened.session.close()
  return result
}

/** Every string in a result, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

function expectStorable(result: SmtpResult | OpenedMailbox): void {
  for (const text of textsIn(result)) {
    expect(text.isWellFormed()).toBe(true)
    expect(text.replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
    expect(text.length).toBeLessThanOrEqual(foreignTextLengthMax)
  }
}

test('text of a mail server at any stage is cleaned and shortened', async () => {
  const code = fc.constantFrom('250 2.0.0', '250', '421 4.3.0', '550 5.1.1', '554', '235', '354', '99', '')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...stages), code, serverText, async (stage, begins, words) => {
      smtp.faults = [
        { stage, times: 1, action: { bytes: Buffer.concat([Buffer.from(`${begins} `), words, Buffer.from('\r\n')]) } },
      ]
      expectStorable(await sendOnce())
    }),
    { numRuns: 80 },
  )
})

test('an acceptance with a NUL character is an acceptance without it', async () => {
  smtp.faults = [{ stage: 'answer', action: { bytes: '250 2.0.0 ok \0 queued\r\n' } }]
  expect(await sendOnce()).toMatchObject({ kind: 'accepted', answer: '250 2.0.0 ok  queued' })
})

test('the refusal of one recipient of several is cleaned too', async () => {
  await fc.assert(
    fc.asyncProperty(serverText, async (words) => {
      const text = words.toString('latin1')
      smtp.faults = [{ stage: 'rcpt', only: 'eve@prospects.test', action: { code: 550, text: `5.1.1 no ${text}` } }]
      const result = await sendOnce()
      expect(result).toMatchObject({
        kind: 'accepted',
        refusedRecipients: [{ recipient: 'eve@prospects.test', code: 550 }],
      })
      expectStorable(result)
    }),
    { numRuns: 40 },
  )
})

test("a mailbox's refused login has a cleaned text", async () => {
  await fc.assert(
    fc.asyncProperty(serverText, async (words) => {
      imapAnswer = words
      const opened = await openMailbox({
        host: '127.0.0.1',
        port: (imap.address() as AddressInfo).port,
        security: 'none',
        auth: { kind: 'password', username: user, password: 'wrong' },
        connectTimeoutMs: 30_000,
        reach: loopback,
      })
      expect(opened.kind).not.toBe('open')
      expectStorable(opened)
    }),
    { numRuns: 60 },
  )
})
