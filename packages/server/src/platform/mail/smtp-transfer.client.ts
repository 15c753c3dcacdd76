import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { SmtpExtensions } from './smtp-answers.ts'
import { encodeBody, type SmtpBody } from './smtp-body.ts'
import { Envelope } from './smtp-envelope.ts'
import type { SmtpConnectOptions } from './smtp-connect.client.ts'
import {
  readAnswer,
  refusedBy,
  type SmtpDropReason,
  type SmtpPoint,
  type SmtpRefused,
  type SmtpResult,
} from './smtp-result.ts'
import type { SmtpWire, WireListener } from './smtp-wire.client.ts'

export interface SmtpMessage {
  envelope: { from: string; to: readonly string[] }
  /** The complete message; line ends and leading dots are corrected during sending. */
  raw: Buffer
  /** Awaited after the body and before the end of the message. Returning false or throwing withholds the message. */
  gate: () => Promise<boolean>
  /** Called when the message has a connection. */
  begun?: () => void
  /** For fault injection only: it slows the session down. */
  onPoint?: (point: SmtpPoint) => Promise<void> | void
}

interface TransferTools {
  wire: SmtpWire
  extensions: SmtpExtensions
  timeoutsMs: SmtpConnectOptions['timeoutsMs']
}

/** The outcome of the conversation. The flags of the transfer decide whether the message may have been accepted. */
type Outcome =
  | { kind: 'accepted'; answer: string }
  | { kind: 'refused'; refusal: SmtpRefused }
  | { kind: 'broken'; reason: SmtpDropReason; message: string }

const bodyChunkBytes = 64 * 1024

/**
 * One message in flight. Its own flags decide the result, since the end of a connection doesn't show whether it came before or
 * after the gate. No byte of the end of the message is written before the gate returned true.
 */
export class Transfer implements WireListener {
  readonly #tools: TransferTools
  readonly #message: SmtpMessage
  readonly #body: SmtpBody
  readonly #envelope: Envelope
  readonly #follow: () => Transfer | null
  /** The next message, whose envelope was sent with the end of this one. */
  #following: Transfer | null = null
  #stage: 'mail' | 'data' | 'end' = 'mail'
  #gateAsked: Promise<void> = Promise.resolve()
  #gatePassed = false
  #withheld: { reason: string } | null = null
  #over = false
  #timer: NodeJS.Timeout | undefined
  #resolve: (result: SmtpResult) => void = () => {}

  /** `follow` is called for the next message when the end of this one is sent, if the server allows both in one write. */
  constructor(tools: TransferTools, message: SmtpMessage, follow: () => Transfer | null = () => null) {
    this.#tools = tools
    this.#message = message
    this.#follow = follow
    this.#body = encodeBody(message.raw)
    const { envelope, raw } = message
    this.#envelope = new Envelope(envelope, { bytes: raw.length, eightBit: this.#body.eightBit }, tools.extensions)
  }

