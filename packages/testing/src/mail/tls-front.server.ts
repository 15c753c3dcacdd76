import { connect, type AddressInfo, type Socket } from 'node:net'
import { createServer } from 'node:tls'

/** A self-signed certificate, valid for a hundred years. Its key is public, so it proves nothing. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIURIG5nDnU1hFaG1g6ez9IWQBw4f0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA2NTY0NloYDzIxMjYxMDI5
MDY1NjQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQOXglN9OsjRphEw+PGCuhum2NGzamw2stwVySaS2O2BNjkoEgPP8si
qh0mDyNvkQY1bmbD6ZqF+rPtshCuRw8jo2kwZzAdBgNVHQ4EFgQU9UmQHZvXu7Dc
71FohzimotQYgBcwHwYDVR0jBBgwFoAU9UmQHZvXu7Dc71FohzimotQYgBcwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgTYPOsgL8G5RJRf+CwNQpP1TgJJj2HLxqG2UllHADeFUCIH1553w5+fwp
hjKb7MoVzvX4vV/QQRp52W3uov21xjcp
-----END CERTIFICATE-----`
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkcGgJeLOVTXl1ObC
Auqr4+3Enia5DlYmLtBLUvTKiXahRANCAAQOXglN9OsjRphEw+PGCuhum2NGzamw
2stwVySaS2O2BNjkoEgPP8siqh0mDyNvkQY1bmbD6ZqF+rPtshCuRw8j
-----END PRIVATE KEY-----`

export interface TlsFront {
  readonly port: number
  /** The number of connections since the start. */
  readonly connectionCount: number
  stop(): Promise<void>
}

/** Starts a TLS server on a free loopback port and passes its connections to `serve`. */
export async function startTlsFront(serve: (socket: Socket) => void): Promise<TlsFront> {
  const sockets = new Set<Socket>()
  const server = createServer({ cert: certificate, key }, serve)
  let connectionCount = 0
  server.on('connection', (socket: Socket) => {
    connectionCount++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('secureConnection', (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get connectionCount() {
      return connectionCount
    },
    stop() {
      sockets.forEach((socket) => socket.destroy())
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Forwards connections to a loopback port. */
export function forwardTo(port: number): (socket: Socket) => void {
  return (socket) => {
    const behind = connect(port, '127.0.0.1')
    behind.on('error', () => socket.destroy())
    socket.on('error', () => behind.destroy())
    socket.pipe(behind).pipe(socket)
  }
}
