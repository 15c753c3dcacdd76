import { connect, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import type { PortAnswer } from './surroundings.ts'

export interface MailPort {
  port: number
  /** Whether the client speaks first, over TLS. Otherwise the server greets first. */
  tls: boolean
}

/** The ports of mail: submission over TLS, submission that begins without TLS, IMAP over TLS. */
export const mailPorts: readonly MailPort[] = [
  { port: 465, tls: true },
  { port: 587, tls: false },
  { port: 993, tls: true },
]
const waitMs = 5_000
/** Errors of a peer that does not speak TLS or speaks an outdated version: the server is reachable. */
const spokenAmiss = /^(?:ERR_SSL|ERR_TLS|EPROTO)/

/**
 * Opens a connection to each port, all at once, and closes it at the first sign of the server. A filter that drops packets never lets it
 * connect, and a filter that accepts connections in the server's name sends nothing. Both cases end after `msMax`.
 */
export function tryMailPorts(host: string, ports = mailPorts, msMax = waitMs): Promise<PortAnswer[]> {
  return Promise.all(ports.map((port) => tryPort(host, port, msMax)))
}

function tryPort(host: string, { port, tls }: MailPort, msMax: number): Promise<PortAnswer> {
  return new Promise((resolve) => {
    const socket = open(host, port, tls)
    let isConnected = false
    const end = (reason: string | null, isSilent = false): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ port, reason, isSilent })
    }
    const timer = setTimeout(() => {
      const within = `within ${msMax / 1000} s`
      end(isConnected ? `connected, but no greeting ${within}` : `no response ${within}`, isConnected)
    }, msMax)
    socket.once('connect', () => (isConnected = true))
    socket.once(tls ? 'secureConnect' : 'data', () => end(null))
    socket.once('close', () => end('closed without a greeting'))
    // This listener stays after the end too, since an unhandled error event would end the process.
    socket.on('error', ({ code, name }: NodeJS.ErrnoException) =>
      end(spokenAmiss.test(code ?? '') ? null : (code ?? name)),
    )
  })
}

// Only tests whether the port can be reached. Names and certificates are verified when mail is sent.
function open(host: string, port: number, tls: boolean): Socket {
  return tls ? connectByTls({ host, port, rejectUnauthorized: false }) : connect({ host, port })
}
