import fc from 'fast-check'
import DataStream from 'nodemailer/lib/smtp-connection/data-stream'
import { expect, test, vi } from 'vitest'
import { loopback } from '@overture/testing/mail/reach.ts'
import {
  startScriptedSmtp,
  type ScriptedAnswer,
  type ScriptedSmtp,
  type ScriptedVerb,
  type SmtpScript,
} from '@overture/testing/mail/scripted-smtp.server.ts'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { AnswerReader, answerBytesMax, parseExtensions } from './smtp-answers.ts'
import { encodeBody } from './smtp-body.ts'
import { openSmtpConnection } from './smtp-connect.client.ts'
import type { SmtpResult } from './smtp-result.ts'
import { openSmtpSession, type SmtpSession } from './smtp-session.client.ts'

// A test sends hundreds of messages to a hostile server.
vi.setConfig({ testTimeout: 300_000 })

const patientMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }

async function open(port: number, timeoutsMs = patientMs): Promise<SmtpSession> {
  const options = { host: '127.0.0.1', port, security: 'none' as const, auth: null }
  const opened = await openSmtpSession({ ...options, timeoutsMs, reach: loopback })
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened))
  return opened.session
}

interface SentMessage {
  result: SmtpResult
  gates: number
}

async function send(session: SmtpSession, name: string, { to = 1, passes = true } = {}): Promise<SentMessage> {
  let gates = 0
  const result = await session.send({
    envelope: { from: 'ada@example.com', to: Array.from({ length: to }, (_, at) => `p${at}@prospects.test`) },
    raw: Buffer.from(`Message-ID: <${name}@example.com>\r\n\r\n.dot\r\n`),
    gate() {
      gates++
      return Promise.resolve(passes)
    },
  })
  return { result, gates }
}

async function withServer<Value>(script: SmtpScript, run: (server: ScriptedSmtp) => Promise<Value>): Promise<Value> {
  const server = await startScriptedSmtp(script)
  try {
    return await run(server)
  } finally {
    await server.stop()
  }
}

const manner = fc.record({
  pipelining: fc.boolean(),
  pieceBytes: fc.constantFrom(1, 2, 3, 7, 1_000),
  linesBefore: fc.constantFrom(0, 1, 3),
})

/** Wrong replies of a server: too much, too little, out of order, at the wrong moment. */
const wrong = fc.constantFrom(
  '250 fine\r\n250 fine\r\n',
  '250 fine\r\n354 go on\r\n',
  '354 go on\r\n',
  '354 go on\r\n250 taken\r\n',
  '250 fine\r\n250 fine\r\n354 go on\r\n250 taken\r\n250 taken\r\n',
  '421 4.3.2 closing\r\n',
  '451 4.7.1 later\r\n',
  '550 5.1.1 never\r\n',
  '550-5.1.1 never\r\n550 5.1.1 ever\r\n',
  '250 fine\r\n421 4.3.2 closing\r\n',
  'hello\r\n',
  '\r\n\r\n250 fine\r\n',
  '999 \r\n',
  '25',
  'x'.repeat(answerBytesMax + 1),
  '250-more\r\n'.repeat(answerBytesMax / 8),
)

const verbs = fc.constantFrom<ScriptedVerb>('MAIL', 'RCPT', 'DATA', 'END', 'RSET')

const answer: fc.Arbitrary<ScriptedAnswer> = fc.record({
  verb: verbs,
  at: fc.nat(3),
  says: wrong,
  // A text that is not a reply makes the client wait if the connection stays open.
  closes: fc.constant(true),
})

