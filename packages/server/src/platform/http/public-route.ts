import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A page, a pixel or a hook outside `/v2`: no key, no limits, no contract. An
 * `application/x-www-form-urlencoded` body arrives as an object of strings in `request.body`, anything else as the
 * raw Buffer (1 MiB at most); signatures are checked against those bytes.
 */
export interface PublicRoute {
  method: 'GET' | 'POST'
  /** `/u/:token`; answers with and without a trailing slash. */
  path: string
  /** Sends by `reply.code(…).type(…).send(…)` or returns the payload. An AppError becomes the API's error body. */
  handler(request: PublicRequest, reply: FastifyReply): Promise<unknown>
}

export type PublicRequest = FastifyRequest<{
  Params: Record<string, string>
  Querystring: Record<string, string | string[] | undefined>
}>
