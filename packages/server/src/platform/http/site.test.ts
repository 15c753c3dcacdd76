import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as openApi from '@overture/contract/document/openapi.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createHttpServer, type HttpServer } from './server.shell.ts'

vi.mock('@overture/contract/document/openapi.ts', { spy: true })

const publicUrl = 'https://api.example.com'
let server: TestServer
let named: HttpServer
let url: URL
beforeAll(async () => {
  server = await startTestServer()
  named = await createHttpServer({ app: server.app, routes: [], limiter: server.admission, publicUrl })
  url = new URL(await named.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(async () => {
  await named.close()
  await server.stop()
})

function serversFor(host: string, path = '/openapi.json'): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: url.hostname, port: url.port, path, headers: { host } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      answer.on('end', () => resolve(JSON.parse(text).servers.map((one: { url: string }) => one.url)))
    })
    asked.on('error', reject).end()
  })
}

test('the document is built once, whatever names it is asked by, and repeats none that is not ours', async () => {
  const build = vi.mocked(openApi.buildOpenApi)
  build.mockClear()
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV6().map((ip) => `[${ip}]`),
      ),
      fc.nat(65_535),
      async (name, port) => {
        fc.pre(name !== 'api.example.com' && name !== url.hostname)
        expect(await serversFor(name)).toEqual(['/'])
        expect(await serversFor(`${name}:${port}`)).toEqual(['/'])
      },
    ),
  )
  expect(await serversFor('api.example.com')).toEqual([publicUrl])
  expect(await serversFor(url.host)).toEqual([url.origin])
  expect(await serversFor(url.host, '/openapi-3.0.json')).toEqual([url.origin])
  expect(await serversFor(`localhost:${url.port}`)).toEqual([`http://localhost:${url.port}`])
  expect(build).toHaveBeenCalledTimes(1)
})
