import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { AppError } from '@overture/contract/errors.ts'
import { buildOpenApi } from '@overture/contract/document/openapi.ts'
import { listOperations, type ReferenceDocument } from '@overture/contract/document/reference/document.ts'
import { referencePages } from '@overture/contract/document/reference/pages.ts'
import { variable } from '@overture/contract/document/reference/snippets.ts'
import { parseJson } from '@overture/server/platform/http/json.ts'
import { validate } from '@overture/server/platform/http/validate.ts'
import { root } from '@overture/testing/docs/fences.ts'
import { registerApi } from '../packages/cli/src/client/api.ts'
import { referenceExamples, type ReferenceExample } from '@overture/testing/docs/reference-examples.ts'

// Each example is compiled and run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const run = promisify(execFile)
const tenant = { accountId: 'acc_1', environment: 'test' } as const
const apiKey = `ovt_test_${'a'.repeat(30)}`
const document = JSON.parse(JSON.stringify(buildOpenApi(allEndpoints, { serverUrl: '/' }))) as ReferenceDocument
const operations = listOperations(document)
const examples = [...referencePages(document).values()].flatMap(referenceExamples)
const ofWay = (way: ReferenceExample['client']) => examples.filter((example) => example.client === way)

/** Values for every variable in the shell examples, as a reader would set them. */
const ids = Object.fromEntries(
  operations.flatMap(({ path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      const written = variable(path, name!)
      return [written, `${written.toLowerCase()}_1`]
    }),
  ),
)

interface Request {
  method: string
  url: URL
  key: string | undefined
  type: string | undefined
  body: Buffer
}

