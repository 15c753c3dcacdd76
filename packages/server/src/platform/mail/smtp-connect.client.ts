import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { monotonicMs } from '../clock.ts'
import { checkTarget, connectInTurn, type Reach } from './network-guard.client.ts'
import {
  droppedBefore,
  refusedBy,
  type SmtpDropped,
  type SmtpPoint,
  type SmtpRefused,
  type SmtpStage,
} from './smtp-result.ts'
import { parseExtensions, type SmtpExtensions } from './smtp-answers.ts'
import { SmtpWire } from './smtp-wire.client.ts'
import { bearerCancel, bearerMechanism, bearerResponse } from './bearer-login.ts'
import { loginTurns } from './login-turns.ts'

export type MailSecurity = 'tls' | 'starttls' | 'none'

export type MailAuth =
  | { kind: 'password'; username: string; password: string }
  | { kind: 'xoauth2'; username: string; accessToken: string }

interface SmtpTimeoutsMs {
  /** The limit for name lookup, TCP, TLS and greeting together, over all addresses. */
  connect: number
  auth: number
  /** From MAIL to the 354 reply. */
  command: number
  /** The whole body, without the gate. */
  body: number
  /** From the end of the message to its reply. */
  answer: number
}

export const defaultSmtpTimeoutsMs: SmtpTimeoutsMs = {
  connect: 15_000,
  auth: 15_000,
  command: 20_000,
  body: 30_000,
  answer: 45_000,
}

export interface SmtpConnectOptions {
  host: string
  port: number
  security: MailSecurity
  /** Null for no login. */
  auth: MailAuth | null
  /** The name in EHLO. */
  clientName?: string
  timeoutsMs: SmtpTimeoutsMs
  /** If private targets are allowed, servers on this machine may use a self-signed certificate. */
  reach: Reach
  onPoint?: (point: SmtpPoint) => Promise<void> | void
}

type OpenedSmtpConnection = { kind: 'open'; wire: SmtpWire; extensions: SmtpExtensions } | SmtpRefused | SmtpDropped

type GreetedConnection = { kind: 'open'; connection: SMTPConnection; socket: Socket } | SmtpRefused | SmtpDropped

type Step = { kind: 'done' } | SmtpRefused | SmtpDropped

/** Resolves, checks, connects, secures, greets and logs in, when the server's login queue allows it. */
export function openSmtpConnection(options: SmtpConnectOptions): Promise<OpenedSmtpConnection> {
  return loginTurns.run(options, () => connectAndLogIn(options))
}

async function connectAndLogIn(options: SmtpConnectOptions): Promise<OpenedSmtpConnection> {
  await options.onPoint?.('connect')
  const { host, port, reach, timeoutsMs } = options
  const endMs = monotonicMs() + timeoutsMs.connect
  const checked = await checkTarget({ host, port }, reach, timeoutsMs.connect)
  if (checked.kind !== 'allowed') {
    return droppedBefore('connect', checked.kind === 'forbidden' ? 'forbidden_target' : 'unresolved', checked.message)
  }
  const tls = tlsOptions(host, reach.allowPrivate && checked.target.loopback)
  const opened = await connectInTurn<GreetedConnection>(checked.target, endMs - monotonicMs(), {
    failed: ({ timedOut, message }) => droppedBefore('connect', timedOut ? 'timeout' : 'closed', message),
    async connected(socket, leftMs) {
      const value = await greet(socket, options, { tls, leftMs })
      return { value, next: value.kind === 'dropped' }
    },
  })
  if (opened.kind !== 'open') return opened
  const { connection, socket } = opened
  const greeting = connection.lastServerResponse || ''
  if (options.auth === null) return takeOver(connection, socket, greeting)
  await options.onPoint?.('auth')
  const login = toLogin(options.auth)
  if (options.auth.kind === 'xoauth2' && bearerMechanism(greeting) === null)
    return giveUp(connection, socket, droppedBefore('auth', 'protocol', noBearer))
  const loggedIn = await step(connection, 'auth', timeoutsMs.auth, (done) => connection.login(login, done))
  if (loggedIn.kind !== 'done') return giveUp(connection, socket, loggedIn)
  return takeOver(connection, socket, greeting)
}

