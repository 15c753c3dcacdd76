import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PathParams } from '@overture/contract/endpoint.ts'
import type { AddressRate } from './address-rates.ts'

/**
 * A page, a pixel or a hook outside `/v2`: without key and contract, limited by address only. An
 * `application/x-www-form-urlencoded` body is an object of strings in `request.body`; any other body is the raw Buffer (1 MiB at
 * most), against which signatures are checked.
 */
export interface PublicRoute<Path extends string = string> {
  method: 'GET' | 'POST' | 'DELETE'
  /** For example `/u/:token`. It matches with and without a trailing slash. */
  path: Path
  /** How often one address may request it; absent for programs that are identified otherwise, such as by a signature. */
  rate?: AddressRate
  /** Sends by `reply.code(…).type(…).send(…)` or returns the payload. An AppError becomes the API's error body. */
  handler(request: PublicRequest<Path>, reply: FastifyReply): Promise<unknown>
}

/** A public route whose handler has typed path parameters. */
export function publicRoute<const Path extends string>(route: PublicRoute<Path>): PublicRoute {
  return route as unknown as PublicRoute
}

export type PublicRequest<Path extends string = string> = FastifyRequest<{
  Params: PathParams<Path>
  Querystring: Record<string, string | string[] | undefined>
}>
