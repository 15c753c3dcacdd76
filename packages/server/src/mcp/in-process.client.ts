import type { FastifyInstance, InjectOptions } from 'fastify'

type Method = NonNullable<InjectOptions['method']>

interface Asker {
  /** The address of the client that sent the outer request. */
  ip: string
  userAgent: string
}

/** A `fetch` that calls this process without a socket. The same routes, limits and audit apply as for requests from outside. */
export function fetchInProcess(server: FastifyInstance, { ip, userAgent }: Asker) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const answer = await server.inject({
      method: (init.method ?? 'GET') as Method,
      url: `${pathname}${search}`,
      remoteAddress: ip,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'user-agent': userAgent },
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
    return new Response(hasBody ? new Uint8Array(answer.rawPayload) : null, { status: answer.statusCode, headers })
  }
}
