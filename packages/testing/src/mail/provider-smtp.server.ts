import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { isAnyToken, isIssued, type IssuedTokens } from './issued-tokens.ts'
import type { ProviderWords } from './provider-words.ts'
import { certificate, key } from './tls-front.server.ts'

export interface ProviderSmtpOptions {
  words: ProviderWords
  /** Access tokens by mailbox. Only XOAUTH2 and OAUTHBEARER accept them. */
  tokens?: IssuedTokens
  /** Passwords by mailbox. Only PLAIN and LOGIN accept them. */
  passwords?: Record<string, string>
  /** `tls`: TLS from the first byte, as on port 465. Default: STARTTLS, as on port 587. */
  security?: 'starttls' | 'tls'
  /** Replaces the reply to EHLO after TLS. */
  ehloSecured?: readonly string[]
}

export interface ProviderSmtp {
  readonly port: number
  /** Mechanisms of all AUTH commands, in order. */
  readonly mechanisms: readonly string[]
  /** Commands, AUTH without its secret. */
  readonly commands: readonly string[]
  readonly messages: readonly string[]
  /** Rejects if an access token was sent as a password, so that every such test fails. */
  stop(): Promise<void>
}

/** An SMTP server that responds with the words of a large provider. Loopback only. */
export async function startProviderSmtp(options: ProviderSmtpOptions): Promise<ProviderSmtp> {
  const seen: Seen = { mechanisms: [], commands: [], messages: [], leaks: [] }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const first = options.security === 'tls' ? secured(socket) : socket
    new Conversation(first, options, seen).begin(options.security === 'tls')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    ...seen,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      if (seen.leaks.length > 0) throw new Error(`An access token was sent by ${seen.leaks.join(', ')}.`)
    },
  }
}

interface Seen {
  mechanisms: string[]
  commands: string[]
  messages: string[]
  leaks: string[]
}

function secured(socket: Socket): TLSSocket {
  const tls = new TLSSocket(socket, { isServer: true, cert: certificate, key })
  tls.on('error', () => {})
  return tls
}

class Conversation {
  #socket: Socket
  #rest = ''
  #tls = false
  #user: string | null = null
  #body: string[] | null = null
  /** Receives the next line instead of a command. */
  #next: ((line: string) => void) | null = null

  readonly #options: ProviderSmtpOptions
  readonly #seen: Seen

  constructor(socket: Socket, options: ProviderSmtpOptions, seen: Seen) {
    this.#options = options
    this.#seen = seen

    this.#socket = socket
  }

  begin(tls: boolean): void {
    this.#tls = tls
    this.#listen()
    this.#say(this.#options.words.smtp.greeting)
  }

