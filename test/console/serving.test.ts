import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtFolder, readBuilt } from '@overture/console/digest.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { buildConsole } from '@overture/testing/console/console.ts'
import type { TestServer } from '@overture/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  await buildConsole()
  server = await startWholeServer()
})
afterAll(() => server.stop())

const ask = (path: string, init?: RequestInit) => fetch(server.url + path, { redirect: 'manual', ...init })

describe('serving the console', () => {
  test('the root redirects to the console, and unknown paths below it return its page', async () => {
    const root = await ask('/')
    expect([root.status, root.headers.get('location')]).toEqual([302, '/app/'])
    const [index, deep] = await Promise.all([ask('/app/'), ask('/app/test/campaigns/cmp_1/steps')])
    const page = await index.text()
    expect(await deep.text()).toBe(page)
    expect(index.headers.get('cache-control')).toBe('no-cache')
  })

  test('hashed files are immutable and compressed, and missing files are 404', async () => {
    const page = await (await ask('/app/')).text()
    const script = /src="(\/app\/assets\/[^"]+\.js)"/.exec(page)![1]!
    const [plain, brotli] = await Promise.all([
      ask(script, { headers: { 'accept-encoding': 'identity' } }),
      ask(script, { headers: { 'accept-encoding': 'br' } }),
    ])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(await brotli.text()).toBe(await plain.text())
    expect((await ask('/app/assets/gone-12345678.js')).status).toBe(404)
  })

  test("the content security policy allows no inline content, except styles in a message's frame", async () => {
    const policy = (await ask('/app/')).headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe-')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    const frame = await ask('/app/frame', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ html: '<style>p{color:red}</style><p>Hello</p><script>alert(1)</script>' }),
    })
    const framePolicy = frame.headers.get('content-security-policy')!
    expect(framePolicy.match(/unsafe-\w+/g)).toEqual(['unsafe-inline'])
    expect(framePolicy).toMatch(/^sandbox (?!.*allow-same-origin)/)
    // The only script allowed to run is the one whose hash is in the policy.
    const scripts = [...(await frame.text()).matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) =>
      createHash('sha256').update(text!).digest('base64'),
    )
    expect(scripts.filter((hash) => framePolicy.includes(hash))).toHaveLength(1)
  })

  test("another site can't use the frame", async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' }
    expect((await ask('/app/frame', { method: 'POST', headers, body: 'html=x' })).status).toBe(404)
  })

  test('the console can be turned off', async () => {
    const without = await startWholeServer({ environment: { OVERTURE_CONSOLE: 'off' } })
    const statuses = await Promise.all(
      ['/', '/app/', '/app/test'].map(async (path) => (await fetch(without.url + path)).status),
    )
    expect(statuses).toEqual([404, 404, 404])
    await without.stop()
  })
})

const kB = 1024
const budgetsKb = { firstScreen: 150, styles: 20, route: 40, editor: 120 }

describe('the files that a browser loads', () => {
  test('stay within their size limits, compressed with gzip', async () => {
    const chunks = await readChunks()
    const named = (pattern: RegExp) => [...chunks.keys()].filter((path) => pattern.test(path))
    const sizeOf = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + chunks.get(path)!.bytes, 0) / kB
    const first = reachable(chunks, [
      ...named(/index-.*\.js$/),
      ...named(/app-.*\.js$/),
      ...named(/home\.page-.*\.js$/),
    ])
    expect(sizeOf(first)).toBeLessThan(budgetsKb.firstScreen)
    expect(first.size).toBeGreaterThan(10)
    expect(sizeOf(named(/\.css$/))).toBeLessThan(budgetsKb.styles)
    for (const editor of [named(/text-editor-.*\.js$/), named(/source-editor-.*\.js$/)]) {
      expect(editor).toHaveLength(1)
      expect([...first]).not.toContain(editor[0])
      expect(sizeOf(editor)).toBeLessThan(budgetsKb.editor)
    }
    const routes = named(/\.page-.*\.js$/)
    expect(routes.length).toBeGreaterThan(30)
    const heavy = routes.filter(
      (path) => sizeOf([...reachable(chunks, [path])].filter((one) => !first.has(one))) > budgetsKb.route,
    )
    expect(heavy).toEqual([])
  })
})

interface Chunk {
  bytes: number
  /** The chunks that are loaded at the start, without those loaded later. */
  imports: string[]
}

async function readChunks(): Promise<Map<string, Chunk>> {
  const built = await readBuilt()
  const paths = built!.files.map(({ path }) => path).filter((path) => /^assets\/.*\.(?:js|css)$/.test(path))
  const entries = await Promise.all(
    paths.map(async (path): Promise<[string, Chunk]> => {
      const compressed = await readFile(join(builtFolder, `${path}.gz`))
      const text = gunzipSync(compressed).toString()
      const imports = Array.from(
        text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g),
        ([, name]) => `assets/${name}`,
      )
      return [path, { bytes: compressed.length, imports }]
    }),
  )
  return new Map(entries)
}

function reachable(chunks: ReadonlyMap<string, Chunk>, begin: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const next of chunks.get(path)!.imports) visit(next)
  }
  for (const path of begin) visit(path)
  return seen
}
