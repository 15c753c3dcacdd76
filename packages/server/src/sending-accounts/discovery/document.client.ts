import type { IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import { monotonicMs } from '../../platform/clock.ts'
import { checkTarget, connectInTurn, type Reach } from '../../platform/mail/network-guard.client.ts'
import { secureSocket } from './tls-socket.client.ts'

const redirectsMax = 2

interface DocumentAsk {
  reach: Reach
  /** The end on the monotonic clock. A document that has not arrived by then counts as missing. */
  endMs: number
  bytesMax: number
}

type Answer = { kind: 'text'; text: string } | { kind: 'elsewhere'; url: URL } | { kind: 'nothing' }

/** Reads a small document over https from checked addresses. Each redirect is checked too. Null if there is none. */
export async function getDocument(url: string, ask: DocumentAsk): Promise<string | null> {
  if (!URL.canParse(url)) return null
  let target = new URL(url)
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await askOnce(target, ask)
    if (answer.kind !== 'elsewhere') return answer.kind === 'text' ? answer.text : null
    target = answer.url
  }
  return null
}

async function askOnce(url: URL, ask: DocumentAsk): Promise<Answer> {
  const nothing: Answer = { kind: 'nothing' }
  const leftMs = ask.endMs - monotonicMs()
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || leftMs <= 0) return nothing
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const checked = await checkTarget({ host, port: Number(url.port || 443) }, ask.reach, leftMs)
  if (checked.kind !== 'allowed') return nothing
  const ownCertificate = ask.reach.allowPrivate && checked.target.loopback
  const socket = await connectInTurn<Socket | null>(checked.target, Math.max(ask.endMs - monotonicMs(), 1), {
    failed: () => null,
    async connected(plain, signal) {
      const value = await secureSocket(plain, { host, ownCertificate, leftMs: signal })
      return { value, next: value === null }
    },
  })
  return socket === null ? nothing : exchange(socket, url, ask)
}

function exchange(socket: Socket, url: URL, { endMs, bytesMax }: DocumentAsk): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ kind: 'nothing' }), Math.max(endMs - monotonicMs(), 1))
    const options: RequestOptions = {
      headers: { accept: 'text/xml, application/xml', 'accept-encoding': 'identity' },
      createConnection: () => socket,
    }
    const request = httpsRequest(url, options, (answer) => {
      void readAnswer(answer, url, bytesMax).then(finish)
    })
    request.on('error', () => finish({ kind: 'nothing' }))
    request.end()
    function finish(answer: Answer): void {
      clearTimeout(timer)
      request.destroy()
      socket.destroy()
      resolve(answer)
    }
  })
}

async function readAnswer(answer: IncomingMessage, url: URL, bytesMax: number): Promise<Answer> {
  const status = answer.statusCode ?? 0
  const location = answer.headers.location
  if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href))
    return { kind: 'elsewhere', url: new URL(location, url.href) }
  if (status !== 200) return { kind: 'nothing' }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bytesMax) return { kind: 'nothing' }
      chunks.push(chunk)
    }
  } catch {
    return { kind: 'nothing' }
  }
  return { kind: 'text', text: Buffer.concat(chunks).toString('utf8') }
}
