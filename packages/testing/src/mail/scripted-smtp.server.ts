import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Names of commands in the script; `END` is the end of a message. */
export type ScriptedVerb = 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'END' | 'RSET'

/** Replaces the normal reply to one command of this kind. `at` is its number, counted from 0 over all connections. */
export interface ScriptedAnswer {
  verb: ScriptedVerb
  at: number
  /** Sent unchanged. If empty, the server sends no reply. */
  says: string
  closes?: boolean
}

export interface SmtpScript {
  pipelining: boolean
  /** The number of bytes per write. */
  pieceBytes?: number
  /** The number of lines before the last one of each reply. */
  linesBefore?: number
  /** Sends the replies to RCPT and DATA together with the reply to MAIL. */
  hastens?: boolean
  /** Sends the replies to MAIL and RCPT only after it has read DATA. */
  waits?: boolean
  answers?: readonly ScriptedAnswer[]
}

export interface ScriptedSmtp {
  readonly port: number
  /** Bodies that were received to their end, unchanged. */
  readonly ended: readonly string[]
  /** The bodies of `ended` that got a positive reply. */
  readonly accepted: readonly string[]
  /** Lines that were parsed as commands. */
  readonly commands: readonly string[]
  stop(): Promise<void>
}

const piecesMax = 200

const right: Record<ScriptedVerb, string> = {
  EHLO: '',
  MAIL: '250 2.1.0 fine',
  RCPT: '250 2.1.5 fine',
  DATA: '354 go on',
  END: '250 2.0.0 taken',
  RSET: '250 2.0.0 forgotten',
}

/**
 * Starts a mail server that sends the replies of its script, also in pieces and out of order. It makes no assumption about the
 * client.
 */
export async function startScriptedSmtp(script: SmtpScript): Promise<ScriptedSmtp> {
  const seen = { ended: [] as string[], accepted: [] as string[], commands: [] as string[] }
  const counts = new Map<ScriptedVerb, number>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    new Conversation(socket, script, seen, counts).begin()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    ...seen,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class Conversation {
  #rest = ''
  #body: string | null = null
  #hastened = 0
  #waiting = ''
  #writing: Promise<void> = Promise.resolve()

  readonly #socket: Socket
  readonly #script: SmtpScript
  readonly #seen: { ended: string[]; accepted: string[]; commands: string[] }
  readonly #counts: Map<ScriptedVerb, number>

  constructor(
    socket: Socket,
    script: SmtpScript,
    seen: { ended: string[]; accepted: string[]; commands: string[] },
    counts: Map<ScriptedVerb, number>,
  ) {
    this.#socket = socket
    this.#script = script
    this.#seen = seen
    this.#counts = counts
  }

  begin(): void {
    this.#say('220 scripted\r\n')
    this.#socket.on('data', (bytes) => {
      this.#rest += bytes.toString('latin1')
      while (this.#readOne());
    })
  }

  #readOne(): boolean {
    if (this.#body !== null) return this.#readBody()
    const end = this.#rest.indexOf('\r\n')
    if (end < 0) return false
    const line = this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end + 2)
    this.#seen.commands.push(line)
    const verb = line.slice(0, 4).toUpperCase() as ScriptedVerb
    if (line === 'QUIT') this.#socket.end('221 bye\r\n')
    else if (verb in right) this.#answer(verb)
    else this.#say('500 what?\r\n')
    return true
  }

  #readBody(): boolean {
    // The first line of a body may be the terminator.
    const text = `\r\n${this.#rest}`
    const end = text.indexOf('\r\n.\r\n')
    if (end < 0) return false
    this.#rest = text.slice(end + 5)
    const body = text.slice(2, Math.max(2, end))
    this.#body = null
    this.#seen.ended.push(body)
    if (this.#answer('END').startsWith('2')) this.#seen.accepted.push(body)
    return true
  }

  #answer(verb: ScriptedVerb): string {
    const at = this.#counts.get(verb) ?? 0
    this.#counts.set(verb, at + 1)
    const scripted = this.#script.answers?.find((answer) => answer.verb === verb && answer.at === at)
    const says = scripted?.says ?? this.#rightAnswer(verb)
    if (verb === 'DATA' && says.startsWith('3')) this.#body = ''
    if (this.#hastened > 0 && scripted === undefined) this.#hastened--
    else if (this.#script.waits === true && (verb === 'MAIL' || verb === 'RCPT')) this.#waiting += says
    else this.#say(this.#waiting + says)
    if (verb === 'DATA') this.#waiting = ''
    if (verb === 'MAIL' && this.#script.hastens === true && scripted === undefined) {
      this.#hastened = 2
      this.#say(`${this.#rightAnswer('RCPT')}${this.#rightAnswer('DATA')}`)
    }
    if (scripted?.closes === true) void this.#writing.then(() => this.#socket.end())
    return says
  }

  #rightAnswer(verb: ScriptedVerb): string {
    if (verb === 'EHLO') return this.#script.pipelining ? '250-scripted\r\n250 PIPELINING\r\n' : '250 scripted\r\n'
    const code = right[verb].slice(0, 3)
    return `${`${code}-more\r\n`.repeat(this.#script.linesBefore ?? 0)}${right[verb]}\r\n`
  }

  #say(text: string): void {
    const pieceBytes = Math.max(this.#script.pieceBytes ?? text.length, Math.ceil(text.length / piecesMax))
    for (let start = 0; start < text.length; start += pieceBytes) {
      const piece = text.slice(start, start + pieceBytes)
      this.#writing = this.#writing.then(async () => {
        this.#socket.write(Buffer.from(piece, 'latin1'))
        // Waits a turn, so that each piece is written separately.
        if (piece.length < text.length) await new Promise((resolve) => setImmediate(resolve))
      })
    }
  }
}
