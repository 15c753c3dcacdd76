import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface AcceptedMail {
  from: string
  to: string[]
  raw: Buffer
  /** The value of the Message-ID header with its brackets, or null if there is none. */
  messageId: string | null
  sessionId: string
  user: string | null
  secure: boolean
  /** When the server replied to the end of the message, on the monotonic clock. */
  atMs: number
}

/** `end` is after the server read the terminator and before its reply. `answer` is after the message was stored. */
export type SmtpDoubleStage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'end' | 'answer'

/**
 * A fault at a stage. `stall` never replies. `drop` destroys the connection. A reply replaces the normal one; at `body` it is sent in
 * the middle of the body. `bytes` are written unchanged before the connection is dropped.
 */
export interface SmtpFault {
  stage: SmtpDoubleStage
  action: 'stall' | 'drop' | { code: number; text: string } | { bytes: string | Uint8Array }
  /** How often the fault happens. Default: always. */
  times?: number
  /** Only for this recipient (`rcpt`) or login (`auth`). */
  only?: string
}

export interface SmtpDoubleOptions {
  security?: 'none' | 'starttls' | 'tls'
  /** Passwords by login. If undefined, the server offers no login. */
  users?: Record<string, string>
  /** Access tokens by login; PLAIN and LOGIN don't accept them. */
  tokens?: Record<string, string>
  pipelining?: boolean
  port?: number
  sizeMax?: number
}

export interface SmtpDouble {
  readonly port: number
  /** Every message that got a positive reply, even if the reply was lost. */
  readonly accepted: AcceptedMail[]
  /** The number of connections since the start. */
  readonly connectionCount: number
  readonly openConnections: number
  /** The number of bodies that were begun, including unfinished ones. */
  readonly bodiesBegun: number
  faults: SmtpFault[]
  /** Called at every stage, before a fault acts. */
  onStage: ((stage: SmtpDoubleStage) => void) | null
  /** Rejects if an access token was sent as a password. */
  stop(): Promise<void>
}

/** The internals of smtp-server's connection that faults use. */
interface Wire {
  id: string
  _socket: Socket
  send(code: number, text: string): void
  handler_DATA(command: unknown, done: () => void): void
}

/** Starts a real SMTP server (npm smtp-server) that can misbehave at any stage. Loopback only. */
export async function startSmtpDouble(options: SmtpDoubleOptions = {}): Promise<SmtpDouble> {
  const state = { accepted: [] as AcceptedMail[], faults: [] as SmtpFault[], connectionCount: 0, bodiesBegun: 0 }
  const leaks: string[] = []
  const double = { onStage: null as SmtpDouble['onStage'] }
  const strike = (stage: SmtpDoubleStage, subject?: string): SmtpFault['action'] | null => {
    double.onStage?.(stage)
    return takeFault(state.faults, stage, subject)
  }
  const findWire = (session: SMTPServerSession): Wire | undefined => {
    for (const connection of server.connections as unknown as Set<Wire>)
      if (connection.id === session.id) return connection
    return undefined
  }
  type Done = (error?: Error | null) => void
  const act = (action: SmtpFault['action'] | null, session: SMTPServerSession, done: Done): void => {
    if (action === null) return done()
    if (action === 'stall') return
    if (action === 'drop') return void findWire(session)?._socket.destroy()
    if ('bytes' in action) return void findWire(session)?._socket.end(action.bytes)
    done(Object.assign(new Error(action.text), { responseCode: action.code }))
  }
  const server = new SMTPServer({
    secure: options.security === 'tls',
    ...(options.security === 'none' || options.security === undefined ? { disabledCommands: ['STARTTLS'] } : {}),
    authOptional: options.users === undefined,
    // The same order as Gmail.
    authMethods: options.users === undefined ? [] : ['LOGIN', 'PLAIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    hidePIPELINING: options.pipelining === false,
    size: options.sizeMax,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onConnect(session, done) {
      state.connectionCount++
      const wire = findWire(session)
      if (wire !== undefined) hookData(wire, () => strike('data'))
      act(strike('connect'), session, done)
    },
    onAuth(auth, session, done) {
      const user = auth.username ?? ''
      act(strike('auth', user), session, (error) => {
        if (error) return done(error)
        if (auth.method === 'XOAUTH2') {
          if (options.tokens?.[user] !== undefined && options.tokens[user] === auth.accessToken)
            return done(null, { user })
          return done(null, { data: { status: '400', schemes: 'Bearer', scope: 'https://mail.google.com/' } })
        }
        if (Object.values(options.tokens ?? {}).includes(auth.password ?? '')) leaks.push(auth.method)
        if (options.users?.[user] === auth.password) return done(null, { user })
        done(Object.assign(new Error('5.7.8 Authentication credentials invalid'), { responseCode: 535 }))
      })
    },
    onMailFrom: (_address, session, done) => act(strike('mail'), session, done),
    onRcptTo: (address, session, done) => act(strike('rcpt', address.address), session, done),
    onData(stream, session, done) {
      state.bodiesBegun++
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (chunks.length === 1)
          act(strike('body'), session, (error) => {
            if (error) findWire(session)?.send((error as { responseCode?: number }).responseCode ?? 550, error.message)
          })
      })
      stream.on('end', () =>
        act(strike('end'), session, (error) => {
          if (error) return done(error)
          state.accepted.push(toAccepted(Buffer.concat(chunks), session))
          act(strike('answer'), session, (lie) => done(lie))
        }),
      )
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => void server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const port = (server.server.address() as AddressInfo).port
  return {
    port,
    accepted: state.accepted,
    get connectionCount() {
      return state.connectionCount
    },
    get openConnections() {
      return server.connections.size
    },
    get bodiesBegun() {
      return state.bodiesBegun
    },
    get faults() {
      return state.faults
    },
    set faults(faults) {
      state.faults = faults.map((fault) => ({ ...fault }))
    },
    get onStage() {
      return double.onStage
    },
    set onStage(callback) {
      double.onStage = callback
    },
    async stop() {
      await stop(server)
      if (leaks.length > 0) throw new Error(`An access token was sent by ${leaks.join(', ')}.`)
    },
  }
}

/** smtp-server has no hook for DATA itself. */
function hookData(wire: Wire, strike: () => SmtpFault['action'] | null): void {
  const original = wire.handler_DATA.bind(wire)
  wire.handler_DATA = (command, done) => {
    const action = strike()
    if (action === null) return original(command, done)
    if (action === 'stall') return
    if (action === 'drop') return void wire._socket.destroy()
    if ('bytes' in action) return void wire._socket.end(action.bytes)
    wire.send(action.code, action.text)
    done()
  }
}

function takeFault(
  faults: SmtpFault[],
  stage: SmtpDoubleStage,
  subject: string | undefined,
): SmtpFault['action'] | null {
  const fault = faults.find(
    (entry) => entry.stage === stage && entry.times !== 0 && (entry.only === undefined || entry.only === subject),
  )
  if (fault === undefined) return null
  if (fault.times !== undefined) fault.times--
  return fault.action
}

function toAccepted(raw: Buffer, session: SMTPServerSession): AcceptedMail {
  const { mailFrom, rcptTo } = session.envelope
  const head = raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map((address) => address.address),
    raw,
    messageId: /^message-id:\s*(<[^>]*>)/im.exec(head)?.[1] ?? null,
    sessionId: session.id,
    user: typeof session.user === 'string' ? session.user : null,
    secure: session.secure,
    atMs: performance.now(),
  }
}

function stop(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => {
    for (const connection of server.connections as unknown as Set<Wire>) connection._socket.destroy()
    server.close(() => resolve())
  })
}