  run(): Promise<SmtpResult> {
    const refusal = this.#envelope.refusal()
    if (refusal !== null) return Promise.resolve(refusal)
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#tools.wire.listen(this)
      this.#arm(this.#tools.timeoutsMs.command)
      this.#attempt(this.#begin())
    })
  }

  /** The result for a message whose opening is written after the end of another one; null if it is refused without asking the server. */
  behind(): Promise<SmtpResult> | null {
    return this.#envelope.refusal() === null ? new Promise((resolve) => (this.#resolve = resolve)) : null
  }

  answer(text: string): void {
    switch (this.#stage) {
      case 'mail':
        return this.#ofEnvelope(text)
      case 'data':
        return this.#ofBody(text)
      case 'end':
        return this.#ofEnd(text)
    }
  }

  broken(reason: SmtpDropReason, message: string): void {
    const refusal = this.#stage === 'mail' ? this.#envelope.refusedSoFar() : null
    this.#settle(refusal === null ? { kind: 'broken', reason, message } : { kind: 'refused', refusal })
  }

  #ofEnvelope(text: string): void {
    const step = this.#envelope.answered(text)
    switch (step.kind) {
      case 'wait':
        return
      case 'say':
        return this.#attempt(this.#say(step.commands))
      case 'body':
        this.#stage = 'data'
        return this.#attempt(this.#sendBody())
      case 'refused':
        if (!step.connectionLives) this.#tools.wire.discard()
        return this.#settle({ kind: 'refused', refusal: step.refusal })
      case 'broken':
        return this.#settle({ kind: 'broken', reason: 'protocol', message: step.message })
    }
  }

  /** An acceptance before the end of the message was sent is not trusted; a refusal is definite. */
  #ofBody(text: string): void {
    this.#tools.wire.discard()
    const refusal = refusedBy('end', text)
    if (refusal !== null) return this.#settle({ kind: 'refused', refusal })
    this.#settle({ kind: 'broken', reason: 'protocol', message: `Answered before the end of the message: ${text}` })
  }

  #ofEnd(text: string): void {
    const { code } = readAnswer(text)
    if (code !== null && code >= 200 && code <= 299) return this.#settle({ kind: 'accepted', answer: text })
    const refusal = refusedBy('end', text)
    if (refusal === null) return this.#settle({ kind: 'broken', reason: 'protocol', message: `Not an answer: ${text}` })
    if (refusal.code === 421) this.#tools.wire.discard()
    this.#settle({ kind: 'refused', refusal })
  }

  /** Writes all commands at once. In tests with `onPoint` it stops before each command. */
  async #say(commands: readonly string[]): Promise<void> {
    const { wire } = this.#tools
    const { onPoint } = this.#message
    if (onPoint === undefined) return void wire.write(commands.join(''))
    for (const command of commands) {
      await onPoint(command.slice(0, 4).toLowerCase() as 'mail' | 'rcpt' | 'data')
      if (this.#over) return
      void wire.write(command)
    }
  }

  async #begin(): Promise<void> {
    await this.#say(this.#envelope.begin())
  }

  async #sendBody(): Promise<void> {
    const { wire, timeoutsMs } = this.#tools
    const { onPoint } = this.#message
    const { bytes, terminator } = this.#body
    this.#arm(timeoutsMs.body)
    if (onPoint === undefined) await this.#write(bytes)
    else await this.#writeHalves(bytes, onPoint)
    if (this.#over) return
    clearTimeout(this.#timer)
    this.#gateAsked = this.#askGate()
    await this.#gateAsked
    if (this.#over) return
    if (!this.#gatePassed) return this.#settle({ kind: 'broken', reason: 'closed', message: 'withheld' })
    await onPoint?.('gated')
    if (this.#over) return
    if (!wire.usable) return this.broken('closed', 'The connection broke during the check of the gates.')
    this.#stage = 'end'
    this.#arm(timeoutsMs.answer)
    if (onPoint === undefined) return this.#writeEnd(terminator)
    void wire.write(terminator.subarray(0, -2))
    await onPoint('half_terminator')
    if (this.#over) return
    void wire.write(terminator.subarray(-2))
    await onPoint('terminated')
  }

  /** RFC 2920, 3.1: the envelope of the next message may be in the group that the end of this one begins. */
  #writeEnd(terminator: Buffer): void {
    this.#following = this.#tools.extensions.pipelining ? this.#follow() : null
    const opening = this.#following === null ? [] : [Buffer.from(this.#following.#envelope.begin().join(''))]
    void this.#tools.wire.write(opening.length === 0 ? terminator : Buffer.concat([terminator, ...opening]))
  }

  async #writeHalves(bytes: Buffer, onPoint: NonNullable<SmtpMessage['onPoint']>): Promise<void> {
    const middle = Math.ceil(bytes.length / 2)
    await this.#write(bytes.subarray(0, middle))
    await onPoint('mid_body')
    await this.#write(bytes.subarray(middle))
    await onPoint('body_done')
  }

  /** Resolves when the last byte was sent. Stops once the result of the message is decided. */
  async #write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length && !this.#over; start += bodyChunkBytes) {
      const written = this.#tools.wire.write(bytes.subarray(start, start + bodyChunkBytes))
      if (written !== null) await written
    }
  }

  async #askGate(): Promise<void> {
    try {
      this.#gatePassed = await this.#message.gate()
      if (!this.#gatePassed) this.#withheld = { reason: 'The gate is closed.' }
    } catch (error) {
      this.#withheld = { reason: error instanceof Error ? error.message : 'The gate failed.' }
    }
  }

  #attempt(step: Promise<void>): void {
    step.catch((error: Error) => this.#settle({ kind: 'broken', reason: 'closed', message: error.message }))
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.broken('timeout', 'The server did not answer in time.'), delayMs)
  }

  #settle(outcome: Outcome): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#tools.wire.unlisten()
    if (this.#following !== null) this.#following.#takeOver(outcome)
    void this.#finish(outcome)
  }

  /** Replies from here on belong to this message, unless the connection broke with the previous one. */
  #takeOver(before: Outcome): void {
    const { wire, timeoutsMs } = this.#tools
    if (before.kind === 'broken') wire.discard()
    if (!wire.usable) return this.broken('closed', 'The connection ended with the message before.')
    wire.listen(this)
    this.#arm(timeoutsMs.command)
  }

  /** Waits for the gate, which may be committing while the connection breaks: its answer is part of the result. */
  async #finish(outcome: Outcome): Promise<void> {
    await this.#gateAsked
    if (outcome.kind === 'accepted') await this.#message.onPoint?.('answered')
    const result = this.#resultOf(outcome)
    if (result.kind === 'withheld' || result.kind === 'dropped') this.#tools.wire.discard()
    this.#resolve(result)
  }

  #resultOf(outcome: Outcome): SmtpResult {
    if (this.#withheld !== null) return { kind: 'withheld', reason: this.#withheld.reason }
    switch (outcome.kind) {
      case 'accepted':
        return {
          kind: 'accepted',
          answer: foreignText(outcome.answer),
          refusedRecipients: this.#envelope.refusedRecipients,
        }
      case 'refused':
        return outcome.refusal
      case 'broken':
        return {
          kind: 'dropped',
          stage: this.#stage,
          reason: outcome.reason,
          message: foreignText(outcome.message),
          gatePassed: this.#gatePassed,
          terminatorSent: this.#stage === 'end',
        }
    }
  }
}
