import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { foreignText } from '../ground/text/foreign-text.ts'
import { monotonicMs } from '../platform/clock.ts'
import { checkTarget, connectInTurn, type CheckedTarget, type Reach } from '../platform/mail/network-guard.client.ts'
import { tlsOptions } from '../platform/mail/smtp-connect.client.ts'
import type { PostResult } from './retry.ts'

const attemptTimeoutMs = 15_000
const resolveTimeoutMs = 5_000
const answerBytesMax = 65_536
/** The status is the answer: a body that drips is cut off, and what came of it is the excerpt. */
const answerBodyMsMax = 2_000

interface Post {
  url: string
  headers: Record<string, string>
  body: string
  reach: Reach
  /** Cuts the request off. */
  signal?: AbortSignal
}

/**
 * Posts once, to an address that was checked just now, or to the next where that one takes no connection: a name that
 * points elsewhere since the endpoint was created (rebinding) is refused like any other. Redirects are not followed.
 * Never throws.
 */
export async function postWebhook(post: Post, timeoutMs: number = attemptTimeoutMs): Promise<PostResult> {
  const startedMs = monotonicMs()
  const failed = (error: string): PostResult => ({
    kind: 'failed',
    error: foreignText(error),
    durationMs: elapsed(startedMs),
  })
  const target = new URL(post.url)
  const endMs = startedMs + timeoutMs
  const checked = await checkTarget(hostAndPort(target), post.reach, resolveTimeoutMs)
  if (checked.kind !== 'allowed') return failed(checked.message)
  try {
    const opened = await open(checked.target, target, { endMs, signal: post.signal })
    if (opened.kind === 'failed') return failed(opened.message)
    return await send(post, target, { socket: opened.socket, endMs, startedMs, timeoutMs })
  } catch (error) {
    return failed(error instanceof Error ? error.message || error.name : String(error))
  }
}

/** Why a URL may not be a target, or null. A name that does not resolve now is checked again at every delivery. */
export async function refusalOfTarget(url: string, reach: Reach): Promise<string | null> {
  const target = new URL(url)
  if (target.username !== '' || target.password !== '') return 'A URL with a user name or password is not accepted.'
  const checked = await checkTarget(hostAndPort(target), reach, resolveTimeoutMs)
  return checked.kind === 'forbidden' ? checked.message : null
}

type OpenResult = { kind: 'open'; socket: Socket } | { kind: 'failed'; message: string }

/** A connection to the first address that has one for us, TLS included. */
async function open(
  checked: CheckedTarget,
  target: URL,
  { endMs, signal }: { endMs: number; signal: AbortSignal | undefined },
): Promise<OpenResult> {
  signal?.throwIfAborted()
  const opened = connectInTurn<OpenResult>(checked, endMs - monotonicMs(), {
    failed: ({ message }) => ({ kind: 'failed', message }),
    async connected(socket, leftMs) {
      const value: OpenResult =
        target.protocol === 'https:' ? await secure(socket, checked.host, leftMs) : { kind: 'open', socket }
      return { value, next: value.kind === 'failed' && signal?.aborted !== true }
    },
  })
  if (signal === undefined) return opened
  return untilAborted(opened, signal)
}

/** TLS within its time; the certificate is verified against the name, not the address. */
function secure(socket: Socket, host: string, leftMs: number): Promise<OpenResult> {
  return new Promise((resolve) => {
    const secured = connectTls({ ...tlsOptions(host, false), socket, ALPNProtocols: ['http/1.1'] })
    const timer = setTimeout(() => secured.destroy(new Error('TLS was not agreed in time.')), leftMs)
    secured.on('error', (error) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ kind: 'failed', message: error.message })
    })
    secured.once('secureConnect', () => {
      clearTimeout(timer)
      resolve({ kind: 'open', socket: secured })
    })
  })
}

// A connection that comes after all is closed at once.
function untilAborted(opening: Promise<OpenResult>, signal: AbortSignal): Promise<OpenResult> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error)
      void opening.then((opened) => opened.kind === 'open' && opened.socket.destroy())
    }
    signal.addEventListener('abort', stop, { once: true })
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface Attempt {
  socket: Socket
  timeoutMs: number
  startedMs: number
  endMs: number
}

function send(post: Post, target: URL, attempt: Attempt): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      signal: post.signal,
      headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      createConnection: () => attempt.socket,
    }
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, (answer) => {
      void readAnswer(answer).then((excerpt) => {
        clearTimeout(timer)
        request.destroy()
        const retryAfter = answer.headers['retry-after'] ?? null
        resolve({
          kind: 'answered',
          status: answer.statusCode ?? 0,
          retryAfter,
          excerpt,
          durationMs: elapsed(attempt.startedMs),
        })
      })
    })
    const timer = setTimeout(
      () => request.destroy(new Error(`No answer within ${attempt.timeoutMs / 1000} s.`)),
      Math.max(attempt.endMs - monotonicMs(), 1),
    )
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    request.end(post.body)
  })
}

/** The beginning of the body, as it came: nothing is unpacked. Bounded in bytes and in time; never rejects. */
function readAnswer(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = () => {
      clearTimeout(timer)
      resolve(foreignText(Buffer.concat(chunks).toString('utf8')))
    }
    const timer = setTimeout(done, answerBodyMsMax)
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= answerBytesMax) done()
    })
    answer.on('end', done)
    answer.on('error', done)
    answer.on('close', done)
  })
}

function hostAndPort(target: URL): { host: string; port: number } {
  const usual = target.protocol === 'https:' ? 443 : 80
  return { host: target.hostname.replace(/^\[|\]$/g, ''), port: target.port === '' ? usual : Number(target.port) }
}

function elapsed(startedMs: number): number {
  return Math.round(monotonicMs() - startedMs)
}
