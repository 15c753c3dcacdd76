import type { Socket } from 'node:net'
import { AnswerReader } from './smtp-answers.ts'
import type { SmtpDropReason } from './smtp-result.ts'

/** Who waits for what the server says. */
export interface WireListener {
  answer(text: string): void
  broken(reason: SmtpDropReason, message: string): void
}

const quitTimeoutMs = 1_000

/**
 * A connection that has greeted and logged in. One at a time listens; what a server says while nobody asked it ends the
 * connection, for its next answer would be taken for another command's.
 */
export class SmtpWire {
  readonly #socket: Socket
  /** Of a connection that was secured after its greeting, what lies below. */
  readonly #below: Socket
  readonly #answers = new AnswerReader()
  #listener: WireListener | null = null
  #usable = true
  #closed = (): void => {}

  constructor({ socket, below, said }: { socket: Socket; below: Socket; said: string }) {
    this.#socket = socket
    this.#below = below
    // Its errors are those of what lies above it.
    if (below !== socket) below.on('error', () => {})
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error) => this.#break('closed', error.message))
    socket.on('end', () => this.#break('closed', 'The server closed the connection.'))
    socket.on('close', () => this.#break('closed', 'The server closed the connection.'))
    if (said !== '') this.#read(Buffer.from(said, 'latin1'))
  }

  get usable(): boolean {
    return this.#usable && !this.#socket.destroyed && this.#socket.writable
  }

  /** How many read what comes: one, when nobody else has kept a hold of the connection. */
  get readers(): number {
    return this.#socket.listenerCount('data')
  }

  listen(listener: WireListener): void {
    this.#listener = listener
  }

  unlisten(): void {
    this.#listener = null
  }

  /** One callback; a later one replaces it. */
  onClose(callback: () => void): void {
    this.#closed = callback
  }

  /** Null: it has left this process; else when it has, or the connection has ended. */
  write(bytes: Buffer | string): Promise<void> | null {
    if (!this.usable) return null
    let left = (): void => {}
    this.#socket.write(bytes, () => left())
    if (this.#socket.writableLength === 0) return null
    return new Promise((resolve) => (left = resolve))
  }

  /** Breaks off at once, so that nothing waiting in a buffer leaves. */
  discard(): void {
    this.#socket.destroy()
    this.#below.destroy()
    this.#end()
  }

  /** QUIT, then closed whatever the answer; never throws. */
  quit(): Promise<void> {
    if (!this.usable) {
      this.discard()
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        this.discard()
        resolve()
      }
      const timer = setTimeout(finish, quitTimeoutMs)
      this.listen({ answer: finish, broken: finish })
      void this.write('QUIT\r\n')
    })
  }

  #read(bytes: Buffer): void {
    if (!this.#usable) return
    const ended = this.#answers.feed(bytes, (text) => this.#answer(text))
    if (ended) return
    this.#break('protocol', 'The server sent an answer without an end.')
    this.discard()
  }

  #answer(text: string): void {
    if (!this.#usable) return
    if (this.#listener === null) this.discard()
    else this.#listener.answer(text)
  }

  #break(reason: SmtpDropReason, message: string): void {
    this.#end()
    this.#listener?.broken(reason, message)
  }

  #end(): void {
    if (!this.#usable) return
    this.#usable = false
    this.#closed()
  }
}
