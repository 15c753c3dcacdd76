import { openSmtpConnection, type SmtpConnectOptions } from './smtp-connect.client.ts'
import type { SmtpExtensions } from './smtp-answers.ts'
import { droppedBefore, readAnswer, type SmtpDropped, type SmtpRefused, type SmtpResult } from './smtp-result.ts'
import { Transfer, type SmtpMessage } from './smtp-transfer.client.ts'
import type { SmtpWire } from './smtp-wire.client.ts'

export type { SmtpMessage } from './smtp-transfer.client.ts'

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

  async send(message: SmtpMessage): Promise<SmtpResult> {
    const wire = this.#wire
    if (!wire.usable) return droppedBefore('mail', 'closed', 'The server closed the connection.')
    if (this.#needsReset && !(await this.#reset())) {
      wire.discard()
      return droppedBefore('mail', 'closed', 'The server did not answer RSET.')
    }
    message.begun?.()
    const tools = { wire, extensions: this.#extensions, timeoutsMs: this.#timeoutsMs }
    const result = await new Transfer(tools, message).run()
    this.#messagesSent++
    this.#needsReset = result.kind === 'refused' && result.stage !== 'end'
    return result
  }

  close(): Promise<void> {
    return this.#wire.quit()
  }

  onClose(callback: () => void): void {
    this.#wire.onClose(callback)
  }

  /** RSET; false when it was refused or not answered in time. */
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
