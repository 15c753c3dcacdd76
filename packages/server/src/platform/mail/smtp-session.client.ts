import { openSmtpConnection, type SmtpConnectOptions } from './smtp-connect.client.ts'
import type { SmtpExtensions } from './smtp-answers.ts'
import { droppedBefore, readAnswer, type SmtpDropped, type SmtpRefused, type SmtpResult } from './smtp-result.ts'
import { Transfer, type SmtpMessage } from './smtp-transfer.client.ts'
import type { SmtpWire } from './smtp-wire.client.ts'

export type { SmtpMessage } from './smtp-transfer.client.ts'

/** A message that waits for the connection. */
export interface QueuedMessage {
  message: SmtpMessage
  /** Called when its envelope was sent together with the end of the previous message. */
  result(result: Promise<SmtpResult>): void
}

export interface SmtpSession {
  /**
   * `next` is called when the end of a message is sent, if the server offers PIPELINING. The message that it returns is sent in
   * the same write, without waiting for the reply. The messages after that one are sent likewise.
   */
  send(message: SmtpMessage, next?: () => QueuedMessage | null): Promise<SmtpResult>
  /** False once the connection is gone or in a state in which no message can follow. */
  readonly usable: boolean
  readonly messagesSent: number
  /** Sends QUIT and closes; never throws. */
  close(): Promise<void>
  /** One callback; a later one replaces it. */
  onClose(callback: () => void): void
}

export type OpenedSmtpSession = { kind: 'open'; session: SmtpSession } | SmtpRefused | SmtpDropped

/** Connects, greets, secures and logs in. Refusals and drops are results, not exceptions. */
export async function openSmtpSession(options: SmtpConnectOptions): Promise<OpenedSmtpSession> {
  const opened = await openSmtpConnection(options)
  if (opened.kind !== 'open') return opened
  const { wire, extensions } = opened
  return { kind: 'open', session: new Session(wire, extensions, options.timeoutsMs) }
}

class Session implements SmtpSession {
  readonly #wire: SmtpWire
  readonly #extensions: SmtpExtensions
  readonly #timeoutsMs: SmtpConnectOptions['timeoutsMs']
  #needsReset = false
  #messagesSent = 0

  constructor(wire: SmtpWire, extensions: SmtpExtensions, timeoutsMs: SmtpConnectOptions['timeoutsMs']) {
    this.#wire = wire
    this.#extensions = extensions
    this.#timeoutsMs = timeoutsMs
  }

  get usable(): boolean {
    return this.#wire.usable
  }

  get messagesSent(): number {
    return this.#messagesSent
  }

  async send(message: SmtpMessage, next: () => QueuedMessage | null = () => null): Promise<SmtpResult> {
    const wire = this.#wire
    if (!wire.usable) return droppedBefore('mail', 'closed', 'The server closed the connection.')
    if (this.#needsReset && !(await this.#reset())) {
      wire.discard()
      return droppedBefore('mail', 'closed', 'The server did not answer RSET.')
    }
    this.#needsReset = false
    message.begun?.()
    return this.#counted(this.#transferOf(message, next).run())
  }

  #transferOf(message: SmtpMessage, next: () => QueuedMessage | null): Transfer {
    const tools = { wire: this.#wire, extensions: this.#extensions, timeoutsMs: this.#timeoutsMs }
    return new Transfer(tools, message, () => this.#following(next))
  }

  #following(next: () => QueuedMessage | null): Transfer | null {
    const queued = next()
    if (queued === null) return null
    const transfer = this.#transferOf(queued.message, next)
    const result = transfer.behind()
    // A refusal that is known without asking the server has the same result as for a message sent alone.
    queued.result(this.#counted(result ?? transfer.run()))
    if (result === null) return null
    queued.message.begun?.()
    return transfer
  }

  async #counted(sending: Promise<SmtpResult>): Promise<SmtpResult> {
    const result = await sending
    this.#messagesSent++
    // Never reset the flag here: the results of pipelined messages may arrive out of order.
    if (result.kind === 'refused' && result.stage !== 'end') this.#needsReset = true
    return result
  }

  close(): Promise<void> {
    return this.#wire.quit()
  }

  onClose(callback: () => void): void {
    this.#wire.onClose(callback)
  }

  /** Sends RSET. Returns false if it was refused or not answered in time. */
  #reset(): Promise<boolean> {
    const wire = this.#wire
    return new Promise((resolve) => {
      const finish = (worked: boolean): void => {
        clearTimeout(timer)
        wire.unlisten()
        resolve(worked)
      }
      const timer = setTimeout(() => finish(false), this.#timeoutsMs.command)
      wire.listen({
        answer: (text) => finish(Math.floor((readAnswer(text).code ?? 0) / 100) === 2),
        broken: () => finish(false),
      })
      void wire.write('RSET\r\n')
    })
  }
}
