import type { Socket } from 'node:net'
import { AnswerReader } from './smtp-answers.ts'
import type { SmtpDropReason } from './smtp-result.ts'

/** Receives the replies of a server. */
export interface WireListener {
  answer(text: string): void
  broken(reason: SmtpDropReason, message: string): void
}

const quitTimeoutMs = 1_000

/**
 * A connection after greeting and login. It has one listener at a time. Output of the server without a listener ends the
 * connection, because a later reply could be attributed to the wrong command.
 */
export class SmtpWire {
  readonly #socket: Socket
  /** The TCP socket below a connection that was secured after its greeting. */
  readonly #below: Socket
  readonly #answers = new AnswerReader()
  #listener: WireListener | null = null
  #usable = true
  #closed = (): void => {}

  constructor({ socket, below, received }: { socket: Socket; below: Socket; received: string }) {
    this.#socket = socket
    this.#below = below
    // Errors of the lower socket are reported by the one above it.
    if (below !== socket) below.on('error', () => {})
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error) => this.#break('closed', error.message))
    socket.on('end', () => this.#break('closed', 'The server closed the connection.'))
    socket.on('close', () => this.#break('closed', 'The server closed the connection.'))
    if (received !== '') this.#read(Buffer.from(received, 'latin1'))
  }

  get usable(): boolean {
    return this.#usable && !this.#socket.destroyed && this.#socket.writable
  }

  /** The number of listeners that read the socket. It is one unless other code still holds the connection. */
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

  /** Returns null if the bytes have left this process; else a promise for that moment or the end of the connection. */
  write(bytes: Buffer | string): Promise<void> | null {
    if (!this.usable) return null
    let onWritten = (): void => {}
    this.#socket.write(bytes, () => onWritten())
    if (this.#socket.writableLength === 0) return null
    return new Promise((resolve) => (onWritten = resolve))
  }

  /** Ends the connection at once, so that no buffered byte is sent. */
  discard(): void {
    this.#socket.destroy()
    this.#below.destroy()
    this.#end()
  }

  /** Sends QUIT and closes, whatever the reply; never throws. */
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