let folder: string
let recorder: Server
let url: string
let recorded: Request[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-reference-'))
  await writeFile(join(folder, 'leads.csv'), 'email,firstName\nada@example.com,Ada\n')
  await writeFile(join(folder, 'report.xml.gz'), gzipSync('<feedback/>'))
  recorder = createServer((request, response) => {
    void record(request).then(() => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>((listening) => recorder.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
})
afterAll(async () => {
  recorder.closeAllConnections()
  await new Promise((closed) => recorder.close(closed))
  await rm(folder, { recursive: true, force: true })
})

async function record(request: IncomingMessage): Promise<void> {
  recorded.push({
    method: request.method!,
    url: new URL(request.url!, url),
    key: request.headers.authorization,
    type: request.headers['content-type'],
    body: await buffer(request),
  })
}

/** Finds the operation of a request by method and path, and validates the request like the server. */
function problemsOf(anchor: string, requests: readonly Request[]): string[] {
  if (requests.length !== 1) return [`${anchor}: ${requests.length} requests`]
  const { method, url: at, body, type, key } = requests[0]!
  const found = allEndpoints.map((endpoint) => ({ endpoint, params: paramsOf(endpoint, method, at.pathname) }))
  // A fixed part of a path takes precedence over an id.
  const [named] = found
    .flatMap(({ endpoint, params }) => (params === null ? [] : [{ endpoint, params }]))
    .toSorted((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)
  if (named === undefined) return [`${anchor}: there is no ${method} ${at.pathname}`]
  const { endpoint, params } = named
  const problems: string[] = []
  if (anchorOf(endpoint) !== anchor) problems.push(`${anchor}: it asks for ${endpoint.call}`)
  if (endpoint.open !== true && key?.startsWith('Bearer ovt_') !== true) problems.push(`${anchor}: it shows no key`)
  for (const value of Object.values(params))
    if (!Object.values(ids).includes(value)) problems.push(`${anchor}: ${value} is no id`)
  const wanted = endpoint.bodyType ?? (endpoint.body === undefined ? undefined : 'application/json')
  if (body.length > 0 && wanted !== undefined && type?.split(';')[0] !== wanted)
    problems.push(`${anchor}: its body is ${type}`)
  const isJson = endpoint.bodyType === undefined && body.length > 0
  const parsed = isJson ? parseJson(body) : ({ ok: true, value: undefined } as const)
  const query = Object.fromEntries(at.searchParams)
  try {
    validate(endpoint, { tenant, params, query, body: parsed, idempotencyKey: undefined, checked: [] })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    problems.push(`${anchor}: ${JSON.stringify(error.details)}`)
  }
  return problems
}

function paramsOf(endpoint: Endpoint, method: string, path: string): Record<string, string> | null {
  const parts = endpoint.path.split('/')
  const given = path.split('/')
  if (endpoint.method !== method || parts.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[index]!)
    else if (part !== given[index]) return null
  }
  return params
}

function anchorOf({ call }: { call: string }): string {
  return call.replaceAll('.', '-').toLowerCase()
}

/** Runs a shell example unchanged with the reader's variables. `own` replaces commands by functions that print their arguments. */
async function shell(code: string, own = ''): Promise<string> {
  const environment = { ...ids, PATH: process.env['PATH'], OVERTURE_URL: url, OVERTURE_API_KEY: apiKey }
  const words = ['-euo', 'pipefail', '-c', `${own}\n${code}`]
  return (await run('bash', words, { cwd: folder, env: environment })).stdout
}

/** Runs the example through the CLI. Its output is dropped, and its errors are returned. */
async function cliProblems({ anchor, code }: ReferenceExample): Promise<string[]> {
  const given = await shell(code, String.raw`npx() { printf '%s\0' "$@"; }`).catch((error: Error) => error)
  if (given instanceof Error) return [`${anchor}: ${given.message}`]
  const [name, command, ...words] = given.split('\0').slice(0, -1)
  if (name !== 'overture' || command !== 'api') return [`${anchor}: it calls ${name} ${command}`]
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerApi(program)
  for (const one of program.commands) one.exitOverride().configureOutput({ writeErr: () => undefined })
  recorded = []
  const here = words.map((word) => (/^@[\w.]+$/.test(word) ? `@${join(folder, word.slice(1))}` : word))
  try {
    await program.parseAsync(['api', ...here], { from: 'user' })
  } catch (error) {
    return [`${anchor}: ${(error as Error).message}`]
  }
  return problemsOf(anchor, recorded)
}

async function curlProblems({ anchor, code }: ReferenceExample): Promise<string[]> {
  recorded = []
  try {
    await shell(code)
  } catch (error) {
    return [`${anchor}: ${(error as Error).message}`]
  }
  return problemsOf(anchor, recorded)
}

const importLine = /^import .*\n/gm

/** Compiles all examples as functions of one program with strict settings. Returns the compiler's errors. */
async function typeProblems(given: readonly ReferenceExample[]): Promise<string[]> {
  const place = await mkdtemp(join(root, 'test', 'dist.reference-'))
  const names = Object.keys(ids).map((name) =>
    name.toLowerCase().replaceAll(/_(\w)/g, (_, a: string) => a.toUpperCase()),
  )
  const head = [
    "import type { Overture } from '@overture/sdk'",
    'declare const overture: Overture',
    ...names.map((name) => `declare const ${name}: string`),
  ]
  const imports = new Set(given.flatMap(({ code }) => code.match(importLine) ?? []))
  const functions = given.map(({ anchor, code }) => {
    const body = code.replaceAll(importLine, '')
    return [
      `// ${anchor}`,
      `export async function f_${anchor.replaceAll('-', '_')}() {`,
      body,
      'return answer',
      '}',
    ].join('\n')
  })
  try {
    await writeFile(join(place, 'all.mts'), [...imports, ...head, ...functions].join('\n'))
    const config = readFileSync(join(root, 'tsconfig.json'), 'utf8')
    const { compilerOptions } = JSON.parse(config) as { compilerOptions: object }
    await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
    const compiling = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', place])
    const { stdout } = await compiling.catch((error: { stdout: string }) => error)
    return stdout.split('\n').filter((line) => line !== '')
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function allProblems(
  given: readonly ReferenceExample[],
  problems: (example: ReferenceExample) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (const example of given) found.push(...(await problems(example)))
  return found
}

/** Replaces a part of an operation's example, and checks that the part exists. */
function changed(way: ReferenceExample['client'], anchor: string, [from, to]: readonly [string, string]) {
  const example = ofWay(way).find((one) => one.anchor === anchor)!
  expect([anchor, example.code.includes(from)]).toEqual([anchor, true])
  return { ...example, code: example.code.replace(from, to) }
}

test('every operation has an example for each way to call it', () => {
  const anchors = (way: ReferenceExample['client']) => ofWay(way).map(({ anchor }) => anchor)
  const called = allEndpoints.filter(({ outputType, open }) => outputType !== 'text/event-stream' && open !== true)
  expect(anchors('curl').toSorted()).toEqual(allEndpoints.map(anchorOf).toSorted())
  for (const way of ['TypeScript', 'CLI'] as const)
    expect(anchors(way).toSorted()).toEqual(called.map(anchorOf).toSorted())
})

test('every TypeScript example compiles in a strict project', async () => {
  expect(await typeProblems(ofWay('TypeScript'))).toEqual([])
})

test('mistakes in TypeScript are found separately', async () => {
  const launch = 'campaigns-launch'
  const planted = [
    changed('TypeScript', launch, ['campaigns.launch(', 'campaigns.launched(']),
    changed('TypeScript', 'campaigns-get', ['campaignId', '']),
    changed('TypeScript', 'campaigns-create', ['name:', 'nome:']),
    changed('TypeScript', 'suppressions-create', ["email: '", "email: 5, reason: '"]),
  ]
  const functions = planted.map((one, index) => ({ ...one, anchor: `planted-${index}` }))
  const found = await typeProblems(functions)
  const text = found.join('\n')
  expect(text).toContain("'launched' does not exist")
  expect(text).toContain('Expected')
  expect(text).toContain("'nome' does not exist")
  expect(text).toContain("'number' is not assignable to type 'string")
})

describe('requests of examples', () => {
  test("every curl example names an operation and is accepted by the server's schemas", async () => {
    expect(await allProblems(ofWay('curl'), curlProblems)).toEqual([])
  })

  test("every CLI example is parsed by the CLI and accepted by the server's schemas", async () => {
    await withKey(async () => expect(await allProblems(ofWay('CLI'), cliProblems)).toEqual([]))
  })

  test.each<[string, string, readonly [string, string], string]>([
    ['an unknown path', 'campaigns-get', ['/v2/campaigns/', '/v2/campaign/'], 'there is no GET /v2/campaign/'],
    ['another operation', 'campaigns-get', ['/v2/campaigns/', '/v2/templates/'], 'it asks for templates.get'],
    ['another method', 'campaigns-create', ['-X POST', '-X PUT'], 'there is no PUT'],
    ['an unset variable', 'campaigns-get', ['$CAMPAIGN_ID', '$CAMPAIN_ID'], 'unbound variable'],
    ['an unknown field', 'campaigns-create', ['"name"', '"nome"'], 'nome'],
    ['a body that is no JSON', 'campaigns-create', ["-d '{", "-d '{{"], 'JSON'],
    ['no key', 'campaigns-get', ['Authorization', 'X-Authorization'], 'it shows no key'],
    ['another kind of body', 'campaigns-create', ['application/json', 'text/plain'], 'its body is text/plain'],
    ['an unknown query parameter', 'campaigns-get', ['CAMPAIGN_ID"', 'CAMPAIGN_ID?odd=1"'], 'odd'],
  ])('in curl with %s are found', async (_what, anchor, change, told) => {
    expect((await curlProblems(changed('curl', anchor, change))).join('\n')).toContain(told)
  })

  test.each<[string, string, readonly [string, string], string]>([
    ['an unknown call', 'campaigns-get', ['campaigns.get', 'campaigns.got'], 'Unknown operation campaigns.got'],
    ['a missing id', 'campaigns-get', [' "$CAMPAIGN_ID"', ''], 'needs id'],
    ['an unknown option', 'campaigns-create', ['-d ', '-z '], "unknown option '-z'"],
    ['an unknown field', 'campaigns-create', ['"name"', '"nome"'], 'nome'],
    ['quotes that do not close', 'campaigns-create', ["-d '", '-d '], ''],
    ['another command', 'campaigns-get', ['overture api', 'overture apis'], 'it calls overture apis'],
  ])('in the CLI with %s are found', async (_what, anchor, change, told) => {
    await withKey(async () => {
      const problems = await cliProblems(changed('CLI', anchor, change))
      expect(problems).not.toEqual([])
      expect(problems.join('\n')).toContain(told)
    })
  })
})

/** Runs the CLI with the settings for server and key in its environment. Its output is ignored. */
async function withKey(work: () => Promise<void>): Promise<void> {
  vi.stubEnv('OVERTURE_URL', url)
  vi.stubEnv('OVERTURE_API_KEY', apiKey)
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  const quiet = [vi.spyOn(console, 'log').mockReturnValue(), vi.spyOn(process.stdout, 'write').mockReturnValue(true)]
  try {
    await work()
  } finally {
    for (const spy of quiet) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}
