import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { errorStatus } from '@overture/contract/errors.ts'
import { addLeadsInput, leadInput } from '@overture/contract/campaigns/lead-fields.ts'
import { toOpenApi30 } from '@overture/contract/document/openapi-30.ts'
import { buildOpenApi, errorsByStatus, routesTable } from '@overture/contract/document/openapi.ts'
import { toSchema } from '@overture/contract/document/schemas.ts'

const root = resolve(import.meta.dirname, '..')
// The linters take seconds, or a minute during a busy test run.
const linterTimeoutMs = 240_000
const run = promisify(execFile)
const document = buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' }) as unknown as OpenApi
const documentFile = join(root, 'docs/openapi.json')

test('docs/openapi.json and docs/routes.md are up to date (npm run openapi writes them)', () => {
  expect(JSON.parse(readFileSync(documentFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)))
  expect(readFileSync(join(root, 'docs/routes.md'), 'utf8')).toBe(routesTable(allEndpoints))
})

test('operation ids and routes are unique', () => {
  const ids = allEndpoints.map((endpoint) => endpoint.operationId)
  const routes = allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, ':')}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(routes).size).toBe(routes.length)
})

test('calls are unique, and none is a prefix of another', () => {
  const calls = allEndpoints.map((endpoint) => endpoint.call)
  expect(new Set(calls).size).toBe(calls.length)
  for (const call of calls) {
    expect(call).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/)
    expect(calls.filter((other) => other.startsWith(`${call}.`))).toEqual([])
  }
})

describe('models have their own names', () => {
  test('every JSON body and response is a named model', () => {
    for (const operation of operationsOf(document)) {
      const contents = [operation.requestBody?.content, ...Object.values(operation.responses).map((one) => one.content)]
      const schemas = contents.flatMap((content) => content?.['application/json']?.schema ?? [])
      for (const { $ref } of schemas) expect($ref).toMatch(/^#\/components\/schemas\/\w+$/)
    }
  })

  test('no model is named after an operation', () => {
    const named = allEndpoints.map(({ operationId }) => operationId.toLowerCase())
    const models = Object.keys(document.components.schemas)
    expect(models.filter((name) => named.includes(name.replace(/(Request|Response)$/, '').toLowerCase()))).toEqual([])
  })

  test('no object of three or more fields is defined twice', () => {
    expect(inlinedTwice(document)).toEqual([])
  })

  test('a repeated object would be found', () => {
    const properties = { a: {}, b: {}, c: {} }
    const planted = { one: { type: 'object', properties }, other: { type: 'object', description: 'again', properties } }
    expect(inlinedTwice(planted)).toEqual([['/one', '/other']])
  })
})

describe('examples are valid by their schemas', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document')
  const operations = document.paths

  test.each(allEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', (_id, endpoint) => {
    const operation = operations[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]![endpoint.method.toLowerCase()]!
    if (endpoint.body !== undefined) {
      const { schema, example } = operation.requestBody!.content['application/json']!
      expect(example).toBeDefined()
      expect(endpoint.body.safeParse(example)).toMatchObject({ success: true })
      expect(validates(ajv, schema, example)).toEqual([])
    }
    const { schema, example } =
      operation.responses[endpoint.success[0]]!.content![endpoint.outputType ?? 'application/json']!
    expect(example).toBeDefined()
    expect(endpoint.output.safeParse(example)).toMatchObject({ success: true })
    expect(validates(ajv, schema, example)).toEqual([])
  })
})

test('every error of every operation is documented with an example', () => {
  const { responses } = document.components
  const { paths } = document
  for (const endpoint of allEndpoints) {
    const operation = paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]![endpoint.method.toLowerCase()]!
    for (const [status, codes] of errorsByStatus(endpoint)) {
      const name = operation.responses[status]!.$ref!.split('/').at(-1)!
      const { examples } = responses[name]!.content['application/json']!
      for (const code of codes) {
        expect(errorStatus[code]).toBe(status)
        expect(examples![code]!.value.error).toMatchObject({
          code,
          message: expect.any(String),
          request_id: expect.any(String),
        })
      }
    }
  }
})

describe.each([
  ['the document', () => document],
  ['the document as OpenAPI 3.0 has it', () => toOpenApi30(document as unknown as Record<string, unknown>)],
])('public linters find nothing in %s', (_name, documentOf) => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-openapi-'))
    file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(documentOf(), null, 2))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test(
    'redocly with recommended rules',
    async () => {
      const answer = await run('npx', ['redocly', 'lint', file, '--format=json'], { cwd: root, maxBuffer: 1e8 })
      expect(JSON.parse(answer.stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } })
    },
    linterTimeoutMs,
  )
})

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, { content: Content }> }
}

function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path))
}

/** Finds objects that the document defines inline more than once, ignoring their descriptions. */
function inlinedTwice(root: unknown): string[][] {
  const places = new Map<string, string[]>()
  const visit = (value: unknown, place: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const children = Object.entries(value)
      .filter(([name]) => !['description', 'default', 'example', 'examples'].includes(name))
      .map(([name, child]) => [name, visit(child, `${place}/${name}`)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const { properties } = value as { properties?: object }
    if (typeof properties === 'object' && Object.keys(properties).length >= 3) {
      const shape = JSON.stringify(children)
      places.set(shape, [...(places.get(shape) ?? []), place])
    }
    return children
  }
  visit(root, '')
  const isModel = (place: string) => /^\/components\/schemas\/\w+$/.test(place)
  return [...places.values()].filter((found) => found.length > 1 && !found.every(isModel))
}

type Content = Record<
  string,
  { schema: { $ref?: string }; example?: unknown; examples?: Record<string, { value: { error: object } }> }
>

interface Operation {
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}

function validates(ajv: Ajv2020, schema: { $ref?: string }, value: unknown): unknown[] {
  const check = ajv.compile(schema.$ref === undefined ? schema : { $ref: `document${schema.$ref}` })
  return check(JSON.parse(JSON.stringify(value))) ? [] : (check.errors ?? [])
}

test('the schema for adding leads has all fields, and an address pattern without flags', () => {
  const { leads } = addLeadsInput.shape
  const { properties } = (toSchema(leads, 'input') as unknown as { items: { properties: Record<string, Pattern> } })
    .items
  expect(Object.keys(properties)).toEqual(Object.keys(leadInput.shape))
  const address = new RegExp(properties['email']?.pattern ?? '(?!)', 'u')
  const addresses = ['ada@example.com', 'Ada@Example.COM', 'ada@mail.example.Museum']
  expect(addresses.filter((one) => !address.test(one))).toEqual([])
  expect(['ada', 'ada@', 'ada@example'].filter((one) => address.test(one))).toEqual([])
})

interface Pattern {
  pattern?: string
}
