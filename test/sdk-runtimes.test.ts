import { execFile, spawn } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { hasChromium, launchChromium } from '@overture/testing/chromium.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installTarball, type StrangersProject } from '@overture/testing/sdk/tarball.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { missingTool, toolPath } from '@overture/testing/tools.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)
const scripts = resolve(import.meta.dirname, 'runtimes')
/** Ends a program that the client keeps alive by leftover timers or connections. */
const programMsMax = 300_000

let product: RunningProduct
let project: StrangersProject

beforeAll(async () => {
  ;[product, project] = await Promise.all([startRunningServer(), installTarball()])
  await cp(scripts, project.folder, { recursive: true })
})
afterAll(async () => {
  await product.stop()
  await project.remove()
})

const expected = {
  account: {
    environment: 'test',
    requestId: true,
    limited: true,
    sameVersion: true,
    status: 200,
    rawIsSame: true,
  },
  errors: {
    refused: [true, 400, 'steps[0].variants[0].weight'],
    words: true,
    connection: true,
    timeout: true,
    left: true,
    again: ['At the second try', 2],
    settings: true,
  },
  campaign: { sent: 2, replied: 2, subjects: ['Hello Bob'], followed: 'reply.received', uniqueReplied: 2 },
  leads: { added: 25, walked: 25, status: 'completed', found: ['Ada'] },
  texts: { streamed: true },
  deliveries: { taken: 204, refused: 400, handled: ['led_1'], forged: true },
}
const settings = () => ({ OVERTURE_API_KEY: product.keys.test, OVERTURE_URL: product.url })

describe('the packed SDK works against a real server in', () => {
  const node = (major: number) => toolPath(`node-${major}/bin/node`)
  const deno = ['run', '--node-modules-dir=manual', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env', 'run.mjs']
  test.for([
    ['this Node.js', process.execPath, ['run.mjs']],
    ['this Node.js, as CommonJS', process.execPath, ['run.cjs']],
    ['Node.js 20.19', node(20), ['run.mjs']],
    ['Node.js 20.19, as CommonJS', node(20), ['run.cjs']],
    ['Node.js 22', node(22), ['run.mjs']],
    ['Node.js 22, as CommonJS', node(22), ['run.cjs']],
    ['Node.js 24', node(24), ['run.mjs']],
    ['Node.js 24, as CommonJS', node(24), ['run.cjs']],
    ['Bun', toolPath('@oven/bun-linux-x64-baseline/bin/bun'), ['run.mjs']],
    ['Bun, as CommonJS', toolPath('@oven/bun-linux-x64-baseline/bin/bun'), ['run.cjs']],
    ['Deno', toolPath('@deno/linux-x64-glibc/deno'), deno],
  ] as const)('%s', async ([name, program, words], { skip }) => {
    if (program === null) return skip(missingTool(name))
    const home = { HOME: project.folder, DENO_DIR: join(project.folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
    const env = { PATH: process.env.PATH, ...home, ...settings() }
    const { stdout } = await run(program, words, { cwd: project.folder, env, timeout: programMsMax })
    expect(JSON.parse(stdout)).toEqual({ ...expected, fromEnvironment: true })
  })

  test('workerd', async ({ skip }) => {
    const program = toolPath('@cloudflare/workerd-linux-64/bin/workerd')
    if (program === null) return skip(missingTool('workerd'))
    await bundled('worker.mjs', 'esm')
    await writeFile(join(project.folder, 'worker.capnp'), workerConfig())
    const worker = spawn(program, ['serve', 'worker.capnp', '--control-fd=3'], {
      cwd: project.folder,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    try {
      const [output] = (await (worker.stdio[3] as Readable).take(1).toArray()) as [Buffer]
      const { port } = JSON.parse(output.toString()) as { port: number }
      const answer = await fetch(`http://127.0.0.1:${port}/`)
      const text = await answer.text()
      expect([answer.status, JSON.parse(answer.ok ? text : JSON.stringify(text))]).toEqual([200, expected])
    } finally {
      worker.kill('SIGKILL')
    }
  })

  test('Chromium', async ({ skip }) => {
    if (!hasChromium) return skip('Chromium is not installed.')
    const script = await bundled('page.mjs', 'iife')
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      // The API allows only pages of its own origin.
      await page.goto(`${product.url}/healthz`)
      await page.evaluate(script)
      const given = { url: product.url, key: product.keys.test }
      const answered = page.evaluate((one) => (globalThis as unknown as EverydayPage).runEveryday(one), given)
      expect(await answered).toEqual(expected)
    } finally {
      await browser.close()
    }
  })
})

/** The function that the script adds to the page. */
interface EverydayPage {
  runEveryday(given: { url: string; key: string }): Promise<unknown>
}

async function bundled(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const outfile = join(project.folder, `bundled-${entry}`)
  const { outputFiles } = await build({
    entryPoints: [join(project.folder, entry)],
    bundle: true,
    format,
    platform: 'neutral',
    outfile,
    write: false,
  })
  const { text } = outputFiles[0]!
  await writeFile(outfile, text)
  return text
}

function workerConfig(): string {
  const bindings = Object.entries(settings()).map(([name, text]) => `(name = "${name}", text = "${text}")`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "bundled-worker.mjs")],
      compatibilityDate = "2026-11-01",
      bindings = [${bindings.join(', ')}],
      globalOutbound = "net")),
    (name = "net", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`
}