  #listen(): void {
    this.#socket.on('data', (bytes: Buffer) => {
      this.#rest += bytes.toString('latin1')
      for (let end = this.#rest.indexOf('\r\n'); end >= 0; end = this.#rest.indexOf('\r\n')) {
        const line = this.#rest.slice(0, end)
        this.#rest = this.#rest.slice(end + 2)
        this.#line(line)
      }
    })
  }

  #line(line: string): void {
    if (this.#body !== null) return this.#bodyLine(line)
    if (this.#next !== null) {
      const next = this.#next
      this.#next = null
      return next(line)
    }
    const [verb = '', ...words] = line.split(' ')
    this.#seen.commands.push(verb.toUpperCase() === 'AUTH' ? `AUTH ${words[0] ?? ''}` : line)
    this.#command(verb.toUpperCase(), words)
  }

  #command(verb: string, words: string[]): void {
    const { smtp } = this.#options.words
    switch (verb) {
      case 'EHLO':
        return this.#lines(250, this.#tls ? (this.#options.ehloSecured ?? smtp.ehloSecured) : smtp.ehloPlain)
      case 'STARTTLS':
        return this.#startTls()
      case 'AUTH':
        return this.#auth((words[0] ?? '').toUpperCase(), words[1])
      case 'QUIT':
        return void this.#socket.end('221 2.0.0 closing connection\r\n')
      case 'RSET':
        return this.#say('250 2.1.5 Flushed')
      case 'MAIL':
        return this.#say(
          this.#user === null ? '530 5.7.57 Client not authenticated to send mail.' : '250 2.1.0 Sender OK',
        )
      case 'RCPT':
        return this.#say('250 2.1.5 Recipient OK')
      case 'DATA':
        this.#body = []
        return this.#say('354 Start mail input; end with <CRLF>.<CRLF>')
      default:
        return this.#say('502 5.5.1 Unrecognized command')
    }
  }

  #startTls(): void {
    const plain = this.#socket
    plain.removeAllListeners('data')
    plain.write('220 2.0.0 SMTP server ready\r\n')
    this.#socket = secured(plain)
    this.#tls = true
    this.#rest = ''
    this.#listen()
  }

  #auth(mechanism: string, initial: string | undefined): void {
    this.#seen.mechanisms.push(mechanism)
    if (!this.#tls) return this.#say('530 5.7.0 Must issue a STARTTLS command first.')
    const offered = (this.#options.ehloSecured ?? this.#options.words.smtp.ehloSecured).join('\n')
    if (!new RegExp(`^AUTH .*\\b${mechanism}\\b`, 'm').test(offered))
      return this.#say('504 5.7.4 Unrecognized authentication type')
    if (mechanism === 'LOGIN')
      return this.#ask('VXNlcm5hbWU6', (user) =>
        this.#ask('UGFzc3dvcmQ6', (pass) => this.#password('LOGIN', user, pass)),
      )
    const check = (response: string): void =>
      mechanism === 'PLAIN' ? this.#plain(response) : this.#token(mechanism, response)
    if (initial === undefined) return this.#ask('', check)
    check(initial)
  }

  #ask(challenge: string, next: (line: string) => void): void {
    this.#next = next
    this.#say(`334 ${challenge}`)
  }

  #plain(response: string): void {
    const [, user = '', password = ''] = Buffer.from(response, 'base64').toString().split('\0')
    this.#password('PLAIN', Buffer.from(user).toString('base64'), Buffer.from(password).toString('base64'))
  }

  #password(mechanism: string, user64: string, password64: string): void {
    const user = Buffer.from(user64, 'base64').toString()
    const password = Buffer.from(password64, 'base64').toString()
    if (isAnyToken(this.#options.tokens ?? {}, password)) this.#seen.leaks.push(mechanism)
    this.#decide(user, this.#options.passwords?.[user] === password)
  }

  #token(mechanism: string, response: string): void {
    const fields = Buffer.from(response, 'base64').toString().split('\u0001')
    const [user, bearer] =
      mechanism === 'XOAUTH2'
        ? [/^user=(.*)$/.exec(fields[0] ?? '')?.[1], fields[1]]
        : [/^n,a=(.*),$/.exec(fields[0] ?? '')?.[1], fields.find((field) => field.startsWith('auth='))]
    const token = /^auth=Bearer (.+)$/.exec(bearer ?? '')?.[1] ?? ''
    const right =
      user !== undefined && fields.slice(-2).join('') === '' && isIssued(this.#options.tokens ?? {}, user, token)
    const { tokenChallenge } = this.#options.words.smtp
    if (right || tokenChallenge === null) return this.#decide(user ?? '', right)
    // The client cancels with an empty line (XOAUTH2) or with %x01 (RFC 7628, section 3.2.3).
    this.#ask(tokenChallenge, (line) => {
      if (line === (mechanism === 'XOAUTH2' ? '' : 'AQ==')) return this.#decide('', false)
      this.#say('501 5.5.2 Cannot Decode response')
    })
  }

  #decide(user: string, right: boolean): void {
    const { smtp } = this.#options.words
    if (right) this.#user = user
    this.#say(right ? smtp.loggedIn : smtp.refused)
  }

  #bodyLine(line: string): void {
    if (line !== '.') return void this.#body?.push(line.replace(/^\./, ''))
    this.#seen.messages.push((this.#body ?? []).join('\r\n'))
    this.#body = null
    this.#say(this.#options.words.smtp.accepted)
  }

  #lines(code: number, lines: readonly string[]): void {
    this.#say(lines.map((line, index) => `${code}${index < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n'))
  }

  #say(text: string): void {
    this.#socket.write(`${text}\r\n`)
  }
}
