import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Starts clients that send a request a few bytes at a time and never finish it: a header, a JSON body or an upload. */
export function startSlowClients(options: { url: string; key: string; campaignId: string; count: number }): {
  stop(): void
} {
  const { hostname, port } = new URL(options.url)
  const authorization = `Authorization: Bearer ${options.key}`
  const beginnings = [
    `GET /v2/account HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    `POST /v2/campaigns HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 900000\r\n\r\n{"name": "',
    `POST /v2/campaigns/${options.campaignId}/leads/import HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: text/csv\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n6\r\nemail\n\r\n',
  ]
  const sockets = new Set<Socket>()
  let stopped = false
  const open = (index: number): void => {
    if (stopped) return
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    const drip = setInterval(() => socket.write(index % 3 === 2 ? '2\r\na,\r\n' : 'a'), 1_000)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearInterval(drip)
      sockets.delete(socket)
      setTimeout(() => open(index), 250)
    })
    socket.resume()
    socket.write(beginnings[index % beginnings.length] ?? '')
  }
  for (let index = 0; index < options.count; index++) open(index)
  return {
    stop() {
      stopped = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

export interface BadReceivers {
  /** The receivers in order: never responds, sends bytes slowly without end, responds 500 with a large body, closes the connection. */
  urls: string[]
  stop(): Promise<void>
}

/** Starts webhook receivers that misbehave. */
export async function startBadReceivers(): Promise<BadReceivers> {
  const behaviours: ((socket: Socket) => void)[] = [
    () => undefined,
    (socket) => drip(socket),
    (socket) => socket.end(`HTTP/1.1 500 No\r\nConnection: close\r\n\r\n${'x'.repeat(999)}😀${'x'.repeat(1_000_000)}`),
    (socket) => socket.destroy(),
  ]
  const sockets = new Set<Socket>()
  const servers: Server[] = []
  for (const behave of behaviours) {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
      socket.once('data', () => behave(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
  }
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  const timer = setInterval(() => socket.write('X-Slow: 1\r\n'), 500)
  socket.once('close', () => clearInterval(timer))
}
