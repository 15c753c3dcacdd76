import { afterEach, expect, test } from 'vitest'
import {
  startSmtpDouble,
  type SmtpDouble,
  type SmtpDoubleOptions,
  type SmtpFault,
} from '@overture/testing/mail/smtp-double.server.ts'
import { loopback, publicOnly } from '@overture/testing/mail/reach.ts'
import type { MailAuth, SmtpConnectOptions } from './smtp-connect.client.ts'
import { createSmtpPool } from './smtp-pool.client.ts'
import { openSmtpSession, type SmtpMessage } from './smtp-session.client.ts'
import type { SmtpPoint, SmtpResult } from './smtp-result.ts'

const doubles: SmtpDouble[] = []
// Long, so that a busy machine changes no result; the tests of silence shorten the timeout that they test.
const patientMs = { connect: 30_000, auth: 30_000, command: 30_000, body: 30_000, answer: 30_000 }
const silenceMs = 400
const auth: MailAuth = { kind: 'password', username: 'ada@example.com', password: 'secret' }

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.stop()))
})

async function start(options: SmtpDoubleOptions = {}, ...faults: SmtpFault[]): Promise<SmtpDouble> {
  const double = await startSmtpDouble({ users: { 'ada@example.com': 'secret' }, ...options })
  double.faults = faults
  doubles.push(double)
  return double
}

function target(double: SmtpDouble, changes: Partial<SmtpConnectOptions> = {}): SmtpConnectOptions {
  return {
    host: '127.0.0.1',
    port: double.port,
    security: 'none',
    auth,
    timeoutsMs: patientMs,
    reach: loopback,
    ...changes,
  }
}

function message(changes: Partial<SmtpMessage> = {}): SmtpMessage {
  return {
    envelope: { from: 'ada@example.com', to: ['bob@prospects.test'] },
    raw: Buffer.from('Message-ID: <one@example.com>\r\nSubject: Hello\r\n\r\n.dot\r\nbare\nline'),
    gate: () => Promise.resolve(true),
    ...changes,
  }
}

async function sendOnce(
  double: SmtpDouble,
  changes: Partial<SmtpMessage> = {},
  options: Partial<SmtpConnectOptions> = {},
): Promise<SmtpResult> {
  const opened = await openSmtpSession(target(double, options))
  if (opened.kind !== 'open') return opened
  try {
    return await opened.session.send(message(changes))
  } finally {
    await opened.session.close()
  }
}

test.each(['none', 'starttls', 'tls'] as const)('a message is accepted completely over %s', async (security) => {
  const double = await start({ security })
  const result = await sendOnce(double, {}, { security })
  expect(result).toMatchObject({ kind: 'accepted', refusedRecipients: [] })
  expect(double.accepted).toHaveLength(1)
  expect(double.accepted[0]).toMatchObject({
    from: 'ada@example.com',
    to: ['bob@prospects.test'],
    messageId: '<one@example.com>',
    secure: security !== 'none',
    user: 'ada@example.com',
  })
  expect(double.accepted[0]?.raw.toString()).toBe(
    'Message-ID: <one@example.com>\r\nSubject: Hello\r\n\r\n.dot\r\nbare\r\nline\r\n',
  )
})

test('an access token logs in, a wrong one is refused at auth', async () => {
  const double = await start({ security: 'starttls', tokens: { 'ada@example.com': 'token' } })
  const right: MailAuth = { kind: 'xoauth2', username: 'ada@example.com', accessToken: 'token' }
  expect(await sendOnce(double, {}, { security: 'starttls', auth: right })).toMatchObject({ kind: 'accepted' })
  const wrong = await sendOnce(double, {}, { security: 'starttls', auth: { ...right, accessToken: 'old' } })
  expect(wrong).toMatchObject({ kind: 'refused', stage: 'auth', code: 535 })
})

test('a wrong password is refused at auth', async () => {
  const double = await start()
  const result = await sendOnce(double, {}, { auth: { ...auth, password: 'wrong' } as MailAuth })
  expect(result).toMatchObject({ kind: 'refused', stage: 'auth', code: 535, status: '5.7.8' })
})

