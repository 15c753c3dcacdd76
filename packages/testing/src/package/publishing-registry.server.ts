import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The data that npm sends when it publishes a package. */
export interface PublishedPackage {
  name: string
  access: string
  'dist-tags': Record<string, string>
  versions: Record<string, { private?: boolean; scripts?: object }>
  _attachments: Record<string, { data: string }>
}

export interface PublishingRegistry {
  url: string
  published: PublishedPackage[]
  /** Removes a package, as if it was never published. */
  forget(name: string): void
  stop(): Promise<void>
}

/** Starts a registry that accepts packages and records them. Loopback only. */
export async function startPublishingRegistry(): Promise<PublishingRegistry> {
  const published: PublishedPackage[] = []
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1).split('?')[0]!)
    const known = published.find((one) => one.name === name)
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method === 'GET') return known ? answer(200, known) : answer(404, {})
    if (request.method !== 'PUT') return answer(405, {})
    if (!/^Bearer \S+$/.test(request.headers.authorization ?? '')) return answer(401, {})
    readBody(request).then(
      (body) => {
        published.push(JSON.parse(body) as PublishedPackage)
        answer(201, { ok: true })
      },
      (error: Error) => response.destroy(error),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    published,
    forget(name) {
      published.splice(0, published.length, ...published.filter((one) => one.name !== name))
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
