import type { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { tlsOptions } from '../../platform/mail/smtp-connect.client.ts'

/** Starts TLS within the time limit and verifies the certificate for the name. Null if it failed. */
export function secureSocket(
  socket: Socket,
  { host, ownCertificate, leftMs }: { host: string; ownCertificate: boolean; leftMs: number },
): Promise<TLSSocket | null> {
  return new Promise((resolve) => {
    const secured = connectTls({ ...tlsOptions(host, ownCertificate), socket })
    const timer = setTimeout(() => finish(null), Math.max(leftMs, 1))
    secured.on('error', () => finish(null))
    secured.once('close', () => finish(null))
    secured.once('secureConnect', () => finish(secured))
    function finish(result: TLSSocket | null): void {
      clearTimeout(timer)
      if (result === null) {
        secured.destroy()
        socket.destroy()
      }
      resolve(result)
    }
  })
}
