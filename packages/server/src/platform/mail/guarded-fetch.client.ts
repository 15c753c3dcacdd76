import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { monotonicMs } from '../clock.ts'
import { checkTarget, type Reach } from './network-guard.client.ts'
import { hostAndPort, openUrl } from './url-connection.client.ts'

/** The server can't be reached, or gives an invalid response. */
export class UnreachableError extends Error {}

interface GuardedFetchOptions {
  getReach: (url: URL) => Reach
  /** The limit for one request, including its response. */
  timeoutMs: number
  answerBytesMax: number
}

interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: unknown
}

type GuardedFetch = (url: string, request: FetchRequest) => Promise<Response>

/**
 * Fetches only from addresses that were checked just now. Redirects are returned like other responses, and connections are not
 * kept open.
 */
export function createGuardedFetch({ getReach, timeoutMs, answerBytesMax }: GuardedFetchOptions): GuardedFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    const endMs = monotonicMs() + timeoutMs
    const checked = await checkTarget(hostAndPort(url), getReach(url), timeoutMs)
    if (checked.kind !== 'allowed') throw new UnreachableError(checked.message)
    const opened = await openUrl(checked.target, url, { endMs, signal: undefined })
    if (opened.kind === 'failed') throw new UnreachableError(opened.message)
    const text = body === undefined || body === null ? '' : String(body as string | URLSearchParams)
    const sent = { method, headers: { ...headers, 'content-length': String(Buffer.byteLength(text)) }, text }
    return ask(url, sent, { socket: opened.socket, leftMs: endMs - monotonicMs(), answerBytesMax })
  }
}

function ask(
  url: URL,
  { method, headers, text }: { method: string; headers: Record<string, string>; text: string },
  { socket, leftMs, answerBytesMax }: { socket: Socket; leftMs: number; answerBytesMax: number },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, createConnection: () => socket }
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
      readAnswer(answer, answerBytesMax)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          request.destroy()
        })
    })
    const late = new UnreachableError('The server did not answer in time.')
    const timer = setTimeout(() => request.destroy(late), Math.max(leftMs, 1))
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error instanceof UnreachableError ? error : new UnreachableError(error.message))
    })
    request.end(text)
  })
}

async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) throw new UnreachableError('The response of the server is too large.')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof UnreachableError ? error : new UnreachableError((error as Error).message)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 599) throw new UnreachableError('The response of the server has no status.')
  const hasNoBody = status === 204 || status === 205 || status === 304
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, headers })
}
