import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { peopleServices } from '../services/people-services.ts'
import { jsonBody, readServiceRequest, sendAnswer, type ServiceAnswer } from '../services/service-request.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { createLeadFinder, leadFinderRoutes, type LeadFinder } from '@overture/server/lead-finder/index.ts'

/** A request that the stub received. */
export interface Asked {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}
export type StubAnswer = ServiceAnswer

const apiKey = 'provider key'

/**
 * A local double of the licensed providers, and servers that are configured to use it. It refuses what the real service refuses
 * before `respond` decides the answer.
 */
export class ProviderStub {
  asked: Asked[] = []
  /** Requests that the real service would have refused. */
  refused: Asked[] = []
  respond: (asked: Asked) => StubAnswer = () => ({ status: 500, body: {} })
  readonly #http: Server = createServer((request, response) => void this.#handle(request, response))
  readonly #running: { server: TestServer; finder: LeadFinder }[] = []

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async start(provider: 'prospeo' | 'pdl' | 'apollo', budget = 1000): Promise<TestServer> {
    let finder: LeadFinder | undefined
    const name = provider.toUpperCase()
    const server = await startTestServer({
      environment: {
        OVERTURE_FINDER_PROVIDER: provider,
        OVERTURE_FINDER_MONTHLY_BUDGET: String(budget),
        [`${name}_API_KEY`]: apiKey,
        [`${name}_BASE_URL`]: `${this.url}/${provider}`,
      },
      routes: ({ app }) => leadFinderRoutes((finder = createLeadFinder({ app, databaseUrl: '', dataFolder: '/tmp' }))),
    })
    this.#running.push({ server, finder: finder! })
    return server
  }

  async stop(): Promise<void> {
    for (const { server, finder } of this.#running) {
      await finder.stop()
      await server.stop()
    }
    await new Promise((resolve) => this.#http.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = await readServiceRequest(request)
    const [, provider = '', path = ''] = /^\/(prospeo|pdl|apollo)(\/.*)$/.exec(incoming.path) ?? []
    const call = { ...incoming, path }
    const received = { path, query: call.query, headers: call.headers, body: jsonBody(call) }
    const refusal = peopleServices[provider as keyof typeof peopleServices].toRefusal(call, apiKey)
    this.asked.push(received)
    if (refusal !== null) this.refused.push(received)
    sendAnswer(request, response, refusal ?? this.respond(received))
  }
}

/** Both credit headers of a response. */
export function readCreditHeaders(answer: { headers: Headers }): (string | null)[] {
  return [answer.headers.get('x-credits-charged'), answer.headers.get('x-credits-remaining')]
}