test('a closed gate withholds the end of the message', async () => {
  const double = await start()
  expect(await sendOnce(double, { gate: () => Promise.resolve(false) })).toEqual({
    kind: 'withheld',
    reason: 'The gate is closed.',
  })
  const error = new Error('database gone')
  expect(await sendOnce(double, { gate: () => Promise.reject(error) })).toEqual({
    kind: 'withheld',
    reason: error.message,
  })
  expect(double.bodiesBegun).toBe(2)
  expect(double.accepted).toEqual([])
})

test.each(['connect', 'auth', 'mail', 'rcpt', 'data'] as const)(
  'a stall at %s is a drop before the gate',
  async (stage) => {
    const double = await start({}, { stage, action: 'stall' })
    let gateAsked = false
    const waits = stage === 'connect' || stage === 'auth' ? stage : 'command'
    const timeoutsMs = { ...patientMs, [waits]: silenceMs }
    const result = await sendOnce(double, { gate: () => Promise.resolve((gateAsked = true)) }, { timeoutsMs })
    expect(result).toMatchObject({
      kind: 'dropped',
      stage: stage === 'connect' || stage === 'auth' ? stage : 'mail',
      reason: 'timeout',
      gatePassed: false,
      terminatorSent: false,
    })
    expect(gateAsked).toBe(false)
  },
)

test.each(['connect', 'auth', 'mail', 'rcpt', 'data'] as const)('a drop at %s is before the gate', async (stage) => {
  const double = await start({}, { stage, action: 'drop' })
  let gateAsked = false
  const result = await sendOnce(double, { gate: () => Promise.resolve((gateAsked = true)) })
  expect(result).toMatchObject({
    kind: 'dropped',
    stage: stage === 'connect' || stage === 'auth' ? stage : 'mail',
    gatePassed: false,
    terminatorSent: false,
  })
  expect(gateAsked).toBe(false)
})

test.each([true, false])('a refusal has its stage and codes (pipelining %s)', async (pipelining) => {
  for (const stage of ['connect', 'mail', 'rcpt', 'data', 'end'] as const) {
    const double = await start({ pipelining }, { stage, action: { code: 550, text: '5.1.1 no such user' } })
    const result = await sendOnce(double)
    expect(result).toMatchObject({ kind: 'refused', stage, code: 550 })
    if (stage !== 'connect' && result.kind === 'refused') expect(result.status).toBe('5.1.1')
    expect(double.accepted).toEqual([])
  }
})

test("one refused recipient of two doesn't affect the other", async () => {
  const double = await start(
    {},
    { stage: 'rcpt', action: { code: 550, text: '5.1.1 unknown' }, only: 'bob@prospects.test' },
  )
  const result = await sendOnce(double, {
    envelope: { from: 'ada@example.com', to: ['bob@prospects.test', 'eve@prospects.test'] },
  })
  expect(result).toMatchObject({
    kind: 'accepted',
    refusedRecipients: [{ recipient: 'bob@prospects.test', code: 550, status: '5.1.1' }],
  })
  expect(double.accepted[0]?.to).toEqual(['eve@prospects.test'])
})

test.each(['end', 'answer'] as const)('silence after the end of the message is uncertain (%s)', async (stage) => {
  for (const action of ['stall', 'drop'] as const) {
    const double = await start({}, { stage, action })
    const result = await sendOnce(double, {}, { timeoutsMs: { ...patientMs, answer: silenceMs } })
    expect(result).toMatchObject({ kind: 'dropped', stage: 'end', gatePassed: true, terminatorSent: true })
    expect(double.accepted).toHaveLength(stage === 'answer' ? 1 : 0)
  }
})

test.each(['25', '2', '55', '550 5.1', '354 go on\r\n', 'hello\r\n'])(
  'an incomplete or invalid reply (%j) after the end is uncertain',
  async (bytes) => {
    const double = await start({}, { stage: 'answer', action: { bytes } })
    expect(await sendOnce(double)).toMatchObject({ kind: 'dropped', gatePassed: true, terminatorSent: true })
  },
)

