import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { monotonicMs } from '../platform/clock.ts'
import { checkTarget, type Reach } from '../platform/mail/network-guard.client.ts'
import { hostAndPort, openUrl } from '../platform/mail/url-connection.client.ts'
import type { PostResult } from './retry.ts'

export const attemptTimeoutMs = 15_000
const resolveTimeoutMs = 5_000
const answerBytesMax = 65_536
/** Only the status matters. A slow body is cut off after this time, and the excerpt is what has arrived. */
const answerBodyMsMax = 2_000

interface Post {
  url: string
  headers: Record<string, string>
  body: string
  reach: Reach
  /** Aborts the request. */
  signal?: AbortSignal
}

/**
 * Posts once, to an address that was checked just now, or to the next address if the connection is refused. A name that was
 * pointed to a private address after the endpoint was created (DNS rebinding) is refused like any other. Redirects are not
 * followed. Never throws.
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
    const opened = await openUrl(checked.target, target, { endMs, signal: post.signal })
    if (opened.kind === 'failed') return failed(opened.message)
    return await send(post, target, { socket: opened.socket, endMs, startedMs, timeoutMs })
  } catch (error) {
    return failed(error instanceof Error ? error.message || error.name : String(error))
  }
}

/** Returns why a URL is not allowed as a target, or null. A name that does not resolve now is checked again at every delivery. */
export async function refusalOfTarget(url: string, reach: Reach): Promise<string | null> {
  const target = new URL(url)
  if (target.username !== '' || target.password !== '') return 'The URL must not contain a user name or password.'
  const checked = await checkTarget(hostAndPort(target), reach, resolveTimeoutMs)
  return checked.kind === 'forbidden' ? checked.message : null
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
      () => request.destroy(new Error(`No response within ${attempt.timeoutMs / 1000} s.`)),
      Math.max(attempt.endMs - monotonicMs(), 1),
    )
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    request.end(post.body)
  })
}

/** Reads the start of the body without decompression, limited in bytes and time. Never rejects. */
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

function elapsed(startedMs: number): number {
  return Math.round(monotonicMs() - startedMs)
}
