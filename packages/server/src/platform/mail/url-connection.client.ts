import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { monotonicMs } from '../clock.ts'
import { connectInTurn, type CheckedTarget } from './network-guard.client.ts'
import { tlsOptions } from './smtp-connect.client.ts'

type OpenResult = { kind: 'open'; socket: Socket } | { kind: 'failed'; message: string }

/** Connects to the first address that accepts, including TLS; `endMs` is the deadline. */
export async function openUrl(
  checked: CheckedTarget,
  target: URL,
  { endMs, signal }: { endMs: number; signal: AbortSignal | undefined },
): Promise<OpenResult> {
  signal?.throwIfAborted()
  const opened = connectInTurn<OpenResult>(checked, endMs - monotonicMs(), {
    failed: ({ message }) => ({ kind: 'failed', message }),
    async connected(socket, leftMs) {
      const value: OpenResult =
        target.protocol === 'https:' ? await secure(socket, checked.host, leftMs) : { kind: 'open', socket }
      return { value, next: value.kind === 'failed' && signal?.aborted !== true }
    },
  })
  if (signal === undefined) return opened
  return untilAborted(opened, signal)
}

/** Starts TLS within the time limit. The certificate is verified against the name, not the address. */
function secure(socket: Socket, host: string, leftMs: number): Promise<OpenResult> {
  return new Promise((resolve) => {
    const secured = connectTls({ ...tlsOptions(host, false), socket, ALPNProtocols: ['http/1.1'] })
    const timer = setTimeout(() => secured.destroy(new Error('TLS was not agreed in time.')), leftMs)
    secured.on('error', (error) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ kind: 'failed', message: error.message })
    })
    secured.once('secureConnect', () => {
      clearTimeout(timer)
      resolve({ kind: 'open', socket: secured })
    })
  })
}

// A connection that opens after the abort is closed at once.
function untilAborted(opening: Promise<OpenResult>, signal: AbortSignal): Promise<OpenResult> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error)
      void opening.then((opened) => opened.kind === 'open' && opened.socket.destroy())
    }
    signal.addEventListener('abort', stop, { once: true })
    opening.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

export function hostAndPort(target: URL): { host: string; port: number } {
  const usual = target.protocol === 'https:' ? 443 : 80
  return { host: target.hostname.replace(/^\[|\]$/g, ''), port: target.port === '' ? usual : Number(target.port) }
}