test('a 421 after the end of the message is a definite refusal', async () => {
  const double = await start({}, { stage: 'end', action: { code: 421, text: '4.3.2 going down' } })
  expect(await sendOnce(double)).toMatchObject({ kind: 'refused', stage: 'end', code: 421, status: '4.3.2' })
})

// More than the socket buffers of both sides can hold, so the client can't finish before the server has read some of it.
const large = Buffer.from(`Subject: large\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(24_000_000, 'line of text\r\n'))

test('a positive reply in the middle of the body is ignored, and the gate stays closed', async () => {
  const double = await start({}, { stage: 'body', action: { code: 250, text: 'ok' } })
  let gateAsked = false
  const { onPoint, goOn } = stopAt('body_done')
  const gate = () => Promise.resolve((gateAsked = true))
  const result = await sendOnce(double, { raw: large, gate, onPoint })
  expect(result).toMatchObject({ kind: 'dropped', reason: 'protocol', gatePassed: false, terminatorSent: false })
  await goOn()
  expect(gateAsked).toBe(false)
  expect(double.accepted).toEqual([])
})

test('a refusal in the middle of the body is definite', async () => {
  const double = await start({}, { stage: 'body', action: { code: 552, text: '5.3.4 too big' } })
  const { onPoint, goOn } = stopAt('body_done')
  const result = await sendOnce(double, { raw: large, onPoint })
  expect(result).toMatchObject({ kind: 'refused', stage: 'end', code: 552, status: '5.3.4' })
  await goOn()
  expect(double.accepted).toEqual([])
})

test('a connection lost in the body or during the gate never sends the end', async () => {
  const double = await start({}, { stage: 'body', action: 'drop', times: 1 })
  expect(await sendOnce(double, { raw: large })).toMatchObject({
    kind: 'dropped',
    stage: 'data',
    gatePassed: false,
    terminatorSent: false,
  })
  const gated = await start()
  const opened = await openSmtpSession(target(gated))
  if (opened.kind !== 'open') throw new Error(opened.kind)
  const gate = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      opened.session.onClose(() => resolve(true))
      gated.stop().catch(reject)
    })
  const lost = await opened.session.send(message({ gate }))
  expect(lost).toMatchObject({ kind: 'dropped', stage: 'data', gatePassed: true, terminatorSent: false })
  expect(gated.accepted).toEqual([])
})

test('every point can be stopped at, including half a terminator', async () => {
  const double = await start()
  const seen: SmtpPoint[] = []
  const onPoint = (point: SmtpPoint): void => void seen.push(point)
  expect(await sendOnce(double, { onPoint }, { onPoint })).toMatchObject({ kind: 'accepted' })
  expect(seen).toEqual([
    'connect',
    'auth',
    'mail',
    'rcpt',
    'data',
    'mid_body',
    'body_done',
    'gated',
    'half_terminator',
    'terminated',
    'answered',
  ])
  const stopping = {
    onPoint: (point: SmtpPoint) => (point === 'half_terminator' ? new Promise<void>(() => {}) : undefined),
  }
  const half = sendOnce(double, stopping, { timeoutsMs: { ...patientMs, answer: silenceMs } })
  expect(await half).toMatchObject({
    kind: 'dropped',
    stage: 'end',
    reason: 'timeout',
    gatePassed: true,
    terminatorSent: true,
  })
  expect(double.accepted).toHaveLength(1)
})

test("a message larger than the server's limit is refused before the body", async () => {
  const double = await start({ sizeMax: 1_000 })
  expect(await sendOnce(double, { raw: large })).toMatchObject({ kind: 'refused', stage: 'mail', code: 552 })
  expect(double.bodiesBegun).toBe(0)
})

test('private targets and untrusted certificates are refused unless allowed', async () => {
  const double = await start({ security: 'tls' })
  expect(await sendOnce(double, {}, { security: 'tls', reach: publicOnly })).toMatchObject({
    kind: 'dropped',
    stage: 'connect',
    reason: 'forbidden_target',
  })
  expect(await sendOnce(double, {}, { host: 'localhost', security: 'tls', reach: publicOnly })).toMatchObject({
    reason: 'forbidden_target',
  })
  expect(await sendOnce(double, {}, { host: 'no-such-host.invalid' })).toMatchObject({
    kind: 'dropped',
    stage: 'connect',
    reason: 'unresolved',
  })
  expect(double.connectionCount).toBe(0)
})

test('nothing is sent unencrypted to a server without STARTTLS if it is required', async () => {
  const double = await start()
  const result = await sendOnce(double, {}, { security: 'starttls' })
  expect(['refused', 'dropped']).toContain(result.kind)
  expect(result).toMatchObject({ stage: 'connect' })
  expect(double.accepted).toEqual([])
})

test('one session sends many messages and continues after a refusal', async () => {
  const double = await start({}, { stage: 'rcpt', action: { code: 451, text: '4.7.1 greylisted' }, times: 1 })
  const opened = await openSmtpSession(target(double))
  if (opened.kind !== 'open') throw new Error(opened.kind)
  expect(await opened.session.send(message())).toMatchObject({ kind: 'refused', stage: 'rcpt', code: 451 })
  expect(await opened.session.send(message())).toMatchObject({ kind: 'accepted' })
  expect(await opened.session.send(message())).toMatchObject({ kind: 'accepted' })
  expect(double.connectionCount).toBe(1)
  await opened.session.close()
})

const ada = { key: 'ada', version: 0 }

test('the pool reuses a limited number of connections and replaces dead ones', async () => {
  const double = await start()
  const pool = createSmtpPool({ connectionsMax: 2, messagesPerConnectionMax: 100, idleCloseMs: 5_000 })
  const connect = () => Promise.resolve(target(double))
  const results = await Promise.all(Array.from({ length: 12 }, () => pool.send(ada, connect, message())))
  expect(results.every((result) => result.kind === 'accepted')).toBe(true)
  expect(double.connectionCount).toBe(2)
  double.faults = [{ stage: 'mail', action: 'drop', times: 1 }]
  expect(await pool.send(ada, connect, message())).toMatchObject({ kind: 'accepted' })
  pool.forget('ada')
  expect(await pool.send(ada, connect, message())).toMatchObject({ kind: 'accepted' })
  expect(double.accepted).toHaveLength(14)
  await pool.close()
})

test('the pool never uses a connection of an older version, even one that was busy', async () => {
  const [before, after] = [await start(), await start()]
  const pool = createSmtpPool({ connectionsMax: 4, messagesPerConnectionMax: 100, idleCloseMs: 60_000 })
  const send = (version: number, double: SmtpDouble, changes: Partial<SmtpMessage> = {}) =>
    pool.send({ key: 'ada', version }, () => Promise.resolve(target(double)), message(changes))
  await Promise.all([send(1, before), send(1, before)])
  let pass = (_passed: boolean): void => {}
  const busy = send(1, before, { gate: () => new Promise((resolve) => (pass = resolve)) })
  await expect.poll(() => before.bodiesBegun, { interval: 5 }).toBe(3)
  expect(await send(2, after)).toMatchObject({ kind: 'accepted' })
  pass(true)
  expect(await busy).toMatchObject({ kind: 'accepted' })
  // A message that was written before the change uses the new connection.
  await send(1, after)
  await send(2, after)
  expect([before.accepted.length, after.accepted.length, after.connectionCount]).toEqual([3, 3, 1])
  await expect.poll(() => before.openConnections, { interval: 5 }).toBe(0)
  await pool.close()
})

test('the pool opens a new connection after its number of messages', async () => {
  const double = await start()
  const pool = createSmtpPool({ connectionsMax: 1, messagesPerConnectionMax: 2, idleCloseMs: 5_000 })
  for (let count = 0; count < 5; count++) await pool.send(ada, () => Promise.resolve(target(double)), message())
  expect(double.connectionCount).toBe(3)
  await pool.close()
})

/** Holds the message at a point until the session has its result, and then releases it. */
function stopAt(wanted: SmtpPoint) {
  let release = (): void => {}
  return {
    onPoint: (point: SmtpPoint) => (point === wanted ? new Promise<void>((resolve) => (release = resolve)) : undefined),
    goOn: async () => {
      release()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
