import { Readable } from 'node:stream'
import type { Socket } from 'node:net'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { foreignText } from '../../ground/text/foreign-text.ts'
import { discard, openSmtpConnection, quit, reset, type SmtpConnectOptions } from './smtp-connect.client.ts'
import { watchWrites } from './smtp-points.client.ts'
import {
  droppedBefore,
  readAnswer,
  refusedBy,
  type SmtpDropped,
  type SmtpDropReason,
  type SmtpPoint,
  type SmtpRefused,
  type SmtpResult,
} from './smtp-result.ts'

export interface SmtpMessage {
  envelope: { from: string; to: readonly string[] }
  /** The ready message; line ends and leading dots are made right on the way. */
  raw: Buffer
  /** Awaited after the body and before the end of the message; false, or a throw, withholds it. */
  gate: () => Promise<boolean>
  /** Fault injection alone: slows the session down. */
  onPoint?: (point: SmtpPoint) => Promise<void> | void
}

export interface SmtpSession {
  send(message: SmtpMessage): Promise<SmtpResult>
  /** False once the connection is gone or in a state that no message can follow. */
  readonly usable: boolean
  readonly messagesSent: number
  /** Says QUIT and closes; never throws. */
  close(): Promise<void>
  /** One callback; a later one replaces it. */
  onClose(callback: () => void): void
}

export type OpenedSmtpSession = { kind: 'open'; session: SmtpSession } | SmtpRefused | SmtpDropped

const bodyChunkBytes = 64 * 1024

/** Connects, greets, secures and logs in. Refusals and drops are results, not exceptions. */
export async function openSmtpSession(options: SmtpConnectOptions): Promise<OpenedSmtpSession> {
  const opened = await openSmtpConnection(options)
  if (opened.kind !== 'open') return opened
  return { kind: 'open', session: createSession(opened.connection, opened.socket, options) }
}

function createSession(connection: SMTPConnection, socket: Socket, options: SmtpConnectOptions): SmtpSession {
  let usable = true
  let needsReset = false
  let messagesSent = 0
  let closed = (): void => {}
  const points = watchWrites(socket)
  connection.on('end', () => {
    usable = false
    closed()
  })
  return {
    get usable() {
      return usable && !socket.destroyed && socket.writable
    },
    get messagesSent() {
      return messagesSent
    },
    async send(message) {
      if (needsReset && !(await reset(connection, options.timeoutsMs.command))) {
        discard(connection, socket)
        return droppedBefore('mail', 'closed', 'The server did not answer RSET.')
      }
      needsReset = false
      points.watch(message.onPoint)
      const result = await new Transfer(connection, socket, message, options.timeoutsMs).run()
      points.watch(undefined)
      messagesSent++
      needsReset = result.kind === 'refused' && result.stage !== 'end'
      if (result.kind === 'withheld' || result.kind === 'dropped') discard(connection, socket)
      return result
    },
    close: () => quit(connection, socket),
    onClose(callback) {
      closed = callback
    },
  }
}

/** One message on its way. Its own flags decide the outcome; the client's error codes can't tell before from after the gate. */
class Transfer {
  readonly #connection: SMTPConnection
  readonly #socket: Socket
  readonly #message: SmtpMessage
  readonly #timeoutsMs: SmtpConnectOptions['timeoutsMs']
  #stage: 'mail' | 'data' | 'end' = 'mail'
  #gateAsked: Promise<void> = Promise.resolve()
  #gatePassed = false
  #terminatorSent = false
  #withheld: { error: unknown } | null = null
  #over = false
  #timer: NodeJS.Timeout | undefined
  #settle: (outcome: Outcome) => void = () => {}

  constructor(
    connection: SMTPConnection,
    socket: Socket,
    message: SmtpMessage,
    timeoutsMs: SmtpConnectOptions['timeoutsMs'],
  ) {
    this.#connection = connection
    this.#socket = socket
    this.#message = message
    this.#timeoutsMs = timeoutsMs
  }

