import type { Socket } from 'node:net'
import { monotonicMs } from '../../platform/clock.ts'
import { checkTarget, connectInTurn, type Reach } from '../../platform/mail/network-guard.client.ts'
import { defaultSmtpTimeoutsMs } from '../../platform/mail/smtp-connect.client.ts'
import { openSmtpSession } from '../../platform/mail/smtp-session.client.ts'
import type { ServerTemplate } from './server-pair.ts'
import { secureSocket } from './tls-socket.client.ts'

const lineBytesMax = 4_096

interface Knock {
  reach: Reach
  /** The end, on the monotonic clock. */
  endMs: number
}

/** Whether an SMTP server responds with a greeting over TLS with a certificate for its name. Only EHLO is sent. */
export async function smtpGreets({ host, port, security }: ServerTemplate, { reach, endMs }: Knock): Promise<boolean> {
  const connect = Math.max(endMs - monotonicMs(), 1)
  const opened = await openSmtpSession({
    host,
    port,
    security,
    auth: null,
    reach,
    timeoutsMs: { ...defaultSmtpTimeoutsMs, connect },
  })
  if (opened.kind !== 'open') return false
  void opened.session.close()
  return true
}

/** Like `smtpGreets`, for an IMAP server. */
export async function imapGreets({ host, port, security }: ServerTemplate, { reach, endMs }: Knock): Promise<boolean> {
  const checked = await checkTarget({ host, port }, reach, Math.max(endMs - monotonicMs(), 1))
  if (checked.kind !== 'allowed') return false
  const ownCertificate = reach.allowPrivate && checked.target.loopback
  const secure = (socket: Socket, leftMs: number): Promise<Socket | null> =>
    secureSocket(socket, { host, ownCertificate, leftMs })
  return connectInTurn(checked.target, Math.max(endMs - monotonicMs(), 1), {
    failed: () => false,
    async connected(socket, leftMs) {
      const untilMs = monotonicMs() + leftMs
      const value =
        security === 'tls'
          ? await greetsSecured(await secure(socket, leftMs), untilMs)
          : await upgrades(socket, untilMs, secure)
      socket.destroy()
      return { value, next: !value }
    },
  })
}

async function greetsSecured(secured: Socket | null, untilMs: number): Promise<boolean> {
  if (secured === null) return false
  const line = await readLine(secured, untilMs)
  secured.destroy()
  return line.startsWith('* OK')
}

async function upgrades(
  socket: Socket,
  untilMs: number,
  secure: (socket: Socket, leftMs: number) => Promise<Socket | null>,
): Promise<boolean> {
  if (!(await readLine(socket, untilMs)).startsWith('* OK')) return false
  socket.write('a1 STARTTLS\r\n')
  if (!/^a1 OK/i.test(await readLine(socket, untilMs))) return false
  const secured = await secure(socket, untilMs - monotonicMs())
  secured?.destroy()
  return secured !== null
}

/** Reads one line, limited in bytes and time. Empty if none arrives. */
function readLine(socket: Socket, untilMs: number): Promise<string> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0)
    const timer = setTimeout(() => finish(''), Math.max(untilMs - monotonicMs(), 1))
    const onEnd = (): void => finish('')
    const onData = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk])
      const end = read.indexOf('\n')
      if (end >= 0) finish(read.subarray(0, end).toString('latin1'))
      else if (read.length > lineBytesMax) finish('')
    }
    // This listener is not removed: an error of a socket without a listener would end the process.
    socket.on('error', onEnd)
    socket.once('close', onEnd)
    socket.on('data', onData)
    function finish(line: string): void {
      clearTimeout(timer)
      socket.removeListener('data', onData)
      socket.removeListener('close', onEnd)
      socket.pause()
      resolve(line)
    }
  })
}
