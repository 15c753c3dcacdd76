import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { packedFolder, packFiles, type AssetFolder } from '../files/packed-files.shell.ts'
import { KeptFiles } from './kept-files.ts'
import { openSite } from './site.shell.ts'

// Each test reads hundreds of built files.
vi.setConfig({ testTimeout: 300_000 })

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'overture-site-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function packed(files: readonly [string, Buffer][]): Promise<AssetFolder> {
  const file = join(folder, 'some.pack')
  await writeFile(file, packFiles(files))
  return packedFolder(pathToFileURL(file))
}

test('each file of a pack is read as it was stored', async () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    // Large bodies that fill a block or are a block of their own.
    fc.integer({ min: 300_000, max: 2_500_000 }).map((length) => Buffer.alloc(length, `${length} `)),
  )
  const names = fc.constantFrom('a', 'b/c', 'd.html.gz', '__proto__', 'constructor', 'é')
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.tuple(names, bodies), { selector: ([name]) => name }), async (files) => {
      const pack = await packed(files)
      expect((await pack.names()).toSorted()).toEqual(files.map(([name]) => name).toSorted())
      const read = await pack.read(files.map(([name]) => name))
      for (const [index, [name, body]] of files.entries()) {
        const bytes = name.endsWith('.gz') ? gunzipSync(read[index]!) : read[index]!
        expect(bytes.equals(body)).toBe(true)
      }
      for (const missing of ['', '../some.pack', 'toString'])
        await expect(pack.read([missing])).rejects.toThrow('is not in')
    }),
    { numRuns: 30 },
  )
})

/** A site with pages, and a record of the files that were read. */
async function site(pages: number, bytesEach: number) {
  const files = Array.from({ length: pages }, (_, index) => ({ path: `page${index}.html`, hashed: false, gzip: false }))
  const requested: string[] = []
  const list = Buffer.from(JSON.stringify({ digest: 'd', files, scriptHashes: ['sha256-x'] }))
  const opened = await openSite({
    names: async () => ['build.json', 'secret.key', ...files.map(({ path }) => path)],
    async read(names) {
      requested.push(...names)
      return names.map((name) => (name === 'build.json' ? list : Buffer.alloc(bytesEach, name)))
    },
  })
  return { opened, requested }
}

test("a site's files are read on their first request, and once for many requests", async () => {
  const { opened, requested } = await site(400, 1_000)
  expect([requested, opened.files.size, opened.scriptHashes]).toEqual([['build.json'], 400, ['sha256-x']])
  const page = opened.files.get('page7.html')!
  const bodies = await Promise.all([page.body(), page.body(), page.body()])
  expect(bodies.every((body) => body.equals(Buffer.alloc(1_000, 'page7.html')))).toBe(true)
  await page.body()
  expect(requested).toEqual(['build.json', 'page7.html'])
})

test('only names in the list are read, in any spelling', async () => {
  const { opened, requested } = await site(3, 10)
  const pieces = fc.constantFrom(
    '..',
    '/',
    '\\',
    '%2e',
    '\0',
    'page1.html',
    'secret.key',
    '__proto__',
    '.gz',
    'build.json',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 6 }), async (parts) => {
      await opened.files.get(parts.join(''))?.body()
    }),
    { numRuns: 2_000 },
  )
  expect([...new Set(requested)].toSorted()).toEqual(['build.json', 'page1.html'])
})

test('the cache stays below its size limit and contains the last requested file', async () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(fc.nat(7), { maxLength: 40 }), async (lengths, order) => {
      let reads = 0
      const files = new KeptFiles(async (name) => {
        reads++
        return Buffer.alloc(lengths[Number(name)]!, name)
      }, 100)
      for (const wanted of order) {
        const name = String(wanted % lengths.length)
        expect((await files.get(name)).equals(Buffer.alloc(lengths[Number(name)]!, name))).toBe(true)
        expect(files.bytes).toBeLessThanOrEqual(100)
        const before = reads
        await files.get(name)
        expect(reads).toBe(before)
      }
      expect(reads).toBeLessThanOrEqual(order.length)
    }),
  )
})

test('a failed read is reported, and the next request reads again', async () => {
  let tries = 0
  const files = new KeptFiles(async () => {
    if (++tries === 1) throw new Error('The disk is gone.')
    return Buffer.from('here')
  }, 100)
  await expect(files.get('a')).rejects.toThrow('gone')
  expect(String(await files.get('a'))).toBe('here')
})
