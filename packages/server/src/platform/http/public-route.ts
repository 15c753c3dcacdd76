import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PathParams } from '@overture/contract/endpoint.ts'
import type { AddressRate } from './address-rates.ts'

/**
 * A page, a pixel or a hook outside `/v2`: no key, no contract, limits by address alone. An
 * `application/x-www-form-urlencoded` body arrives as an object of strings in `request.body`, anything else as the
 * raw Buffer (1 MiB at most); signatures are checked against those bytes.
 */
export interface PublicRoute<Path extends string = string> {
  method: 'GET' | 'POST' | 'DELETE'
  /** `/u/:token`; answers with and without a trailing slash. */
  path: Path
  /** How often one address may ask; absent for programs that are known by something else, such as a signature. */
  rate?: AddressRate
  /** Sends by `reply.code(…).type(…).send(…)` or returns the payload. An AppError becomes the API's error body. */
  handler(request: PublicRequest<Path>, reply: FastifyReply): Promise<unknown>
}

/** One that knows the parameters of its path. */
export function publicRoute<const Path extends string>(route: PublicRoute<Path>): PublicRoute {
  return route as unknown as PublicRoute
}

export type PublicRequest<Path extends string = string> = FastifyRequest<{
  Params: PathParams<Path>
  Querystring: Record<string, string | string[] | undefined>
}>
