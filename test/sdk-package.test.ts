import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { installTarball, type StrangersProject } from '@overture/testing/sdk/tarball.ts'
import { missingTool, toolPath } from '@overture/testing/tools.ts'
import { sdkFiles } from '../packages/sdk/generate/sdk-files.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const root = resolve(import.meta.dirname, '..')
const run = promisify(execFile)
const gzipBytesMax = { index: 10_240, webhooks: 2_048, testing: 2_048 }
const filesMax = 40
let project: StrangersProject

beforeAll(async () => {
  project = await installTarball()
})
afterAll(() => project.remove())

test('generated files are up to date with the contract (npm run openapi writes them)', async () => {
  for (const [name, text] of Object.entries(sdkFiles(allEndpoints)))
    expect(await readFile(join(root, 'packages/sdk/src/generated', name), 'utf8')).toBe(text)
})

test('the method of a deprecated operation has a note with its replacement', () => {
  const [first, ...others] = allEndpoints.filter(({ call }) => call.startsWith('campaigns.'))
  const going = { ...first!, deprecated: { since: '2027-01-31', sunset: '2028-01-31', use: 'things.list' } }
  const notes = sdkFiles([going, ...others])['resources.ts']!.match(/@deprecated .*/g)
  expect(notes).toEqual(['@deprecated since 2027-01-31, removed on 2028-01-31: use things.list.'])
})

test.each(Object.entries(gzipBytesMax))('%s has at most %i bytes, compressed', async (name, bytesMax) => {
  const { outputFiles } = await build({
    entryPoints: [join(project.installed, `${name}.js`)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(bytesMax)
})

describe('the npm package', () => {
  test('is small, has no dependencies, and mentions no workspace package', async () => {
    const files = (await readdir(project.installed, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    )
    expect(files.length).toBeLessThanOrEqual(filesMax)
    const manifest = JSON.parse(await readFile(join(project.installed, 'package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((name) => /ependencies|scripts/.test(name))).toEqual([])
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'utf8')
      if (/\.(c?js|c?ts)$/.test(name))
        expect(text).not.toMatch(/@overture\/contract|(?:from|import\(|require\() ?['"][^.]/)
    }
  })

  test('has no findings of publint', async () => {
    const { publint } = await import('publint')
    const { messages } = await publint({ pkgDir: project.installed, strict: true })
    expect(messages.map(({ code }) => code)).toEqual([])
  })

  test('has no findings of arethetypeswrong', async () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const { stdout } = await run(process.execPath, [attw, project.tarball, '--format', 'json', '--profile', 'node16'], {
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
  ])('can be imported as %s', async (extension, imports) => {
    const file = join(project.folder, `program.${extension}`)
    await writeFile(file, `${imports}\n${program}`)
    expect((await run(process.execPath, [file])).stdout.trim()).toBe('ada+interested@prospects.test')
  })
})

describe('types work in a strict project without zod or Node types', () => {
  const compilers = [
    ['TypeScript 7', join(root, 'node_modules/typescript/bin/tsc')],
    ['TypeScript 5.9', toolPath('typescript/bin/tsc')],
    ['TypeScript 5.4', toolPath('typescript-5.4/bin/tsc')],
  ] as const
  const dom = { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }
  const settings = [
    ['for a bundler and a browser', { ...dom, module: 'esnext', moduleResolution: 'bundler' }, ['use.mts']],
    ['for Node.js, either way', { lib: ['es2022'], types: ['node'], module: 'nodenext' }, ['use.mts', 'use.cts']],
  ] as const
  const cases = compilers.flatMap(([compiler, tsc]) => settings.map((setting) => [compiler, ...setting, tsc] as const))

  test.for(cases)('by %s, %s', async ([compiler, , options, files, tsc], { skip }) => {
    if (tsc === null) return skip(missingTool(compiler))
    for (const file of files) await writeFile(join(project.folder, file), consumer)
    const typeRoots = [join(root, 'node_modules/@types')]
    const compilerOptions = { ...options, typeRoots, strict: true, noEmit: true, target: 'es2022', skipLibCheck: false }
    const config = join(project.folder, 'tsconfig.json')
    await writeFile(config, JSON.stringify({ compilerOptions, files }))
    const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  const consumer = `import { ApiError, Overture, type Lead } from '@overture/sdk'
import { inbox, prospect, testClock } from '@overture/sdk/testing'
import { verify, webhookHandler } from '@overture/sdk/webhooks'

export const handler = webhookHandler({ secret: 'whsec_x', on: {
  'meeting.booked': ({ data }) => { const at: string = data.startAt; void at },
} })
export async function use(client: Overture): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const lead of client.campaigns.leads.list('cmp_1', { status: 'replied' })) found.push(nameOf(lead))
    for await (const event of client.events.follow()) if (event.type === 'reply.received') found.push(event.id)
    for await (const part of client.ai.generateEmail.stream({ modelId: 'builtin/drafter', prompt: 'x' }))
      if (part.type === 'delta') found.push(part.text)
    const { data, requestId } = await client.campaigns.get('cmp_1').withMeta()
    found.push(data.name, requestId ?? '', (await client.campaigns.get('cmp_1').raw()).statusText)
    await testClock(client).advance('3d')
    await inbox(client, prospect('ada', 'interested')).reply('Hello')
    found.push((await verify('{}', {}, 'whsec_x')).type)
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
`
})
