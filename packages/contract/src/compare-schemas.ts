export type Json = Record<string, unknown>

export interface Change {
  kind: 'breaking' | 'addition'
  /** The operation and the field: `POST /v2/campaigns body.name`. */
  where: string
  what: string
}

type Direction = 'input' | 'output'

const prefix = '#/components/schemas/'
/** Bounds that narrow an input when they are added or raised, and bounds that narrow it when they are added or lowered. */
const lowerBounds = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'] as const
const upperBounds = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'] as const
const forms = ['pattern', 'format', 'contentEncoding'] as const

/** Compares the schemas of two documents. Each model is compared once per direction. */
export class SchemaComparison {
  readonly #before: Readonly<Record<string, Json>>
  readonly #after: Readonly<Record<string, Json>>
  readonly #changes: Change[]
  readonly #seen = new Set<string>()

  constructor(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>, changes: Change[]) {
    this.#before = before
    this.#after = after
    this.#changes = changes
  }

  compare(direction: Direction, where: string, before: Json, after: Json): void {
    const [was, is] = [nameOf(before), nameOf(after)]
    if (was !== null && is !== null) {
      const pair = `${direction} ${was} ${is}`
      if (this.#seen.has(pair)) return
      this.#seen.add(pair)
    }
    const place = was ?? where
    const [left, right] = [branchesOf(before, this.#before), branchesOf(after, this.#after)]
    if (left.length > 1 || right.length > 1) return this.#branches(direction, place, left, right)
    this.#plain(direction, place, left[0] ?? {}, right[0] ?? {})
  }

  #say(kind: Change['kind'], where: string, what: string): void {
    this.#changes.push({ kind, where, what })
  }

  // Each branch is matched with its counterpart in the other document by name or type.
  #branches(direction: Direction, where: string, before: Json[], after: Json[]): void {
    const left = [...after]
    for (const branch of before) {
      const at = indexOfLikest(branch, left)
      if (at !== -1) this.#plain(direction, where, branch, left.splice(at, 1)[0]!)
      else {
        const breaks = direction === 'input' || isModel(branch)
        this.#say(breaks ? 'breaking' : 'addition', where, `no ${keyOf(branch)} any more`)
      }
    }
    for (const branch of left) {
      // A new kind of event is an addition. Null, or a number in place of text, is a breaking change.
      const adds = direction === 'input' || isModel(branch)
      this.#say(adds ? 'addition' : 'breaking', where, `may be ${keyOf(branch)}`)
    }
  }

  #plain(direction: Direction, where: string, before: Json, after: Json): void {
    const [type, next] = [typeOf(before), typeOf(after)]
    if (type !== next) {
      const widened = direction === 'input' && (next === 'anything' || (type === 'integer' && next === 'number'))
      return this.#say(widened ? 'addition' : 'breaking', where, `was ${type}, is ${next}`)
    }
    this.#values(direction, where, before, after)
    if (direction === 'input') this.#bounds(where, before, after)
    if (type === 'object') this.#fields(direction, where, before, after)
    if (type === 'array')
      this.compare(direction, `${where}[]`, (before['items'] ?? {}) as Json, (after['items'] ?? {}) as Json)
  }