  async run(): Promise<SmtpResult> {
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#settle = resolve
      this.#start()
    })
    this.#over = true
    clearTimeout(this.#timer)
    // The gate may be committing while the connection breaks: its answer belongs to the result.
    await this.#gateAsked
    if (outcome.kind === 'answered') await this.#message.onPoint?.('answered')
    return this.#result(outcome)
  }

  #start(): void {
    const { envelope, raw } = this.#message
    const onEnd = (): void =>
      void setImmediate(() =>
        this.#settle({ kind: 'broken', reason: 'closed', message: 'The server closed the connection.' }),
      )
    this.#connection.once('end', onEnd)
    this.#arm(this.#timeoutsMs.command)
    const body = Readable.from(this.#body(), { objectMode: false })
    body.on('error', () => {})
    const sendable = { from: envelope.from, to: [...envelope.to], size: raw.length, use8BitMime: hasHighBytes(raw) }
    this.#connection.send(sendable, body, (error, info) => {
      this.#connection.removeListener('end', onEnd)
      if (error) this.#settle({ kind: 'failed', error: error as SmtpClientError })
      else
        this.#settle({
          kind: 'answered',
          answer: info.response ?? '',
          rejected: (info.rejectedErrors ?? []) as SmtpClientError[],
        })
    })
  }

  /** Read by the client only after 354. While it has not ended the end of the message can't be sent. */
  async *#body(): AsyncGenerator<Buffer> {
    this.#stage = 'data'
    const { raw, onPoint } = this.#message
    this.#arm(this.#timeoutsMs.body)
    if (onPoint === undefined) yield* chunksOf(raw)
    else yield* inHalves(raw, onPoint)
    if (this.#over) throw new Error('The message was decided before its end.')
    clearTimeout(this.#timer)
    const asked = this.#askGate()
    this.#gateAsked = asked
    await asked
    if (!this.#gatePassed) {
      this.#settle({ kind: 'broken', reason: 'closed', message: 'withheld' })
      throw new Error('The gate withheld the end of the message.')
    }
    if (onPoint !== undefined) await onPoint('gated')
    if (this.#over || this.#socket.destroyed) throw new Error('The connection broke while the gate was asked.')
    this.#stage = 'end'
    this.#terminatorSent = true
    this.#arm(this.#timeoutsMs.answer)
  }

  async #askGate(): Promise<void> {
    try {
      this.#gatePassed = await this.#message.gate()
      if (!this.#gatePassed) this.#withheld = { error: null }
    } catch (error) {
      this.#withheld = { error }
    }
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#settle({ kind: 'broken', reason: 'timeout', message: 'The server did not answer in time.' }),
      delayMs,
    )
  }

  #result(outcome: Outcome): SmtpResult {
    if (this.#withheld !== null) return { kind: 'withheld', error: this.#withheld.error }
    switch (outcome.kind) {
      case 'broken':
        return this.#dropped(outcome.reason, outcome.message)
      case 'answered':
        // A server that says yes before the end of the message was sent is not believed.
        if (!this.#terminatorSent)
          return this.#dropped('protocol', `Answered before the end of the message: ${outcome.answer}`)
        return { kind: 'accepted', answer: foreignText(outcome.answer), rejected: outcome.rejected.map(toRejected) }
      case 'failed':
        return this.#failure(outcome.error)
    }
  }

  #failure(error: SmtpClientError): SmtpResult {
    const message = error.message
    // Only an answer to a command of ours counts: half a line before the connection closed is not an answer.
    if (error.command === 'CONN' || error.response === undefined) {
      if (error.code === 'EMESSAGE' && error.command === 'MAIL FROM')
        return { kind: 'refused', stage: 'mail', code: 552, enhanced: '5.3.4', answer: foreignText(message) }
      if (error.code === 'EENVELOPE')
        return { kind: 'refused', stage: 'rcpt', code: 553, enhanced: '5.1.3', answer: foreignText(message) }
      return this.#dropped(
        error.code === 'ETIMEDOUT' ? 'timeout' : error.code === 'EPROTOCOL' ? 'protocol' : 'closed',
        message,
      )
    }
    const stage =
      error.command === 'MAIL FROM'
        ? 'mail'
        : error.command === 'RCPT TO'
          ? 'rcpt'
          : error.code === 'EMESSAGE'
            ? 'end'
            : 'data'
    // Refused while the body was under way: definite, but the connection is of no further use.
    if (stage === 'end' && !this.#terminatorSent) discard(this.#connection, this.#socket)
    return refusedBy(stage, error.response) ?? this.#dropped('protocol', message)
  }

  #dropped(reason: SmtpDropReason, message: string): SmtpDropped {
    return {
      kind: 'dropped',
      stage: this.#stage,
      reason,
      message: foreignText(message),
      gatePassed: this.#gatePassed,
      terminatorSent: this.#terminatorSent,
    }
  }
}

type Outcome =
  | { kind: 'answered'; answer: string; rejected: SmtpClientError[] }
  | { kind: 'failed'; error: SmtpClientError }
  | { kind: 'broken'; reason: SmtpDropReason; message: string }

interface SmtpClientError extends Error {
  code?: string
  command?: string
  response?: string
  recipient?: string
}

function toRejected(error: SmtpClientError) {
  const answer = error.response ?? error.message
  const { code, enhanced } = readAnswer(answer)
  return { recipient: error.recipient ?? '', code: code ?? 550, enhanced, answer: foreignText(answer) }
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += bodyChunkBytes) yield bytes.subarray(start, start + bodyChunkBytes)
}

/** A body with a place to stop at in its middle; production sends it in one go, which saves a write a message. */
async function* inHalves(raw: Buffer, onPoint: NonNullable<SmtpMessage['onPoint']>): AsyncGenerator<Buffer> {
  const middle = Math.ceil(raw.length / 2)
  yield* chunksOf(raw.subarray(0, middle))
  await onPoint('mid_body')
  yield* chunksOf(raw.subarray(middle))
  await onPoint('body_done')
}

function hasHighBytes(raw: Buffer): boolean {
  return /[\u0080-\u00ff]/.test(raw.toString('latin1'))
}
