import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { errorStatus } from '@overture/contract/errors.ts'
import { addLeadsInput, leadInput } from '@overture/contract/campaigns/lead-fields.ts'
import { buildOpenApi, errorsByStatus, routesTable, toSchema } from '@overture/contract/document/openapi.ts'

const root = resolve(import.meta.dirname, '..')
// They take seconds alone, and a minute beside a busy test run.
const linterTimeoutMs = 240_000
const run = promisify(execFile)
const document = buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' })
const documentFile = join(root, 'docs/openapi.json')

test('docs/openapi.json and docs/routes.md are what the contract says (npm run openapi writes them)', () => {
  expect(JSON.parse(readFileSync(documentFile, 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)))
  expect(readFileSync(join(root, 'docs/routes.md'), 'utf8')).toBe(routesTable(allEndpoints))
})

test('operation ids and routes are unique', () => {
  const ids = allEndpoints.map((endpoint) => endpoint.operationId)
  const routes = allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, ':')}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(routes).size).toBe(routes.length)
})

describe('examples are what the schemas say', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document')
  const operations = (document['paths'] ?? {}) as Record<string, Record<string, Operation>>

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

test('every error of every operation is documented with an example of the published shape', () => {
  const { responses } = document['components'] as { responses: Record<string, { content: Content }> }
  const paths = document['paths'] as Record<string, Record<string, Operation>>
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

describe('public linters find nothing', () => {
  test(
    'redocly, recommended rules',
    async () => {
      const answer = await run('npx', ['redocly', 'lint', documentFile, '--format=json'], { cwd: root, maxBuffer: 1e8 })
      expect(JSON.parse(answer.stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } })
    },
    linterTimeoutMs,
  )

  test(
    'spectral, recommended rules',
    async () => {
      const answer = await run(
        'npx',
        ['spectral', 'lint', documentFile, '--format=json', '--fail-severity=hint', '--quiet'],
        {
          cwd: root,
          maxBuffer: 1e8,
        },
      )
      expect(JSON.parse(answer.stdout)).toEqual([])
    },
    linterTimeoutMs,
  )
})

type Content = Record<
  string,
  { schema: { $ref: string }; example?: unknown; examples?: Record<string, { value: { error: object } }> }
>

interface Operation {
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}

function validates(ajv: Ajv2020, schema: { $ref: string }, value: unknown): unknown[] {
  const check = ajv.compile({ $ref: `document${schema.$ref}` })
  return check(JSON.parse(JSON.stringify(value))) ? [] : (check.errors ?? [])
}

test('leads to be added are described field by field, their address by a pattern that needs no flags', () => {
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
