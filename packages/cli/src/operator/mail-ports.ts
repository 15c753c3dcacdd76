import { connect } from 'node:net'
import type { PortAnswer } from './surroundings.ts'

/** Of mail: submission by TLS, submission that begins plain, IMAP by TLS. */
export const mailPorts: readonly number[] = [465, 587, 993]
const waitMs = 5_000

/** Opens a connection to each, all at once, and ends it without a word. What drops packets answers nothing: it has its time. */
export function tryMailPorts(host: string, ports = mailPorts, msMax = waitMs): Promise<PortAnswer[]> {
  return Promise.all(ports.map(async (port) => ({ port, reason: await tryPort(host, port, msMax) })))
}

function tryPort(host: string, port: number, msMax: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (reason: string | null): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(reason)
    }
    const timer = setTimeout(() => end(`no answer within ${msMax / 1000} s`), msMax)
    socket.once('connect', () => end(null))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.name))
  })
}