/** The listeners of nodemailer on its socket, with their events. Its version is pinned, and a test counts the remaining listeners. */
const listeners = [
  ['data', '_onSocketData'],
  ['error', '_onSocketError'],
  ['error', '_onConnectionSocketError'],
  ['close', '_onSocketClose'],
  ['end', '_onSocketEnd'],
  ['timeout', '_onSocketTimeout'],
] as const

type ClientParts = Record<(typeof listeners)[number][1], (...values: unknown[]) => void> & {
  _remainder: string
  _responseQueue: string[]
}

/** Takes the connection over from nodemailer: our own protocol code needs fewer streams, timers and copies per message. */
function takeOver(connection: SMTPConnection, below: Socket, greeting: string): OpenedSmtpConnection {
  const socket = connection._socket
  if (!socket) return droppedBefore('connect', 'closed', 'The server closed the connection.')
  const parts = connection as unknown as ClientParts
  socket.setTimeout(0)
  for (const [event, listener] of listeners) socket.removeListener(event, parts[listener])
  // Unrequested output of the server is passed on, so that the next reader finds it.
  const received = [...parts._responseQueue.splice(0).map((answer) => `${answer}\r\n`), parts._remainder].join('')
  parts._remainder = ''
  return { kind: 'open', wire: new SmtpWire({ socket, below, received }), extensions: parseExtensions(greeting) }
}

/** Connects to a server up to its greeting, over TLS if requested. A server that does not reply in time is dropped. */
async function greet(
  socket: Socket,
  options: SmtpConnectOptions,
  { tls, leftMs }: { tls: ReturnType<typeof tlsOptions>; leftMs: number },
): Promise<GreetedConnection> {
  const endMs = monotonicMs() + leftMs
  const secured = options.security === 'tls' ? await secure(socket, tls, leftMs) : socket
  if ('kind' in secured) return secured
  const connection = createConnection(secured, options, tls)
  const greetMs = Math.max(endMs - monotonicMs(), 1)
  const greeted = await step(connection, 'connect', greetMs, (done) => connection.connect(done))
  return greeted.kind === 'done' ? { kind: 'open', connection, socket: secured } : giveUp(connection, secured, greeted)
}

/** Certificates are verified against the name. SNI is empty for a literal address, which has no name. */
export function tlsOptions(host: string, ownCertificate: boolean) {
  return {
    servername: isIP(host) === 0 ? host : undefined,
    host,
    rejectUnauthorized: !ownCertificate,
    minVersion: 'TLSv1.2' as const,
  }
}

function createConnection(
  socket: Socket,
  options: SmtpConnectOptions,
  tls: ReturnType<typeof tlsOptions>,
): SMTPConnection {
  const connection = new SMTPConnection({
    connection: socket,
    host: options.host,
    port: options.port,
    secure: options.security === 'tls',
    secured: options.security === 'tls',
    requireTLS: options.security === 'starttls',
    ignoreTLS: options.security === 'none',
    name: options.clientName,
    tls: { servername: tls.servername, rejectUnauthorized: tls.rejectUnauthorized, minVersion: tls.minVersion },
    connectionTimeout: options.timeoutsMs.connect,
    greetingTimeout: options.timeoutsMs.connect,
    // Each step has its own limit here, so the client's limit on silence is much longer.
    socketTimeout: 15 * minuteMs,
    customAuth: { [bearerMethod]: (context) => sayBearer(context, connection.lastServerResponse || '', options) },
  })
  // Without a listener, an error of an idle connection would end the process. Every step gets its result by other means.
  connection.on('error', () => {})
  return connection
}