/** Compares the results with what the server has read; each message has its own name. */
function judge(
  server: ScriptedSmtp,
  of: { sent: readonly SentMessage[]; passes: readonly boolean[]; honest: boolean },
): void {
  const seen = JSON.stringify({ ...of, ended: server.ended, commands: server.commands })
  for (const [index, { result, gates }] of of.sent.entries()) {
    const ends = server.ended.filter((body) => body.includes(`<m${index}@`)).length
    expect(gates, seen).toBeLessThanOrEqual(1)
    if (gates === 0 || of.passes[index] !== true) {
      expect(ends, seen).toBe(0)
      expect(['refused', 'dropped', 'withheld'], seen).toContain(result.kind)
    }
    if (result.kind === 'dropped') expect(result.terminatorSent && !result.gatePassed, seen).toBe(false)
    if (result.kind === 'dropped' && !result.terminatorSent) expect(ends, seen).toBe(0)
    // A server that sends more replies than requested may accept a message without having read it.
    if (result.kind === 'accepted' && of.honest) expect(ends, seen).toBe(1)
  }
  // If the server did not expect a body, it read the end of the body as a command.
  const ends = server.ended.length + server.commands.filter((line) => line === '.').length
  const gated = of.sent.filter(({ gates }, index) => gates === 1 && of.passes[index] === true).length
  expect(ends, seen).toBeLessThanOrEqual(gated)
}

function saysMore({ says }: ScriptedAnswer): boolean {
  return says.split('\r\n').filter((line) => /^\d{3} /.test(line)).length > 1
}

test('replies in pieces, in many lines or before their commands are understood', async () => {
  await fc.assert(
    fc.asyncProperty(manner, fc.boolean(), fc.integer({ min: 1, max: 4 }), async (how, hastens, count) => {
      await withServer({ ...how, hastens: hastens && how.pipelining }, async (server) => {
        const session = await open(server.port)
        for (let index = 0; index < count; index++) {
          const { result, gates } = await send(session, `m${index}`)
          expect([result.kind, gates]).toEqual(['accepted', 1])
        }
        await session.close()
        expect(server.accepted.map((body) => /<m(\d)@/.exec(body)?.[1])).toEqual(
          Array.from({ length: count }, (_, index) => String(index)),
        )
      })
    }),
    { numRuns: 40 },
  )
})

