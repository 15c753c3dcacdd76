import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIPv4, isIPv6, type Socket } from 'node:net'

/** Where a host name led, checked: connect to `address`, never to the name again, so that no second answer of DNS counts. */
export interface CheckedTarget {
  host: string
  port: number
  addresses: string[]
  /** Every address is this machine's own. */
  loopback: boolean
}

export type TargetResult =
  | { kind: 'allowed'; target: CheckedTarget }
  | { kind: 'forbidden'; message: string }
  | { kind: 'unresolved'; message: string }

export type ConnectResult =
  | { kind: 'connected'; socket: Socket }
  | { kind: 'failed'; timedOut: boolean; message: string }

const addressesTriedMax = 4

const privateRanges = new BlockList()
// IANA special-purpose registries: nothing here is a host of the public internet.
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4')
// The tunnels (6to4, Teredo, NAT64) carry IPv4 addresses inside and are refused whole.
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv6')

const loopbackRanges = new BlockList()
loopbackRanges.addSubnet('127.0.0.0', 8, 'ipv4')
loopbackRanges.addAddress('::1', 'ipv6')

/** Whether an IP address is private, loopback, link-local, multicast or reserved. What is not an IP address is. */
export function isPrivateAddress(address: string): boolean {
  const plain = withoutMapping(address)
  if (isIPv4(plain)) return privateRanges.check(plain, 'ipv4')
  if (isIPv6(plain)) return privateRanges.check(plain, 'ipv6')
  return true
}

export function isLoopbackAddress(address: string): boolean {
  const plain = withoutMapping(address)
  return isIPv4(plain) ? loopbackRanges.check(plain, 'ipv4') : isIPv6(plain) && loopbackRanges.check(plain, 'ipv6')
}

/**
 * Resolves a host once and refuses it when any of its addresses is private and that is not allowed (docs/contract.md,
 * "Accounts and keys").
 */
export async function checkTarget(
  host: string,
  port: number,
  options: { allowPrivate: boolean; timeoutMs: number },
): Promise<TargetResult> {
  let addresses: string[]
  try {
    addresses = await resolve(host, options.timeoutMs)
  } catch (error) {
    return { kind: 'unresolved', message: `The name ${host} could not be resolved: ${messageOf(error)}.` }
  }
  if (addresses.length === 0) return { kind: 'unresolved', message: `The name ${host} has no address.` }
  if (!options.allowPrivate && addresses.some(isPrivateAddress)) {
    return {
      kind: 'forbidden',
      message: `${host} is a private or loopback address, which the operator has not allowed.`,
    }
  }
  return { kind: 'allowed', target: { host, port, addresses, loopback: addresses.every(isLoopbackAddress) } }
}

/** Opens TCP to one of the checked addresses, in turn, within one time limit for all. */
export async function connectTarget(target: CheckedTarget, timeoutMs: number): Promise<ConnectResult> {
  const addresses = target.addresses.slice(0, addressesTriedMax)
  const shareMs = Math.max(Math.floor(timeoutMs / addresses.length), 1)
  let last: ConnectResult = { kind: 'failed', timedOut: false, message: 'No address to connect to.' }
  for (const address of addresses) {
    last = await connectAddress(address, target.port, shareMs)
    if (last.kind === 'connected') return last
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
      fail(messageOf(error), false)
    }
    function fail(message: string, timedOut: boolean): void {
      clearTimeout(timer)
      socket.on('error', () => {})
      socket.destroy()
      resolve({ kind: 'failed', timedOut, message })
    }
  })
}

async function resolve(host: string, timeoutMs: number): Promise<string[]> {
  if (isIPv4(host) || isIPv6(host)) return [host]
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs)
  })
  try {
    const found = await Promise.race([lookup(host, { all: true, order: 'ipv4first' }), late])
    return found.map((entry) => entry.address)
  } finally {
    clearTimeout(timer)
  }
}

function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address)
  if (hex?.[1] === undefined || hex[2] === undefined) return address.replace(/%.*$/, '')
  const high = Number.parseInt(hex[1], 16)
  const low = Number.parseInt(hex[2], 16)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
