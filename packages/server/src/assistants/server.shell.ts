import Fastify, { type FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import type { App } from '../platform/app.ts'
import { createDocumentFetch } from './client-documents.client.ts'
import { createClientDocuments } from './client-documents.shell.ts'

/** A client's request for access, until a person has answered it. */
export type GrantRequest = InstanceType<Provider['Interaction']>

interface ServerRequest {
  method: 'GET' | 'POST'
  /** Path and query. */
  url: string
  headers: Record<string, string>
  /** The address of the client. */
  ip: string
  body?: string
}

export interface ServerAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
}

export interface AuthorizationServer {
  provider(): Promise<Provider>
  answer(request: ServerRequest): Promise<ServerAnswer>
}

/** The authorization server, loaded at the first request. It is called without a socket, with bodies that were bounded before. */
export function createAuthorizationServer(app: App, fetchDocument = createDocumentFetch(app)): AuthorizationServer {
  let loaded: Promise<{ provider: Provider; inner: FastifyInstance }> | null = null
  const load = () => (loaded ??= loadServer(app, fetchDocument))
  return {
    provider: async () => (await load()).provider,
    async answer({ method, url, headers, ip, body }) {
      const { inner } = await load()
      const { host, protocol } = new URL(app.config.publicUrl)
      const answer = await inner.inject({
        method,
        url,
        remoteAddress: ip,
        // Every address in an answer is one of the public URL, whatever host a request names.
        headers: { ...headers, host, 'x-forwarded-proto': protocol.slice(0, -1) },
        ...(body !== undefined && { payload: body }),
      })
      return { status: answer.statusCode, headers: answer.headers, body: answer.body }
    },
  }
}

async function loadServer(
  app: App,
  fetchDocument: (url: string) => Promise<Response>,
): Promise<{ provider: Provider; inner: FastifyInstance }> {
  const { createProvider } = await import('./provider.shell.ts')
  const provider = createProvider(app, createClientDocuments(app, fetchDocument))
  const callback = provider.callback()
  const inner = Fastify({ logger: false })
  inner.removeAllContentTypeParsers()
  // The library reads the body itself.
  inner.addContentTypeParser('*', (_request, _payload, done) => done(null))
  inner.all('/*', (request, reply) => {
    reply.hijack()
    void callback(request.raw, reply.raw)
  })
  await inner.ready()
  return { provider, inner }
}
