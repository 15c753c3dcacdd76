import { connect, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import type { PortAnswer } from './surroundings.ts'

export interface MailPort {
  port: number
  /** Whoever connects speaks first, by TLS; else the server greets. */
  tls: boolean
}

/** Of mail: submission by TLS, submission that begins plain, IMAP by TLS. */
export const mailPorts: readonly MailPort[] = [
  { port: 465, tls: true },
  { port: 587, tls: false },
  { port: 993, tls: true },
]
const waitMs = 5_000
/** Errors of whoever hears something that is no TLS, or none of today: somebody is there. */
const spokenAmiss = /^(?:ERR_SSL|ERR_TLS|EPROTO)/

/**
 * Opens a connection to each, all at once, and ends it at the first thing that is heard of the server. What drops packets never
 * connects, and what takes connections in another's name says nothing: both have their time.
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
      end(isConnected ? `connected, but nothing is said ${within}` : `no answer ${within}`, isConnected)
    }, msMax)
    socket.once('connect', () => (isConnected = true))
    socket.once(tls ? 'secureConnect' : 'data', () => end(null))
    socket.once('close', () => end('closed without a word'))
    // Stays for what comes after the end, too: an error that nobody hears would end the process.
    socket.on('error', ({ code, name }: NodeJS.ErrnoException) =>
      end(spokenAmiss.test(code ?? '') ? null : (code ?? name)),
    )
  })
}

// Whether this port can be reached is asked, and not who is there: names and certificates are looked at when mail is sent.
function open(host: string, port: number, tls: boolean): Socket {
  return tls ? connectByTls({ host, port, rejectUnauthorized: false }) : connect({ host, port })
}
