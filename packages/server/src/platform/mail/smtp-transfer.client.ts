import { foreignText } from '../../ground/text/foreign-text.ts'
import type { SmtpExtensions } from './smtp-answers.ts'
import { bodyOf, type SmtpBody } from './smtp-body.ts'
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
  /** The ready message; line ends and leading dots are made right on the way. */
  raw: Buffer
  /** Awaited after the body and before the end of the message; false, or a throw, withholds it. */
  gate: () => Promise<boolean>
  /** Told when a connection is there for it. */
  begun?: () => void
  /** Fault injection alone: slows the session down. */
  onPoint?: (point: SmtpPoint) => Promise<void> | void
}

interface TransferTools {
  wire: SmtpWire
  extensions: SmtpExtensions
  timeoutsMs: SmtpConnectOptions['timeoutsMs']
}

/** What the conversation came to; whether the message may have been accepted is for the flags to say. */
type Outcome =
  | { kind: 'accepted'; answer: string }
  | { kind: 'refused'; refusal: SmtpRefused }
  | { kind: 'broken'; reason: SmtpDropReason; message: string }

const bodyChunkBytes = 64 * 1024

/**
 * One message on its way. Its own flags decide the outcome; how a connection ended can't tell before from after the
 * gate. Nothing of the end of the message is written before the gate has said yes.
 */
export class Transfer implements WireListener {
  readonly #tools: TransferTools
  readonly #message: SmtpMessage
  readonly #body: SmtpBody
  readonly #envelope: Envelope
  readonly #follow: () => Transfer | null
  /** Its envelope has left with the end of this one. */
  #following: Transfer | null = null
  #stage: 'mail' | 'data' | 'end' = 'mail'
  #gateAsked: Promise<void> = Promise.resolve()
  #gatePassed = false
  #withheld: { error: unknown } | null = null
  #over = false
  #timer: NodeJS.Timeout | undefined
  #resolve: (result: SmtpResult) => void = () => {}

  /** `follow` is asked for the message behind when the end of this one leaves, where both may leave together. */
  constructor(tools: TransferTools, message: SmtpMessage, follow: () => Transfer | null = () => null) {
    this.#tools = tools
    this.#message = message
    this.#follow = follow
    this.#body = bodyOf(message.raw)
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

  /** Its result, where another one writes its opening behind its own end; null: there is nothing to be said of it. */
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

  /** A server that says yes before the end of the message was sent is not believed; a refusal is definite. */
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

  /** With a place to stop at before each command, in tests; else all that goes together in one write. */
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
    if (!wire.usable) return this.broken('closed', 'The connection broke while the gate was asked.')
    this.#stage = 'end'
    this.#arm(timeoutsMs.answer)
    if (onPoint === undefined) return this.#writeEnd(terminator)
    void wire.write(terminator.subarray(0, -2))
    await onPoint('half_terminator')
    if (this.#over) return
    void wire.write(terminator.subarray(-2))
    await onPoint('terminated')
  }

  /** RFC 2920, 3.1: the envelope of the next message may stand in the group that the end of this one begins. */
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

  /** Until the last of it has left; nothing more once the message was decided. */
  async #write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length && !this.#over; start += bodyChunkBytes) {
      const left = this.#tools.wire.write(bytes.subarray(start, start + bodyChunkBytes))
      if (left !== null) await left
    }
  }

  async #askGate(): Promise<void> {
    try {
      this.#gatePassed = await this.#message.gate()
      if (!this.#gatePassed) this.#withheld = { error: null }
    } catch (error) {
      this.#withheld = { error }
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

  /** What is answered from here on is about this one, unless that broke what both were said over. */
  #takeOver(before: Outcome): void {
    const { wire, timeoutsMs } = this.#tools
    if (before.kind === 'broken') wire.discard()
    if (!wire.usable) return this.broken('closed', 'The connection ended with the message before.')
    wire.listen(this)
    this.#arm(timeoutsMs.command)
  }

  /** The gate may be committing while the connection breaks: its answer belongs to the result. */
  async #finish(outcome: Outcome): Promise<void> {
    await this.#gateAsked
    if (outcome.kind === 'accepted') await this.#message.onPoint?.('answered')
    const result = this.#resultOf(outcome)
    if (result.kind === 'withheld' || result.kind === 'dropped') this.#tools.wire.discard()
    this.#resolve(result)
  }

  #resultOf(outcome: Outcome): SmtpResult {
    if (this.#withheld !== null) return { kind: 'withheld', error: this.#withheld.error }
    switch (outcome.kind) {
      case 'accepted':
        return { kind: 'accepted', answer: foreignText(outcome.answer), rejected: this.#envelope.rejected }
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
