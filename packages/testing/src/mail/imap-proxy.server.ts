import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface ImapProxy {
  readonly port: number
  /** Every line that a client sent, without its tag; logins without their secrets. */
  readonly commands: string[]
  readonly connectionCount: number
  /**
   * Selects the command that breaks a connection, before the server receives it or when the server starts to respond. Connections and
   * commands are counted from one. Null keeps the connection.
   */
  cut: (connection: number) => { command: number; when: 'before' | 'after' } | null
  dropAll(): void
  stop(): Promise<void>
}

/** Proxies a real IMAP server and breaks connections at a chosen command. Loopback only. */
export async function startImapProxy(target: { port: number }): Promise<ImapProxy> {
  const state = { commands: [] as string[], connectionCount: 0 }
  const sockets = new Set<Socket>()
  const double = { cut: (() => null) as ImapProxy['cut'] }
  const server = createServer((client) => {
    state.connectionCount++
    const upstream = connect(target.port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    relay({ client, upstream, commands: state.commands, cut: double.cut(state.connectionCount) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    commands: state.commands,
    get connectionCount() {
      return state.connectionCount
    },
    get cut() {
      return double.cut
    },
    set cut(cut) {
      double.cut = cut
    },
    dropAll: () => sockets.forEach((socket) => socket.destroy()),
    stop: () =>
      new Promise((resolve) => {
        sockets.forEach((socket) => socket.destroy())
        server.close(() => resolve())
      }),
  }
}

interface Relaying {
  client: Socket
  upstream: Socket
  commands: string[]
  cut: ReturnType<ImapProxy['cut']>
}

function relay({ client, upstream, commands, cut }: Relaying): void {
  let count = 0
  let cutting = false
  client.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('latin1').split('\r\n').filter(Boolean)) {
      count++
      // The line after AUTHENTICATE is a secret of one word, so it is not recorded.
      if (/^\w+ \w/.test(line) || line === 'DONE')
        commands.push(/^\S+ (?:LOGIN|AUTHENTICATE)/i.test(line) ? 'LOGIN' : line.replace(/^\w+ /, ''))
    }
    if (cut !== null && count >= cut.command) {
      if (cut.when === 'before') return void client.destroy()
      cutting = true
    }
    upstream.write(chunk)
  })
  upstream.on('data', (chunk: Buffer) => {
    if (cutting) return void client.destroy()
    client.write(chunk)
  })
}
