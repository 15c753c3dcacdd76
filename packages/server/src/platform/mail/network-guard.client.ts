import { connect, isIP, type Socket } from 'node:net'
import type { App } from '../app.ts'
import { monotonicMs } from '../clock.ts'
import type { NameAnswer, NameAsk, Names } from './names.client.ts'
import { isLoopbackAddress, isMetadataAddress, isPrivateAddress } from './public-address.ts'

/** The addresses that a connection may reach, and the account that it is made for. */
export interface Reach {
  names: Names
  /** The account that gave the host; null for the operator. */
  accountId: string | null
  /** Allows private and loopback addresses too (OVERTURE_ALLOW_PRIVATE_TARGETS), but never those of `isMetadataAddress`. */
  allowPrivate: boolean
}

/** The checked addresses of a host. Connect to these and never resolve the name again: a second DNS answer may differ. */
export interface CheckedTarget {
  host: string
  port: number
  addresses: readonly string[]
  /** Whether every address belongs to this machine. */
  loopback: boolean
}

type TargetResult =
  | { kind: 'allowed'; target: CheckedTarget }
  | { kind: 'forbidden'; message: string }
  | { kind: 'unresolved'; message: string }

interface ConnectFailure {
  kind: 'failed'
  timedOut: boolean
  message: string
}

type ConnectResult = { kind: 'connected'; socket: Socket } | ConnectFailure

export const addressesTriedMax = 4

export function accountReach({ names, config }: Pick<App, 'names' | 'config'>, accountId: string | null): Reach {
  return { names, accountId, allowPrivate: config.network.allowPrivateTargets }
}

/**
 * Resolves a host once, and refuses it if any of its addresses is private and private ones are not allowed (docs/contract.md,
 * "Accounts and keys").
 */
export async function checkTarget(
  { host, port }: { host: string; port: number },
  { names, accountId, allowPrivate }: Reach,
  timeoutMs: number,
): Promise<TargetResult> {
  const answer = await resolveHost(host, names, { accountId, timeoutMs })
  if (answer.kind === 'unanswered')
    return { kind: 'unresolved', message: `The name ${host} could not be resolved. ${answer.message}` }
  if (answer.kind === 'none') return { kind: 'unresolved', message: `The name ${host} has no address.` }
  const { addresses } = answer
  if (addresses.some(isMetadataAddress)) {
    return {
      kind: 'forbidden',
      message: `${host} is a link-local address or a metadata service of a cloud, which is never a target.`,
    }
  }
  if (!allowPrivate && addresses.some(isPrivateAddress)) {
    return {
      kind: 'forbidden',
      message: `${host} is a private or loopback address, which the operator has not allowed.`,
    }
  }
  return { kind: 'allowed', target: { host, port, addresses, loopback: addresses.every(isLoopbackAddress) } }
}

async function resolveHost(host: string, names: Names, ask: NameAsk): Promise<NameAnswer> {
  return isIP(host) === 0 ? names.listAddresses(host, ask) : { kind: 'found', addresses: [host] }
}

interface InTurn<Value> {
  failed: (failure: ConnectFailure) => Value
  /** `next` means that this address failed and the next one is tried. `leftMs` is the time left for all addresses. */
  connected: (socket: Socket, leftMs: number) => Promise<{ value: Value; next: boolean }>
}

/**
 * Connects to the checked addresses in turn until one works, within one time limit for all. TCP gets an even share of the time
 * left, so that an address that drops packets leaves time for the next.
 */
export async function connectInTurn<Value>(
  target: CheckedTarget,
  timeoutMs: number,
  { failed, connected }: InTurn<Value>,
): Promise<Value> {
  const endMs = monotonicMs() + timeoutMs
  const addresses = target.addresses.slice(0, addressesTriedMax)
  let last = failed({ kind: 'failed', timedOut: false, message: 'No address to connect to.' })
  for (const [index, address] of addresses.entries()) {
    const shareMs = (endMs - monotonicMs()) / (addresses.length - index)
    const result = await connectAddress(address, target.port, Math.max(shareMs, 1))
    if (result.kind === 'failed') {
      last = failed(result)
      continue
    }
    const { value, next } = await connected(result.socket, Math.max(endMs - monotonicMs(), 1))
    if (!next) return value
    last = value
  }
  return last
}

function connectAddress(address: string, port: number, timeoutMs: number): Promise<ConnectResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true })
    const timer = setTimeout(() => fail('The connection was not made in time.', true), timeoutMs)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      resolve({ kind: 'connected', socket })
    })
    function onError(error: Error): void {
      fail(errorMessage(error), false)
    }
    function fail(message: string, timedOut: boolean): void {
      clearTimeout(timer)
      socket.on('error', () => {})
      socket.destroy()
      resolve({ kind: 'failed', timedOut, message })
    }
  })
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
