import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * The fate of a request on the network. `pass` forwards it, `lost` never delivers it, and `twice` delivers it twice. `cut` and `half`
 * break the response off before or within its body. A `status` is the proxy's own response, and `delayMs` delays the response.
 */
export type Fate = 'pass' | 'lost' | 'cut' | 'half' | 'twice' | { status: number } | { delayMs: number }

export interface AnswerProxy {
  url: string
  /** Fates of the next requests, in order. Later requests pass. */
  fates: Fate[]
  /** Each request with its arrival time and the server's status. */
  seen: { atMs: number; method: string; path: string; key: string | undefined; status: number | null }[]
  stop(): Promise<void>
}

/** Starts a proxy between a client and a server on loopback that simulates network faults. */
export async function startAnswerProxy(target: string): Promise<AnswerProxy> {
  const fates: Fate[] = []
  const seen: AnswerProxy['seen'] = []
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = fates.shift() ?? 'pass'
    const key = incoming.headers['idempotency-key']
    const entry: AnswerProxy['seen'][number] = {
      atMs: Date.now(),
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      key: Array.isArray(key) ? key[0] : key,
      status: null,
    }
    seen.push(entry)
    const body = await buffer(incoming)
    if (fate === 'lost') return void incoming.socket.destroy()
    if (typeof fate === 'object' && 'status' in fate) return void outgoing.writeHead(fate.status).end('<html>')
    const answer = await forward(target, incoming, body)
    entry.status = answer.status
    if (fate === 'twice') await forward(target, incoming, body)
    if (fate === 'cut') return void incoming.socket.destroy()
    if (typeof fate === 'object') await new Promise((resolve) => setTimeout(resolve, fate.delayMs))
    outgoing.writeHead(answer.status, answer.headers)
    if (fate !== 'half') return void outgoing.end(answer.body)
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => incoming.socket.destroy())
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    seen,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Forwarded {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function forward(target: string, incoming: IncomingMessage, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const headers = { ...incoming.headers, host: new URL(target).host }
    const outgoing = request(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
