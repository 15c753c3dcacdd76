import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { SmtpExtensions } from './smtp-answers.ts'
import { readAnswer, refusedBy, type RefusedRecipient, type SmtpRefused } from './smtp-result.ts'

/** The next step after a reply. */
type EnvelopeStep =
  | { kind: 'wait' }
  | { kind: 'say'; commands: readonly string[] }
  /** The server waits for the body. */
  | { kind: 'body' }
  | { kind: 'refused'; refusal: SmtpRefused; connectionLives: boolean }
  | { kind: 'broken'; message: string }

const wait: EnvelopeStep = { kind: 'wait' }

/**
 * MAIL, RCPT and DATA of one message. A server that offers PIPELINING (RFC 2920) gets all of them at once and replies in their
 * order. Other servers get them one by one.
 */
export class Envelope {
  readonly #from: string
  readonly #to: readonly string[]
  readonly #message: { bytes: number; eightBit: boolean }
  readonly #extensions: SmtpExtensions
  /** Whether MAIL was answered, and how many RCPT commands were. */
  #mailAnswered = false
  #recipientsAnswered = 0
  #mailRefusal: SmtpRefused | null = null
  readonly refusedRecipients: RefusedRecipient[] = []

  constructor(
    envelope: { from: string; to: readonly string[] },
    message: { bytes: number; eightBit: boolean },
    extensions: SmtpExtensions,
  ) {
    this.#from = envelope.from.trim()
    this.#to = envelope.to.map((address) => address.trim())
    this.#message = message
    this.#extensions = extensions
  }

  /** The refusal that is known without asking the server, such as a message above its size limit. */
  refusal(): SmtpRefused | null {
    const { sizeMax } = this.#extensions
    if (sizeMax !== null && sizeMax > 0 && this.#message.bytes > sizeMax) {
      const answer = `Message size larger than allowed ${sizeMax}`
      return { kind: 'refused', stage: 'mail', code: 552, status: '5.3.4', answer }
    }
    if (unsafe.test(this.#from)) return unsayable(`Invalid sender ${JSON.stringify(this.#from)}`)
    const wrong = this.#to.find((address) => address === '' || unsafe.test(address))
    if (wrong !== undefined) return unsayable(`Invalid recipient ${JSON.stringify(wrong)}`)
    return this.#to.length === 0 ? unsayable('No recipients defined') : null
  }

  begin(): readonly string[] {
    return this.#extensions.pipelining ? [this.#mail(), ...this.#to.map(recipient), data] : [this.#mail()]
  }

  answered(text: string): EnvelopeStep {
    const { code } = readAnswer(text)
    const yes = code !== null && code >= 200 && code <= 299
    if (!this.#mailAnswered) {
      this.#mailAnswered = true
      if (!yes) return this.#mailRefused(text)
      return this.#extensions.pipelining ? wait : { kind: 'say', commands: [recipient(this.#to[0] ?? '')] }
    }
    if (this.#recipientsAnswered < this.#to.length) return this.#ofRecipient(text, yes)
    return this.#ofData(text, code)
  }

  /** A refusal that is certain before all replies have arrived: nothing more is sent after a refused sender. */
  refusedSoFar(): SmtpRefused | null {
    return this.#mailRefusal
  }

  #mailRefused(text: string): EnvelopeStep {
    const refusal = refusedBy('mail', text)
    if (refusal === null) return { kind: 'broken', message: `Not an answer to MAIL: ${text}` }
    if (this.#extensions.pipelining && refusal.code !== closing) {
      this.#mailRefusal = refusal
      return wait
    }
    return { kind: 'refused', refusal, connectionLives: refusal.code !== closing }
  }

  #ofRecipient(text: string, yes: boolean): EnvelopeStep {
    const address = this.#to[this.#recipientsAnswered++] ?? ''
    if (!yes) {
      const refusal = refusedBy('rcpt', text)
      if (refusal === null) return { kind: 'broken', message: `Not an answer to RCPT: ${text}` }
      if (refusal.code === closing)
        return { kind: 'refused', refusal: this.#mailRefusal ?? refusal, connectionLives: false }
      const { code, status, answer } = refusal
      this.refusedRecipients.push({ recipient: address, code, status, answer })
    }
    if (this.#extensions.pipelining) return wait
    const next = this.#to[this.#recipientsAnswered]
    if (next !== undefined) return { kind: 'say', commands: [recipient(next)] }
    const refusal = this.#allRefused()
    return refusal === null ? { kind: 'say', commands: [data] } : { kind: 'refused', refusal, connectionLives: true }
  }

  #ofData(text: string, code: number | null): EnvelopeStep {
    const isPositive = code !== null && code >= 300 && code <= 399
    const refusal = this.#mailRefusal ?? this.#allRefused()
    // A server that wants a body after it refused the sender or all recipients now waits for it. It gets nothing, least of all an end.
    if (refusal !== null) return { kind: 'refused', refusal, connectionLives: code !== closing && !isPositive }
    if (isPositive) return { kind: 'body' }
    const refused = refusedBy('data', text)
    if (refused === null) return { kind: 'broken', message: `Not an answer to DATA: ${text}` }
    return { kind: 'refused', refusal: refused, connectionLives: refused.code !== closing }
  }

  /** The reply to represent all refusals: one that allows a retry if there is one, else the last. */
  #allRefused(): SmtpRefused | null {
    if (this.refusedRecipients.length < this.#to.length) return null
    const speaks = this.refusedRecipients.find(({ code }) => code < 500) ?? this.refusedRecipients.at(-1)
    if (speaks === undefined) return null
    const { code, status, answer } = speaks
    return { kind: 'refused', stage: 'rcpt', code, status, answer, refusedRecipients: this.refusedRecipients }
  }

  #mail(): string {
    const { smtpUtf8, eightBitMime, sizeMax } = this.#extensions
    const utf8 = smtpUtf8 && [this.#from, ...this.#to].some(isWide) ? ' SMTPUTF8' : ''
    const eightBit = eightBitMime && this.#message.eightBit ? ' BODY=8BITMIME' : ''
    const size = sizeMax !== null && this.#message.bytes > 0 ? ` SIZE=${this.#message.bytes}` : ''
    return `MAIL FROM:<${this.#from}>${utf8}${eightBit}${size}\r\n`
  }
}

/** The server is about to close the connection; it can follow any command. */
const closing = 421
const data = 'DATA\r\n'
const unsafe = /[\r\n<>]/

function recipient(address: string): string {
  return `RCPT TO:<${address}>\r\n`
}

function isWide(address: string): boolean {
  return /[\u0080-\uffff]/.test(address)
}

function unsayable(answer: string): SmtpRefused {
  return { kind: 'refused', stage: 'rcpt', code: 553, status: '5.1.3', answer: foreignText(answer) }
}
