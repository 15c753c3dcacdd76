import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { toOpenApi30 } from '@overture/contract/document/openapi-30.ts'
import { buildOpenApi } from '@overture/contract/document/openapi.ts'

type Json = Record<string, unknown>

const newer = JSON.parse(JSON.stringify(buildOpenApi(allEndpoints, { serverUrl: 'http://127.0.0.1:3000' }))) as Json
const older = JSON.parse(JSON.stringify(toOpenApi30(newer))) as Json

interface Media {
  schema: Json
  example?: unknown
}

type Operations = Record<string, Record<string, { requestBody?: Body; responses?: Record<string, Body> }>>

interface Body {
  content?: Record<string, Media>
}

/** Every JSON schema of a request or response, by its place in the document. */
function medias(document: Json): Map<string, Media> {
  const found = new Map<string, Media>()
  const note = (place: string, { content }: Body = {}) => {
    const media = content?.['application/json']
    if (media !== undefined) found.set(place, media)
  }
  for (const [path, methods] of Object.entries(document['paths'] as Operations))
    for (const [method, { requestBody, responses = {} }] of Object.entries(methods)) {
      note(`${method} ${path} body`, requestBody)
      for (const [status, response] of Object.entries(responses)) note(`${method} ${path} ${status}`, response)
    }
  return found
}

/** Interprets a schema like a 3.0 reader: `nullable` accepts null in addition to the schema. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...schema } = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNull(one)]))
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

function validatorOf(document: Json) {
  const ajv = new Ajv2020({ strict: false, logger: false })
  formats.default(ajv)
  ajv.addSchema({ components: document['components'] }, 'document')
  const absolute = (schema: Json) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as Json
  return (schema: Json) => ajv.compile(absolute(schema))
}

const before = validatorOf(newer)
const after = validatorOf(withNull(older) as Json)
const olderMedias = medias(older)
const places = [...medias(newer)].map(([place, { schema, example }]) => ({
  place,
  example,
  before: before(schema),
  after: after(withNull(olderMedias.get(place)!.schema) as Json),
}))

describe('the OpenAPI 3.0 document', () => {
  test('describes every body and response of the document', () => {
    expect([...olderMedias.keys()]).toEqual([...medias(newer).keys()])
    expect(places.length).toBeGreaterThan(allEndpoints.length)
    expect(older['openapi']).toBe('3.0.3')
    expect(Object.keys(older['x-webhooks'] as Json)).toEqual(Object.keys(newer['webhooks'] as Json))
  })

  test('contains no keyword that 3.0 lacks', () => {
    const text = JSON.stringify({ ...older, paths: withoutExamples(older['paths']) })
    for (const word of ['"const":', '"propertyNames":', '"contentEncoding":', '{"type":"null"}', '"type":["'])
      expect(text).not.toContain(word)
  })

  test('accepts every example', () => {
    for (const { place, example, after: accepts } of places)
      if (example !== undefined) expect([place, accepts(example), accepts.errors]).toEqual([place, true, null])
  })

  // Replaces any part of an example with null or another kind of value.
  test('accepts and refuses the same values as the 3.1 document', () => {
    const shown = places.filter(({ example }) => typeof example === 'object' && example !== null)
    let refused = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...shown),
        fc.nat(),
        fc.constantFrom(null, 7, 'x', true, [], {}),
        (one, at, value) => {
          const changed = changedAt(one.example, { left: at % (sizeOf(one.example) + 1) }, value)
          const taken = one.before(changed)
          if (!taken) refused++
          expect([one.place, changed, one.after(changed)]).toEqual([one.place, changed, taken])
        },
      ),
      { numRuns: 3_000 },
    )
    expect(refused).toBeGreaterThan(500)
  })

  test('conversion fails for keywords without a 3.0 equivalent', () => {
    const document = { openapi: '3.1.0', components: { schemas: { One: { type: 'array', prefixItems: [] } } } }
    expect(() => toOpenApi30(document)).toThrow('prefixItems')
  })
})

function withoutExamples(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, one: unknown) => (name.startsWith('example') ? undefined : one)))
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return 1 + Object.values(value).reduce<number>((sum, one) => sum + sizeOf(one), 0)
}

/** Replaces the part of the value at which the count reaches zero. */
function changedAt(value: unknown, count: { left: number }, by: unknown): unknown {
  if (count.left-- === 0) return by
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => changedAt(one, count, by))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changedAt(one, count, by)]))
}
