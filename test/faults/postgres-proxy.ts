import { createServer, connect, type Server, type Socket } from 'node:net'

/**
 * A proxy between a worker and PostgreSQL. With `cut`, a connection breaks before PostgreSQL receives a query. With `swallow`,
 * PostgreSQL gets the query and the connection breaks before the response is read, so a commit is in doubt. The mode `silent`
 * simulates a host that vanished: nothing arrives and no connection breaks. Connections that are used in this mode stay dead
 * permanently.
 */
export interface PostgresProxy {
  url: string
  mode: 'pass' | 'cut' | 'swallow' | 'silent'
  /** Connections that were broken because of the mode. */
  readonly broken: number
  stop(): Promise<void>
}

const swallowMs = 150

export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const to = parseAddress(target)
  const sockets = new Set<Socket>()
  const dead = new Set<() => boolean>()
  let mode: PostgresProxy['mode'] = 'pass'
  let broken = 0
  const proxy: PostgresProxy = {
    url: '',
    get mode() {
      return mode
    },
    get broken() {
      return broken
    },
    set mode(next) {
      mode = next
      for (const dies of dead) dies()
    },
    stop: () => stop(server, sockets),
  }
  const server = createServer((client) => {
    const upstream = 'path' in to ? connect(to.path) : connect(to.port, to.host)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    let isDead = false
    const dies = (): boolean => (isDead ||= proxy.mode === 'silent')
    dead.add(dies)
    client.once('close', () => dead.delete(dies))
    const breakOff = (): void => {
      if (!client.destroyed) broken += 1
      end()
    }
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    client.on('close', end)
    upstream.on('close', end)
    client.on('data', (bytes: Buffer) => {
      if (dies()) return
      if (proxy.mode === 'cut') return breakOff()
      if (proxy.mode === 'swallow') setTimeout(breakOff, swallowMs)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (dies()) return
      if (proxy.mode === 'pass') client.write(bytes)
      // This includes responses to earlier queries: a connection that loses a response always breaks.
      else setTimeout(breakOff, swallowMs)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(target)
  const user = url.username || (url.searchParams.get('user') ?? 'postgres')
  const password = url.password === '' ? '' : `:${url.password}`
  proxy.url = `postgres://${user}${password}@127.0.0.1:${typeof address === 'object' ? address?.port : 0}${url.pathname}`
  return proxy
}

function parseAddress(target: string): { path: string } | { host: string; port: number } {
  const url = new URL(target)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function stop(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise((resolve) => server.close(() => resolve()))
}
