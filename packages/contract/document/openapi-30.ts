import type { Json } from './schemas.ts'

/** The keywords that a schema of OpenAPI 3.0 may have, among those that ours use. */
const keywords: ReadonlySet<string> = new Set(
  [
    'type nullable enum format pattern default example description discriminator',
    'allOf anyOf oneOf items properties required additionalProperties',
    'minLength maxLength minimum maximum minItems maxItems multipleOf',
  ].flatMap((line) => line.split(' ')),
)

/**
 * The document for readers of OpenAPI 3.0, which includes many generators for other languages. It describes every path in the same way.
 * Webhooks are under `x-webhooks`, since 3.0 has no place for them.
 */
export function toOpenApi30(document: Json): Json {
  const { openapi: _newer, webhooks, ...rest } = document
  return { openapi: '3.0.3', ...(withSchemas(rest) as Json), 'x-webhooks': withSchemas(webhooks) }
}

/** Converts every schema within a value to the form of 3.0. Examples are data and are left unchanged. */
function withSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSchemas)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Json).map(([name, child]) => {
      if (name === 'example' || name === 'examples') return [name, child]
      if (name === 'schema') return [name, convertSchema(child as Json)]
      if (name === 'schemas') return [name, mapValues(child as Json, convertSchema)]
      return [name, withSchemas(child)]
    }),
  )
}

function convertSchema(schema: Json): Json {
  const { $ref, ...beside } = schema
  if (typeof $ref === 'string')
    return Object.keys(beside).length === 0 ? { $ref } : { allOf: [{ $ref }], ...convertSchema(beside) }
  const { const: only, examples, propertyNames: _keys, contentEncoding, type, ...plainKeywords } = schema
  const converted: Json = {
    ...mapChildren(plainKeywords),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  }
  const unknown = Object.keys(converted).filter((name) => !keywords.has(name))
  if (unknown.length > 0) throw new Error(`OpenAPI 3.0 has no ${unknown.join(', ')} in a schema.`)
  return withoutNull(withTypes(converted, type))
}

function mapChildren(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([name, child]) => {
      if (name === 'properties') return [name, mapValues(child as Json, convertSchema)]
      if (name === 'items' || (name === 'additionalProperties' && typeof child === 'object'))
        return [name, convertSchema(child as Json)]
      // A choice of null stays as it is here. The schema that has the choices turns it into `nullable`.
      if (name === 'anyOf' || name === 'oneOf' || name === 'allOf')
        return [name, (child as Json[]).map((one) => (one['type'] === 'null' ? one : convertSchema(one)))]
      return [name, child]
    }),
  )
}

/** A schema has at most one type: several types become a choice, and null becomes the keyword `nullable`. */
function withTypes(schema: Json, type: unknown): Json {
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema }
  const types = (type as string[]).filter((one) => one !== 'null')
  const isNullable = types.length < type.length
  if (types.length > 1)
    return { ...schema, anyOf: [...types.map((one): Json => ({ type: one })), ...(isNullable ? [nothing] : [])] }
  const typed = { type: types[0], ...schema }
  return isNullable ? nullable(typed) : typed
}

/** The schema that only allows null. OpenAPI 3.0 allows null only in addition to a type, so it gets an arbitrary type. */
const nothing: Json = { type: 'object', nullable: true, enum: [null] }

function withoutNull(schema: Json): Json {
  for (const name of ['anyOf', 'oneOf'] as const) {
    const choices = schema[name] as Json[] | undefined
    const remaining = choices?.filter(({ type }) => type !== 'null') ?? []
    if (choices === undefined || remaining.length === choices.length) continue
    const { [name]: _choices, ...beside } = schema
    const [first] = remaining as [Json]
    if (remaining.length > 1 || !('type' in first)) return { ...beside, [name]: [...remaining, nothing] }
    return { ...nullable(first), ...beside }
  }
  return schema
}

function nullable(schema: Json): Json {
  const values = schema['enum'] as unknown[] | undefined
  return { ...schema, nullable: true, ...(values !== undefined && { enum: [...new Set([...values, null])] }) }
}

function mapValues(object: Json, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value as Json)]))
}