interface ClientError extends Error {
  code?: string
  response?: string
}

/** Runs one step of the client, which reports a failure by callback or by event, sometimes by neither. */
function step(
  connection: SMTPConnection,
  stage: SmtpStage,
  timeoutMs: number,
  run: (done: (error?: Error | null) => void) => void,
): Promise<Step> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => finish(droppedBefore(stage, 'timeout', 'The server did not answer in time.')),
      timeoutMs,
    )
    const onEnd = (): void => finish(droppedBefore(stage, 'closed', 'The server closed the connection.'))
    connection.once('error', fail)
    connection.once('end', onEnd)
    run((error) => (error ? fail(error) : finish({ kind: 'done' })))
    function fail(error: ClientError): void {
      const reason =
        error.code === 'ETLS'
          ? 'tls'
          : error.code === 'ETIMEDOUT'
            ? 'timeout'
            : error.code === 'EPROTOCOL'
              ? 'protocol'
              : 'closed'
      const refused = error.response === undefined ? null : refusedBy(stage, error.response)
      finish(refused ?? droppedBefore(stage, reason, error.message))
    }
    function finish(result: Step): void {
      clearTimeout(timer)
      connection.removeListener('error', fail)
      connection.removeListener('end', onEnd)
      resolve(result)
    }
  })
}

// A name that no server offers: nodemailer replaces the method XOAUTH2 by the first mechanism that the server offers,
// which at Gmail and Microsoft sends the token as a password.
const bearerMethod = 'OVERTURE-BEARER'
const noBearer = 'The server offers no login with an access token (XOAUTH2 or OAUTHBEARER).'

function toLogin(auth: MailAuth) {
  if (auth.kind === 'password') return { user: auth.username, pass: auth.password }
  return { user: auth.username, pass: auth.accessToken, method: bearerMethod }
}

interface CustomAuth {
  auth: { credentials: { user: string; pass: string } }
  sendCommand(command: string): Promise<{ status: number; response: string }>
}

async function sayBearer(
  context: CustomAuth,
  ehloReply: string,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const mechanism = bearerMechanism(ehloReply)
  if (mechanism === null) throw new Error(noBearer)
  const { user: username, pass: accessToken } = context.auth.credentials
  const response = bearerResponse({ mechanism, username, accessToken, host, port })
  let answer = await context.sendCommand(`AUTH ${mechanism} ${response}`)
  // A refusal can come as a challenge that contains the reason; the server sends its final reply once it is cancelled.
  if (answer.status === 334) answer = await context.sendCommand(bearerCancel(mechanism))
  if (answer.status < 200 || answer.status > 299) throw new Error('Invalid login')
}

function secure(
  socket: Socket,
  options: ReturnType<typeof tlsOptions>,
  timeoutMs: number,
): Promise<Socket | SmtpDropped> {
  return new Promise((resolve) => {
    const secured = connectTls({ ...options, socket })
    const timer = setTimeout(() => fail('timeout', 'TLS was not agreed in time.'), timeoutMs)
    const onError = (error: Error): void => fail('tls', error.message)
    const onClose = (): void => fail('closed', 'The server closed the connection during TLS.')
    secured.once('error', onError)
    secured.once('close', onClose)
    secured.once('secureConnect', () => {
      clearTimeout(timer)
      secured.removeListener('error', onError)
      secured.removeListener('close', onClose)
      resolve(secured)
    })
    function fail(reason: 'timeout' | 'tls' | 'closed', message: string): void {
      clearTimeout(timer)
      secured.on('error', () => {})
      secured.destroy()
      socket.destroy()
      resolve(droppedBefore('connect', reason, message))
    }
  })
}

function giveUp(
  connection: SMTPConnection,
  socket: Socket,
  result: SmtpRefused | SmtpDropped,
): SmtpRefused | SmtpDropped {
  connection.close()
  socket.destroy()
  return result
}