test('whatever a server replies, only the gate ends a message, and results match what was read', async () => {
  await fc.assert(
    fc.asyncProperty(
      manner,
      fc.array(answer, { minLength: 1, maxLength: 3 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      async (how, answers, passes) => {
        await withServer({ ...how, answers }, async (server) => {
          let session = await open(server.port)
          const sent: SentMessage[] = []
          for (const [index, pass] of passes.entries()) {
            if (!session.usable) session = await open(server.port)
            sent.push(await send(session, `m${index}`, { to: 2, passes: pass }))
          }
          await session.close()
          judge(server, { sent, passes, honest: !answers.some(saysMore) })
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('refused recipients are named, and the message is sent to the others', async () => {
  const codes = fc.array(fc.constantFrom(250, 251, 450, 550, 553), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(manner, codes, async (how, said) => {
      const answers = said.map((code, at) => ({ verb: 'RCPT' as const, at, says: `${code} 2.1.5 said\r\n` }))
      await withServer({ ...how, answers }, async (server) => {
        const session = await open(server.port)
        const { result, gates } = await send(session, 'm0', { to: said.length })
        const refused = said.flatMap((code, at) => (code >= 400 ? [`p${at}@prospects.test`] : []))
        if (refused.length < said.length) {
          expect(result).toMatchObject({
            kind: 'accepted',
            refusedRecipients: refused.map((recipient) => ({ recipient })),
          })
          expect(server.accepted).toHaveLength(1)
        } else {
          // A refusal that allows a retry represents all refusals.
          const code = said.find((one) => one < 500) ?? said.at(-1)
          expect([result, gates]).toMatchObject([{ kind: 'refused', stage: 'rcpt', code }, 0])
          expect(server.ended).toEqual([])
          expect(server.commands).not.toContain('.')
        }
        await session.close()
      })
    }),
    { numRuns: 60 },
  )
})

test('MAIL, RCPT and DATA are sent together only if the server offers PIPELINING', async () => {
  // The server replies only after it has read all three.
  await withServer({ pipelining: true, waits: true }, async (server) => {
    const session = await open(server.port)
    for (const name of ['m0', 'm1']) expect((await send(session, name, { to: 3 })).result.kind).toBe('accepted')
    await session.close()
  })
  await withServer({ pipelining: false, waits: true }, async (server) => {
    const session = await open(server.port, { ...patientMs, command: 300 })
    const { result } = await send(session, 'm0', { to: 3 })
    expect(result).toMatchObject({ kind: 'dropped', stage: 'mail', reason: 'timeout' })
    expect(server.commands.filter((line) => /^(?:RCPT|DATA)/.test(line))).toEqual([])
  })
})

test('replies are the same in any pieces, and limited in size', () => {
  const line = fc.stringMatching(/^[0-9]{3}[ -][a-z ]{0,20}$/)
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.array(fc.nat(6), { minLength: 1 }),
      fc.boolean(),
      (lines, sizes, crlf) => {
        const text = lines.map((one) => `${one}${crlf ? '\r\n' : '\n'}`).join('')
        const [whole, pieces] = [[] as string[], [] as string[]]
        new AnswerReader().feed(Buffer.from(text), (said) => whole.push(said))
        const reader = new AnswerReader()
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0)
          reader.feed(Buffer.from(text.slice(at, at + size)), (said) => pieces.push(said))
          at += size
        }
        expect(pieces).toEqual(whole)
        expect(whole).toHaveLength(lines.filter((one) => one[3] === ' ').length)
      },
    ),
  )
  const endless = new AnswerReader()
  const bytes = Buffer.from('250-more\r\n'.repeat(100))
  let fed = 0
  while (endless.feed(bytes, () => expect.unreachable())) fed += bytes.length
  // Line ends are not kept as they arrive.
  expect(fed).toBeLessThan(answerBytesMax * 1.2)
})

test("a body is written exactly like nodemailer's stream, and its end is a line of its own", async () => {
  const bytes = fc.array(fc.constantFrom(13, 10, 46, 97, 0, 233), { maxLength: 60 }).map((list) => Buffer.from(list))
  await fc.assert(
    fc.asyncProperty(bytes, async (raw) => {
      const stream = new DataStream()
      stream.end(raw)
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const body = encodeBody(raw)
      expect(Buffer.concat([body.bytes, body.terminator])).toEqual(Buffer.concat(chunks))
      expect(body.eightBit).toBe(raw.some((byte) => byte > 127))
    }),
    { numRuns: 500 },
  )
})

test("extensions are read from the EHLO reply, without the server's name", () => {
  expect(parseExtensions('250-PIPELINING.example\n250-SIZE 1000\n250-8bitmime\n250 PIPELINING')).toEqual({
    pipelining: true,
    eightBitMime: true,
    smtpUtf8: false,
    sizeMax: 1_000,
  })
  expect(parseExtensions('250 PIPELINING 8BITMIME')).toMatchObject({
    pipelining: false,
    eightBitMime: false,
    sizeMax: null,
  })
})

test('no listener of the login client is left on the connection', async () => {
  for (const security of ['none', 'starttls', 'tls'] as const) {
    const double = await startSmtpDouble({ security, users: { ada: 'secret' } })
    const auth = { kind: 'password' as const, username: 'ada', password: 'secret' }
    const opened = await openSmtpConnection({
      host: '127.0.0.1',
      port: double.port,
      security,
      auth,
      timeoutsMs: patientMs,
      reach: loopback,
    })
    if (opened.kind !== 'open') throw new Error(JSON.stringify(opened))
    // Exactly one listener reads. A second one would be nodemailer's, and it would reply to output that it did not request.
    expect(opened.wire.readers).toBe(1)
    opened.wire.discard()
    await double.stop()
  }
})