  #values(direction: Direction, where: string, before: Json, after: Json): void {
    const [left, right] = [valuesOf(before), valuesOf(after)]
    if (left === null && right === null) return
    if (left === null || right === null) {
      const narrowed = direction === 'input' ? left === null : right === null
      return this.#say(narrowed ? 'breaking' : 'addition', where, left === null ? 'is one of a list' : 'is any text')
    }
    for (const value of left.filter((one) => !right.includes(one)))
      this.#say(direction === 'input' ? 'breaking' : 'addition', where, `no ${value} any more`)
    // The documentation asks clients to expect new values.
    for (const value of right.filter((one) => !left.includes(one))) this.#say('addition', where, `may be ${value}`)
  }

  #bounds(where: string, before: Json, after: Json): void {
    const compare = (name: string, isNarrower: (left: number, right: number) => boolean): void => {
      const [left, right] = [before[name], after[name]] as [number | undefined, number | undefined]
      if (left === right) return
      const narrower = right !== undefined && (left === undefined || isNarrower(left, right))
      this.#say(narrower ? 'breaking' : 'addition', where, `${name} was ${left ?? 'none'}, is ${right ?? 'none'}`)
    }
    for (const name of lowerBounds) compare(name, (left, right) => right > left)
    for (const name of upperBounds) compare(name, (left, right) => right < left)
    for (const name of forms)
      if (before[name] !== after[name])
        this.#say(after[name] === undefined ? 'addition' : 'breaking', where, `another ${name}`)
    if (JSON.stringify(before['default']) !== JSON.stringify(after['default']))
      this.#say('breaking', where, 'another default')
  }

  #fields(direction: Direction, where: string, before: Json, after: Json): void {
    const [left, right] = [fieldsOf(before), fieldsOf(after)]
    const [needed, needs] = [requiredOf(before), requiredOf(after)]
    for (const [name, schema] of Object.entries(left)) {
      const place = `${where}.${name}`
      const next = right[name]
      if (next === undefined) {
        this.#say('breaking', place, 'the field is gone')
        continue
      }
      const [was, is] = [needed.has(name), needs.has(name)]
      if (was !== is) {
        const breaks = direction === 'input' ? is : was
        this.#say(breaks ? 'breaking' : 'addition', place, is ? 'is required' : 'is optional')
      }
      this.compare(direction, place, schema, next)
    }
    for (const name of Object.keys(right)) {
      if (name in left) continue
      const breaks = direction === 'input' && needs.has(name)
      this.#say(breaks ? 'breaking' : 'addition', `${where}.${name}`, 'a new field')
    }
    const [more, moreNow] = [before['additionalProperties'], after['additionalProperties']]
    if (isObject(more) && isObject(moreNow)) this.compare(direction, `${where}.*`, more, moreNow)
    else if (direction === 'input' && more !== false && moreNow === false)
      this.#say('breaking', where, 'unknown fields are refused')
  }
}

function nameOf({ $ref }: Json): string | null {
  return typeof $ref === 'string' ? $ref.slice(prefix.length) : null
}

/** The alternatives of a schema, each resolved. Most schemas have only one. */
function branchesOf(schema: Json, models: Readonly<Record<string, Json>>): Json[] {
  const name = nameOf(schema)
  if (name !== null) return branchesOf(models[name] ?? {}, models).map((branch) => ({ model: name, ...branch }))
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (branches !== undefined) return branches.flatMap((branch) => branchesOf(branch, models))
  const { type } = schema
  if (Array.isArray(type)) return type.map((one: unknown) => ({ ...schema, type: one }))
  return [schema]
}

/** The index of an identical branch, or else of the first one with the same key. */
function indexOfLikest(branch: Json, others: readonly Json[]): number {
  const text = JSON.stringify(branch)
  const same = others.findIndex((other) => JSON.stringify(other) === text)
  return same === -1 ? others.findIndex((other) => keyOf(other) === keyOf(branch)) : same
}

function keyOf(branch: Json): string {
  if (isModel(branch)) return String(branch['model'])
  return 'const' in branch ? JSON.stringify(branch['const']) : typeOf(branch)
}

function isModel(branch: Json): boolean {
  return typeof branch['model'] === 'string' && typeOf(branch) === 'object'
}

function typeOf({ type }: Json): string {
  return typeof type === 'string' ? type : 'anything'
}

function valuesOf(schema: Json): string[] | null {
  if ('const' in schema) return [JSON.stringify(schema['const'])]
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : null
}

function fieldsOf(schema: Json): Record<string, Json> {
  return (schema['properties'] ?? {}) as Record<string, Json>
}

function requiredOf(schema: Json): ReadonlySet<string> {
  return new Set((schema['required'] ?? []) as string[])
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
