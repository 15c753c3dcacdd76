import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTestServer, type TestServer } from '../server.ts'
import { createLeadFinder, leadFinderRoutes, type LeadFinder } from '@overture/server/lead-finder/index.ts'

/** A request that the stub received. */
export interface Asked {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}
export type StubAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/** A local stub of a licensed provider with the documented response shapes, and servers that are configured to use it. */
export class ProviderStub {
  asked: Asked[] = []
  respond: (asked: Asked) => StubAnswer = () => ({ status: 500, body: {} })
  private readonly http: Server = createServer((request, response) => void this.handle(request, response))
  private readonly running: { server: TestServer; finder: LeadFinder }[] = []

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
  }

  async start(provider: 'prospeo' | 'pdl' | 'apollo', budget = 1000): Promise<TestServer> {
    let finder: LeadFinder | undefined
    const name = provider.toUpperCase()
    const server = await startTestServer({
      environment: {
        OVERTURE_FINDER_PROVIDER: provider,
        OVERTURE_FINDER_MONTHLY_BUDGET: String(budget),
        [`${name}_API_KEY`]: 'provider key',
        [`${name}_BASE_URL`]: this.url,
      },
      routes: ({ app }) => leadFinderRoutes((finder = createLeadFinder({ app, databaseUrl: '', dataFolder: '/tmp' }))),
    })
    this.running.push({ server, finder: finder! })
    return server
  }

  async stop(): Promise<void> {
    for (const { server, finder } of this.running) {
      await finder.stop()
      await server.stop()
    }
    await new Promise((resolve) => this.http.close(resolve))
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://stub.test')
    const written = await text(request)
    const body = JSON.parse(written || '{}') as Record<string, unknown>
    const call = { path: url.pathname, query: url.searchParams, headers: request.headers, body }
    this.asked.push(call)
    const answer = this.respond(call)
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  }
}

/** Both credit headers of a response. */
export function creditsOf(answer: { headers: Headers }): (string | null)[] {
  return [answer.headers.get('x-credits-charged'), answer.headers.get('x-credits-remaining')]
}
