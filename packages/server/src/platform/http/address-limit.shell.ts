import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@overture/contract/errors.ts'
import { monotonicMs } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { isPrivateAddress } from '../mail/public-address.ts'
import { createAddressRates, type AddressRate } from './address-rates.ts'

/** All clients behind one unknown proxy share a bucket that is this many times as wide as the bucket of one address. */
const unknownProxyFactor = 20

/**
 * Limits how often one address may request the public pages. Behind a proxy that is not configured, all clients have the address
 * of the proxy: they share a wide bucket, and the log says what to set. Any client on a private network can send the header
 * itself, so the header must never remove the limit.
 */
export function createAddressLimit(log: Logger) {
  const rates = createAddressRates()
  let hasWarned = false
  return (rate: AddressRate) => (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const behindUnknownProxy = isBehindUnknownProxy(request)
    if (behindUnknownProxy && !hasWarned) {
      log.warn({ event: 'http.unknown_proxy', address: request.ip, set: 'OVERTURE_TRUSTED_PROXIES' })
      hasWarned = true
    }
    const waitSeconds = rates.take(behindUnknownProxy ? widened(rate) : rate, request.ip, monotonicMs())
    if (waitSeconds === 0) return done()
    reply.header('retry-after', String(waitSeconds))
    done(new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests from this address. Wait as long as Retry-After says.'))
  }
}

function widened({ name, perMinute, burst }: AddressRate): AddressRate {
  return {
    name: `${name} behind an unknown proxy`,
    perMinute: perMinute * unknownProxyFactor,
    burst: burst * unknownProxyFactor,
  }
}

function isBehindUnknownProxy(request: FastifyRequest): boolean {
  return isForwardedByUnknown(request) && isPrivateAddress(request.ip)
}

/** Whether `X-Forwarded-For` came from an address that is not a configured proxy. */
export function isForwardedByUnknown({ headers, ip, socket }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress
}
