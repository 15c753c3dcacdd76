import { z } from 'zod'
import { schemaName, shownFor } from '../src/common.ts'

export type Json = Record<string, unknown>
export type Direction = 'input' | 'output'

const localPrefix = '#/$defs/'
const componentPrefix = '#/components/schemas/'

/** A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1, with all references resolved. */
export function toSchema(schema: z.ZodType, io: Direction): Json {
  const { $defs: definitions = {}, ...root } = convert(schema, io)
  return resolved(root, definitions as Record<string, Json>) as Json
}

/** The models of a document: every named schema once, by its name. */
export class Models {
  readonly #definitions: Record<string, Json> = {}

  /** The reference to a body or an answer, which is always a model. */
  reference(schema: z.ZodType, io: Direction): Json {
    const { $ref } = this.inlined(schema, io)
    if (typeof $ref !== 'string') throw new Error('The schema of a body or a response has no name.')
    return { $ref }
  }

  /** The schema itself. Named schemas inside it become references. */
  inlined(schema: z.ZodType, io: Direction): Json {
    const { $defs: definitions = {}, ...root } = convert(schema, io)
    for (const [name, definition] of Object.entries(definitions as Record<string, Json>)) {
      const model = asComponent(definition) as Json
      const known = (this.#definitions[name] ??= model)
      if (JSON.stringify(known) !== JSON.stringify(model)) throw new Error(`There are two different models ${name}.`)
    }
    return asComponent(root) as Json
  }

  definitions(): Record<string, Json> {
    return Object.fromEntries(Object.entries(this.#definitions).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

// The format describes these better than zod's pattern, which may have hundreds of characters.
const speakingFormats: ReadonlySet<unknown> = new Set(['date-time', 'date', 'uri', 'uuid', 'email'])

function convert(schema: z.ZodType, io: Direction): Json {
  const shown: z.ZodType[] = []
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override({ jsonSchema, zodSchema }) {
      // zod leaves out the default of an input that is transformed. In our schemas the default is the same before and after.
      const { def } = zodSchema._zod
      if (def.type === 'default') jsonSchema.default ??= def.defaultValue
      if (speakingFormats.has(jsonSchema.format)) delete jsonSchema.pattern
      // Only some languages and validators support Unicode classes, so the document leaves the pattern out. The server still checks it.
      if (jsonSchema.pattern?.includes('\\p{') === true) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      const instead = shownFor(zodSchema)
      if (instead === undefined) return
      shown.push(instead)
      jsonSchema.$ref = localPrefix + schemaName(instead)
    },
  }) as Json
  delete json['$schema']
  const more = shown.map((one) => convert(one, io)['$defs'] as Json)
  const definitions = Object.assign({}, json['$defs'], ...more) as Record<string, Json>
  if (Object.keys(definitions).length === 0) return json
  return { ...json, $defs: mapObjects(definitions, (object) => withDiscriminator(object, definitions)) }
}

/** Adds the field that distinguishes the models of a union, if one constant field does. */
function withDiscriminator(object: Json, definitions: Record<string, Json>): Json {
  const refs = Array.isArray(object['oneOf']) ? object['oneOf'].map((one: Json) => one['$ref']) : []
  if (refs.length < 2 || !refs.every((ref) => typeof ref === 'string')) return object
  const models = refs.map((ref) => [ref, definitions[ref.slice(localPrefix.length)]!['properties'] as Json] as const)
  const propertyName = Object.keys(models[0]![1]).find((name) =>
    models.every(([, properties]) => 'const' in (properties[name] as Json)),
  )
  if (propertyName === undefined) return object
  const mapping = Object.fromEntries(
    models.map(([ref, properties]) => [
      (properties[propertyName] as Json)['const'],
      ref.replace(localPrefix, componentPrefix),
    ]),
  )
  return { ...object, discriminator: { propertyName, mapping } }
}

function asComponent(value: unknown): unknown {
  return mapObjects(value, (object) =>
    typeof object['$ref'] === 'string'
      ? { ...object, $ref: object['$ref'].replace(localPrefix, componentPrefix) }
      : object,
  )
}

function resolved(value: unknown, definitions: Record<string, Json>): unknown {
  return mapObjects(value, (object) => {
    const { $ref, ...beside } = object
    if (typeof $ref !== 'string') return object
    const definition = definitions[$ref.slice(localPrefix.length)]
    return { ...(resolved(definition, definitions) as Json), ...beside }
  })
}

function mapObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, child]) => [name, mapObjects(child, change)] as const)
  return change(Object.fromEntries(fields))
}
