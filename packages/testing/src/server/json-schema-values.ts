import fc from 'fast-check'

type Schema = Record<string, unknown>
const lengthMax = 40
const itemsMax = 3

/** Generates values for a JSON Schema of our document, mostly near its bounds. */
export function schemaValues(schema: Schema | boolean | undefined): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 2 })
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (branches !== undefined) return fc.oneof(...branches.map(schemaValues))
  const all = schema['allOf'] as Schema[] | undefined
  if (all !== undefined)
    return fc.tuple(...all.map(schemaValues)).map((parts) => Object.assign({}, ...parts) as unknown)
  const { type } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => schemaValues({ ...schema, type: one as string })))
  return ofType(schema)
}

function ofType(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: lower(schema, -1_000, 1), max: upper(schema, 100_000, 1) })
    case 'number':
      return fc
        .double({ min: lower(schema, -1_000, 0.01), max: upper(schema, 100_000, 0.01), noNaN: true })
        .map((value) => Math.round(value * 100) / 100)
    case 'string':
      return strings(schema)
    case 'array':
      return arrays(schema)
    case 'object':
      return objects(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function strings(schema: Schema): fc.Arbitrary<string> {
  const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  switch (schema['format']) {
    case 'date-time':
      return instants.map((date) => date.toISOString())
    case 'date':
      return instants.map((date) => date.toISOString().slice(0, 10))
    case 'email':
      return fc.integer({ min: 1, max: 9_999 }).map((number) => `person${number}@example.com`)
    case 'uri':
      return fc.constantFrom('https://example.com/', 'https://example.com/path?x=1', 'http://hooks.example.com:8080/a')
    default:
  }
  const pattern = schema['pattern']
  if (typeof pattern === 'string') {
    const matching = matchingStrings(pattern)
    if (matching !== null) return matching
  }
  const minLength = Number(schema['minLength'] ?? 0)
  const maxLength = Math.min(Number(schema['maxLength'] ?? lengthMax), Math.max(lengthMax, minLength))
  const plain = fc.string({ minLength, maxLength })
  const foreign = fc.string({ minLength, maxLength, unit: 'grapheme' })
  const known = fc.constantFrom(
    'Ada',
    'ada@example.com',
    'example.com',
    'Europe/Berlin',
    'UTC',
    '{{ firstName }}',
    '3d',
  )
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: foreign }, { weight: 3, arbitrary: known })
}

// Returns null for patterns with look-around or classes that the generator doesn't support.
function matchingStrings(pattern: string): fc.Arbitrary<string> | null {
  if (pattern.includes('\\p{')) return null
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return null
  }
}

function arrays(schema: Schema): fc.Arbitrary<unknown[]> {
  const minLength = Number(schema['minItems'] ?? 0)
  const maxLength = Math.max(minLength, Math.min(Number(schema['maxItems'] ?? itemsMax), itemsMax))
  return fc.array(schemaValues(schema['items'] as Schema | undefined), { minLength, maxLength })
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  const required = ((schema['required'] as string[] | undefined) ?? []).filter((name) => name in properties)
  const fields = Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, schemaValues(child)]))
  const fixed = fc.record(fields, { requiredKeys: required })
  const more = schema['additionalProperties']
  if (typeof more !== 'object' || more === null) return fixed
  const names = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/)
  return fc
    .tuple(fixed, fc.dictionary(names, schemaValues(more as Schema), { maxKeys: 3 }))
    .map(([own, rest]) => ({ ...rest, ...own }))
}

function lower(schema: Schema, fallback: number, step: number): number {
  const exclusive = schema['exclusiveMinimum']
  if (typeof exclusive === 'number') return exclusive + step
  return typeof schema['minimum'] === 'number' ? schema['minimum'] : Math.min(fallback, upper(schema, fallback, step))
}

function upper(schema: Schema, fallback: number, step: number): number {
  const exclusive = schema['exclusiveMaximum']
  if (typeof exclusive === 'number') return exclusive - step
  const { maximum, minimum } = schema
  if (typeof maximum === 'number') return maximum
  return typeof minimum === 'number' ? Math.max(fallback, minimum) : fallback
}
