import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '@overture/contract/errors.ts'
import { monotonicMs } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { isPrivateAddress } from '../mail/public-address.ts'
import { createAddressRates, type AddressRate } from './address-rates.ts'

/**
 * Bounds what one address may ask of the public pages. Behind a proxy that is not known as one, everybody would be the
 * same address: nobody is bounded there, and the log says what to set.
 */
export function createAddressLimit(log: Logger) {
  const rates = createAddressRates()
  let hasWarned = false
  return (rate: AddressRate) => (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    if (isBehindUnknownProxy(request)) {
      if (!hasWarned) log.warn({ event: 'http.unknown_proxy', address: request.ip, set: 'OVERTURE_TRUSTED_PROXIES' })
      hasWarned = true
      return done()
    }
    const waitSeconds = rates.take(rate, request.ip, monotonicMs())
    if (waitSeconds === 0) return done()
    reply.header('retry-after', String(waitSeconds))
    done(new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests from this address. Wait as long as Retry-After says.'))
  }
}

function isBehindUnknownProxy({ headers, ip, socket }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress && isPrivateAddress(ip)
}
