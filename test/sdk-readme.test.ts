import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installTarball, type StrangersProject } from '@overture/testing/sdk/tarball.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

let product: RunningProduct
let project: StrangersProject
let program: string

beforeAll(async () => {
  ;[product, project] = await Promise.all([startRunningServer(), installTarball()])
  const page = await readFile(join(project.installed, 'README.md'), 'utf8')
  const snippets = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
  expect(snippets.length).toBeGreaterThan(4)
  program = snippets.join('\n')
  await writeFile(join(project.folder, 'first.mts'), program)
})
afterAll(async () => {
  await product.stop()
  await project.remove()
})

describe("the program in the SDK's README", () => {
  test('compiles in a strict TypeScript project', async () => {
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: ['node'] }
    const typeRoots = [join(root, 'node_modules/@types')]
    const config = { compilerOptions: { ...compilerOptions, typeRoots }, files: ['first.mts'] }
    await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const compiling = run(process.execPath, [tsc, '-p', project.folder])
    expect((await compiling.catch((error: { stdout: string }) => error)).stdout).toBe('')
  })

  test('runs against a server with the described output', async () => {
    const { code } = await transform(program, { loader: 'ts', target: 'es2022' })
    const serving = `
const body = '{"type":"reply.received","data":{"leadId":"led_1"}}'
const signed = await sign(body, { id: 'evt_1', secret: process.env.OVERTURE_WEBHOOK_SECRET })
const posted = { method: 'POST', headers: signed, body }
console.log((await handler(new Request('http://127.0.0.1/hooks', posted))).status)`
    const file = join(project.folder, 'first.mjs')
    await writeFile(file, `import { sign } from '@overture/sdk/webhooks'\n${code}\n${serving}`)
    const settings = {
      OVERTURE_API_KEY: product.keys.test,
      OVERTURE_URL: product.url,
      OVERTURE_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of some length').toString('base64')}`,
    }
    const { stdout } = await run(process.execPath, [file], { env: { PATH: process.env.PATH, ...settings } })
    for (const line of [
      /^\d sent, 1 replied$/m,
      /^ada\+interested@prospects\.test$/m,
      /^(active|completed) req_\w+ \d+$/m,
      /^reply\.received \{/m,
      /CONFLICT: .*\(request req_\w+\) (active|completed) \[/m,
      /^led_1\n204$/m,
    ])
      expect(stdout).toMatch(line)
  })

  test('reports missing settings by name', async () => {
    await expect(run(process.execPath, [join(project.folder, 'first.mjs')], { env: {} })).rejects.toMatchObject({
      stderr: expect.stringContaining('OVERTURE_API_KEY'),
    })
  })
})
