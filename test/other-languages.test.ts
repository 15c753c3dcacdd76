import { execFile, execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { exampleBody } from '@overture/contract/document/openapi-examples.ts'
import { buildOpenApi } from '@overture/contract/document/openapi.ts'
import { toSchema } from '@overture/contract/document/schemas.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { missingTool, toolPath } from '@overture/testing/tools.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const run = promisify(execFile)
const scripts = resolve(import.meta.dirname, 'languages')
const document = JSON.parse(
  JSON.stringify(buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' })),
) as Document
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-languages-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Content {
  schema: { $ref?: string }
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Described {
  content?: Record<string, Content>
  requestBody?: Described
  responses?: Record<string, Described>
}

interface Document {
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, { post: Described }>
  components: { schemas: Record<string, object>; responses: Record<string, Described> }
}

/** Every example of the document: request bodies, responses, errors and webhook payloads. */
function examples(): [place: string, model: string, value: unknown][] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method} ${path}`, one] as const),
  )
  const webhooks = Object.entries(document.webhooks).map(([type, { post }]) => [`webhook ${type}`, post] as const)
  const described = [...operations, ...webhooks].flatMap(([place, { requestBody = {}, responses = {} }]) => [
    [`${place} body`, requestBody] as const,
    ...Object.entries(responses).map(([status, response]) => [`${place} ${status}`, response] as const),
  ])
  const errors = Object.entries(document.components.responses)
  return [...described, ...errors].flatMap(([place, { content }]) => {
    const media = content?.['application/json']
    if (media === undefined) return []
    const values: unknown[] = media.example === undefined ? [] : [media.example]
    for (const { value } of Object.values(media.examples ?? {})) values.push(value)
    return values.map((value): [string, string, unknown] => [place, media.schema.$ref?.split('/').at(-1) ?? '', value])
  })
}

/** Whether this machine has a program. Runs it with `--version`. */
function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test("Python reads every example with quicktype's models, and refuses invalid ones", async ({ skip }) => {
  const quicktype = toolPath('quicktype/dist/index.js')
  if (quicktype === null) return skip(missingTool('quicktype'))
  if (!has('python3')) return skip('python3 is not installed.')
  const models = { definitions: document.components.schemas }
  const schema = JSON.stringify(models).replaceAll('#/components/schemas/', '#/definitions/')
  await writeFile(join(folder, 'models.json'), schema)
  await copyFile(join(scripts, 'read.py'), join(folder, 'read.py'))
  const words = ['--src-lang', 'schema', '--lang', 'python', '--python-version', '3.7', '--no-date-times']
  await run(process.execPath, [quicktype, ...words, '-o', 'models.py', 'models.json#/definitions/'], { cwd: folder })

  const shown = examples()
  expect(shown.length).toBeGreaterThan(allEndpoints.length * 1.5)
  const wrong: (typeof shown)[number] = ['planted', 'Campaign', { id: 7 }]
  const reading = run('python3', ['read.py'], { cwd: folder, maxBuffer: 1e8 })
  reading.child.stdin!.end(JSON.stringify([...shown, wrong]))
  const { read, problems } = JSON.parse((await reading).stdout)
  expect(read).toBe(shown.length + 1)
  expect(problems.map(([place]: [string]) => place)).toEqual(['planted'])
})

test("openapi-fetch calls every operation with openapi-typescript's types", async ({ skip }) => {
  const [tsc, generator] = [toolPath('typescript/bin/tsc'), toolPath('openapi-typescript/bin/cli.js')]
  if (tsc === null || generator === null) return skip(missingTool('openapi-typescript'))
  await symlink(toolPath('')!, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  // Fields with a default may be left out of a body.
  await run(process.execPath, [generator, 'openapi.json', '-o', 'types.ts', '--default-non-nullable=false'], {
    cwd: folder,
  })
  await writeFile(join(folder, 'program.ts'), program())
  const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', types: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiling = run(process.execPath, [tsc, '-p', '.'], { cwd: folder, maxBuffer: 1e8 })
  const { stdout } = await compiling.catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')

  const server = await startShowing()
  try {
    const ran = await run(process.execPath, ['program.js', server.url], { cwd: folder, maxBuffer: 1e8 })
    const answers = JSON.parse(ran.stdout) as Record<string, unknown>
    expect(Object.keys(answers)).toEqual(called.map(({ operationId }) => operationId))
    for (const endpoint of called)
      expect([endpoint.call, answers[endpoint.operationId]]).toEqual([endpoint.call, answerItem(endpoint)])
  } finally {
    server.stop()
  }
})

const called = allEndpoints.filter(({ outputType }) => outputType !== 'text/event-stream')
const pathOf = ({ path }: Endpoint) => path.replaceAll(/:(\w+)/g, '{$1}')

function answerItem(endpoint: Endpoint): unknown {
  const { content } = document.paths[pathOf(endpoint)]![endpoint.method.toLowerCase()]!.responses![endpoint.success[0]]!
  return content![endpoint.outputType ?? 'application/json']!.example
}

/** Queries of operations with required parameters. */
const queries: Record<string, object> = {
  'leadFinder.suggest': { field: 'jobTitle', q: 'eng' },
  'analytics.grouped': { groupBy: 'weekday,hour' },
  'holidays.get': { calendar: 'DE', year: 2027 },
  'suppressions.import': { list: 'customers' },
  'sendingAccounts.adminConsent': { provider: 'microsoft', domain: 'example.com' },
}

/** A program that calls each operation with the document's example and expects the example response. */
function program(): string {
  const calls = called.map((endpoint) => {
    const ids = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'one'] as const)
    const path = ids.length === 0 ? undefined : Object.fromEntries(ids)
    const body = endpoint.body === undefined ? undefined : exampleBody(endpoint, toSchema(endpoint.body, 'input'))
    const query = queries[endpoint.call]
    const isText = endpoint.outputType !== undefined
    const csv = endpoint.bodyType === undefined ? undefined : 'email\nada@example.com\n'
    const init = [
      `params: ${JSON.stringify({ path, query })}`,
      ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
      ...(csv === undefined
        ? []
        : [
            `body: ${JSON.stringify(csv)}, bodySerializer: String, headers: { 'content-type': '${endpoint.bodyType}' }`,
          ]),
      ...(isText ? [`parseAs: 'text'`] : []),
    ]
    return `{
  const { data, error } = await client.${endpoint.method}('${pathOf(endpoint)}', { ${init.join(', ')} })
  ${isText ? '' : `const shown: NonNullable<typeof data> = ${JSON.stringify(answerItem(endpoint))}\n  void shown`}
  answers['${endpoint.operationId}'] = data ?? error
}`
  })
  return `import createClient from 'openapi-fetch'
import type { paths } from './types.js'

declare const process: { argv: string[]; stdout: { write(text: string): void } }
const client = createClient<paths>({ baseUrl: process.argv[2] })
const answers: Record<string, unknown> = {}
${calls.join('\n')}
process.stdout.write(JSON.stringify(answers))
export {}
`
}

/** Starts a server that returns the document's example response if the request matches the document. */
async function startShowing(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { pathname } = new URL(request.url!, 'http://127.0.0.1')
      const endpoint = called.find(
        ({ method, path }) => method === request.method && path.replaceAll(/:\w+/g, 'one') === pathname,
      )
      if (endpoint === undefined) return void response.writeHead(404).end()
      if (endpoint.body?.safeParse(body === '' ? undefined : JSON.parse(body)).success === false)
        return void response.writeHead(400).end()
      const { outputType = 'application/json' } = endpoint
      const answer = answerItem(endpoint)
      response.writeHead(endpoint.success[0], { 'content-type': outputType })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}
