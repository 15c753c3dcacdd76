import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as openApi from '@overture/contract/document/openapi.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createHttpServer, type HttpServer } from './server.shell.ts'

vi.mock('@overture/contract/document/openapi.ts', { spy: true })

const docs = new URL('../../../../../docs/', import.meta.url)
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

test('the document is built once for any host name, and never repeats a foreign name', async () => {
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

test('llms.txt lists all pages, which are served as Markdown', async () => {
  const listed = await fetch(new URL('/llms.txt', url))
  expect([listed.status, listed.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await listed.text()
  expect(text).toMatch(/^# Overture\n\n> /)
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\/[^)]+)\)/gm)].map(([, path]) => path!)
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'))
  const written = files.toSorted().map((file) => `/docs/${file}`)
  expect(links.filter((path) => path.endsWith('.md') && !path.includes('/reference/'))).toEqual(written)
  expect(links).toContain('/docs/reference/errors.md')
  for (const path of links) {
    const page = await fetch(new URL(path, url))
    expect([path, page.status]).toEqual([path, 200])
    if (written.includes(path))
      expect(await page.text()).toBe(readFileSync(new URL(path.slice('/docs/'.length), docs), 'utf8'))
  }
})

test.each(['nothing.md', '..%2FREADME.md', '%2e%2e/README.md', 'decisions%2F0001-embedded-postgresql.md', '.md'])(
  "the page %s doesn't exist",
  async (file) => {
    expect((await fetch(new URL(`/docs/${file}`, url))).status).toBe(404)
  },
)
