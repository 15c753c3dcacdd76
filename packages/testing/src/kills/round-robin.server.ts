import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  url: string
  stop(): Promise<void>
}

/** Forwards each request to the next server in turn, like a load balancer without health checks. Responds 502 if that server is down. */
export async function startRoundRobin(targets: () => readonly string[]): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const urls = targets()
    pass(incoming, outgoing, urls[turn++ % urls.length] as string)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
  const { method, headers } = incoming
  const forwarded = request(new URL(incoming.url ?? '/', target), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  forwarded.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end()
  })
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}
