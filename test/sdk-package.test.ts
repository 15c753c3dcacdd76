import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { sdkFiles } from '../packages/sdk/generate/sdk-files.ts'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'packages/sdk/dist')
const run = promisify(execFile)
const gzipBytesMax = { index: 10_240, webhooks: 2_048, testing: 2_048 }
const filesMax = 40
let folder: string

beforeAll(async () => {
  await run(process.execPath, ['--import', 'tsx', 'packages/sdk/build.ts'], { cwd: root })
  folder = await mkdtemp(join(tmpdir(), 'overture-sdk-'))
  await mkdir(join(folder, 'node_modules/@overture'), { recursive: true })
  await symlink(dist, join(folder, 'node_modules/@overture/sdk'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('what follows from the contract is what the contract says (npm run openapi writes it)', async () => {
  for (const [name, text] of Object.entries(sdkFiles(allEndpoints)))
    expect(await readFile(join(root, 'packages/sdk/src/generated', name), 'utf8')).toBe(text)
})

test.each(Object.entries(gzipBytesMax))('%s is at most %i bytes, as it travels', async (name, bytesMax) => {
  const { outputFiles } = await build({
    entryPoints: [join(dist, `${name}.js`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(bytesMax)
})

describe('the package', () => {
  test('is small, has no dependencies, and names nothing of the workspace', async () => {
    const files = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(files.length).toBeLessThanOrEqual(filesMax)
    const manifest = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((name) => /ependencies|scripts/.test(name))).toEqual([])
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8')
      if (/\.(c?js|c?ts)$/.test(name))
        expect(text).not.toMatch(/@overture\/contract|from ['"](?:zod|node:)|require\(['"]/)
    }
  })

  test('is found by publint to be as packages should be', async () => {
    const { publint } = await import('publint')
    const { messages } = await publint({ pkgDir: dist, strict: true })
    expect(messages.map(({ code }) => code)).toEqual([])
  })

  test('is resolved alike by every reader of types', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const { stdout } = await run(process.execPath, [attw, '--pack', dist, '--format', 'json', '--profile', 'node16'], {
      cwd: root,
      maxBuffer: 1e8,
    }).catch((error: { stdout: string }) => error)
    expect(JSON.parse(stdout).problems ?? {}).toEqual({})
  })

  const program = `
    const client = new Overture({ apiKey: 'ovt_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })
    if (typeof client.campaigns.leads.addAll !== 'function' || typeof verify !== 'function') throw new Error('lacking')
    console.log(prospect('ada', 'interested'))`

  test.each([
    [
      'mjs',
      "import { Overture } from '@overture/sdk'; import { verify } from '@overture/sdk/webhooks'; " +
        "import { prospect } from '@overture/sdk/testing'",
    ],
    [
      'cjs',
      "const { Overture } = require('@overture/sdk'); const { verify } = require('@overture/sdk/webhooks'); " +
        "const { prospect } = require('@overture/sdk/testing')",
    ],
  ])('runs as %s', async (extension, imports) => {
    const file = join(folder, `program.${extension}`)
    await writeFile(file, `${imports}\n${program}`)
    expect((await run(process.execPath, [file])).stdout.trim()).toBe('ada+interested@prospects.test')
  })

  test('is typed for a strict project that has neither zod nor Node', async () => {
    await writeFile(
      join(folder, 'use.ts'),
      `import { ApiError, Overture, type Lead } from '@overture/sdk'
       import { webhookHandler } from '@overture/sdk/webhooks'
       export const handler = webhookHandler({ secret: 'whsec_x', on: {
         'meeting.booked': ({ data }) => { const at: string = data.startAt; void at },
       } })
       export async function use(client: Overture): Promise<string[]> {
         const found: string[] = []
         try {
           for await (const lead of client.campaigns.leads.list('cmp_1', { status: 'replied' })) found.push(nameOf(lead))
         } catch (error) {
           if (ApiError.is(error, 'CONFLICT')) found.push(error.details.currentStatus)
         }
         // @ts-expect-error a status that is none
         await client.campaigns.leads.list('cmp_1', { status: 'eaten' })
         // @ts-expect-error a campaign needs a name
         await client.campaigns.create({})
         return found
       }
       const nameOf = (lead: Lead): string => lead.firstName ?? lead.email
      `,
    )
    const config = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: [],
        skipLibCheck: false,
      },
      files: ['use.ts'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
