import type { FastifyReply } from 'fastify'
import type { AddressRate } from '../platform/http/address-rates.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import { forward, sendAnswer } from './forward.shell.ts'
import { authorizePath, consentPage } from './oauth-paths.ts'
import { refusedRequest, requestProblem } from './request-problem.ts'
import type { AuthorizationServer } from './server.shell.ts'

const rate: AddressRate = { name: 'oauth_authorize', perMinute: 30, burst: 15 }

/** The pages that the browser of a person opens: the request of an assistant, and the way back to it after the person's answer. */
export function authorizeRoutes(server: AuthorizationServer): PublicRoute[] {
  return [
    publicRoute({
      method: 'GET',
      path: authorizePath,
      rate,
      handler: (request, reply) => begin(server, request, reply),
    }),
    publicRoute({
      method: 'GET',
      path: `${authorizePath}/:id`,
      rate,
      async handler(request, reply) {
        const answer = await forward(server, request)
        if (answer.status < 400) return sendAnswer(reply, answer)
        const description = 'This request for access is over.'
        return sendProblem(request, reply, { error: 'invalid_request', description, isDecided: true })
      },
    }),
  ]
}

async function begin(server: AuthorizationServer, request: PublicRequest, reply: FastifyReply): Promise<unknown> {
  const [path = '', query = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  // Other modes answer by a page with a script, or where a program does not read it.
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    return sendProblem(request, reply, { error: 'invalid_request', description: 'Use the response_mode query.' })
  // A client that names no scope asks for reading alone.
  if ((parameters.get('scope') ?? '').trim() === '') parameters.set('scope', 'read')
  const answer = await forward(server, request, { url: `${path}?${parameters.toString()}` })
  const { location } = answer.headers
  const refused = refusedRequest(
    { ...answer, location: typeof location === 'string' ? location : undefined },
    consentPage,
  )
  return refused === null ? sendAnswer(reply, answer) : sendProblem(request, reply, refused)
}

/** Browsers get a page of the console, which shows only its own words. */
function sendProblem(
  request: PublicRequest,
  reply: FastifyReply,
  { error, description, isDecided = false }: { error: string; description: string; isDecided?: boolean },
): FastifyReply {
  reply.header('cache-control', 'no-store')
  if ((request.headers.accept ?? '').includes('text/html'))
    return reply.redirect(`${consentPage}?problem=${requestProblem(error, isDecided)}`, 303)
  return reply.code(400).send({ error, error_description: description })
}
