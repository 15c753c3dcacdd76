import { SchemaComparison, type Change, type Json } from './compare-schemas.ts'

export type { Change } from './compare-schemas.ts'

const methods = ['get', 'post', 'put', 'delete'] as const

/**
 * The changes that a client of the older document may notice. A change is breaking if it may break a client: an input that is no longer
 * accepted, an answer of another type, a name that is gone. Every other change is an addition.
 */
export function compareDocuments(before: Json, after: Json): Change[] {
  const changes: Change[] = []
  const schemas = new SchemaComparison(modelsOf(before), modelsOf(after), changes)
  const left = operationsOf(before)
  const right = operationsOf(after)
  for (const [name, operation] of left) {
    const now = right.get(name)
    if (now === undefined) changes.push({ kind: 'breaking', where: name, what: 'the operation is gone' })
    else compareOperation({ name, changes, schemas }, operation, now)
  }
  for (const name of right.keys()) {
    if (!left.has(name)) changes.push({ kind: 'addition', where: name, what: 'a new operation' })
  }
  compareWebhooks(changes, schemas, { before, after })
  return changes
}

interface Place {
  name: string
  changes: Change[]
  schemas: SchemaComparison
}

function compareOperation(place: Place, before: Json, after: Json): void {
  const { name, changes } = place
  for (const field of ['operationId', 'x-sdk-method'] as const) {
    if (before[field] !== after[field])
      changes.push({
        kind: 'breaking',
        where: name,
        what: `${field} was ${text(before[field])}, is ${text(after[field])}`,
      })
  }
  if (before['x-required-scope'] !== after['x-required-scope']) {
    const kind = after['x-required-scope'] === 'write' ? 'breaking' : 'addition'
    changes.push({ kind, where: name, what: `needs the scope ${text(after['x-required-scope'])}` })
  }
  if (before['deprecated'] !== true && after['deprecated'] === true)
    changes.push({ kind: 'addition', where: name, what: 'is deprecated' })
  compareParameters(place, list(before['parameters']), list(after['parameters']))
  compareBodies(place, before['requestBody'] as Json | undefined, after['requestBody'] as Json | undefined)
  compareResponses(place, (before['responses'] ?? {}) as Json, (after['responses'] ?? {}) as Json)
}

function compareParameters({ name, changes, schemas }: Place, before: Json[], after: Json[]): void {
  const keyOf = (parameter: Json) => `${text(parameter['in'])} ${text(parameter['name'])}`
  const now = new Map(after.map((parameter) => [keyOf(parameter), parameter]))
  const known = new Set(before.map(keyOf))
  for (const parameter of before) {
    const where = `${name} ${keyOf(parameter)}`
    const next = now.get(keyOf(parameter))
    if (next === undefined) {
      changes.push({ kind: 'breaking', where, what: 'the parameter is gone' })
      continue
    }
    if (parameter['required'] !== true && next['required'] === true)
      changes.push({ kind: 'breaking', where, what: 'is required' })
    schemas.compare('input', where, (parameter['schema'] ?? {}) as Json, (next['schema'] ?? {}) as Json)
  }
  for (const parameter of after) {
    if (known.has(keyOf(parameter))) continue
    const kind = parameter['required'] === true ? 'breaking' : 'addition'
    changes.push({ kind, where: `${name} ${keyOf(parameter)}`, what: 'a new parameter' })
  }
}

function compareBodies({ name, changes, schemas }: Place, before: Json | undefined, after: Json | undefined): void {
  const where = `${name} body`
  if (after?.['required'] === true && before?.['required'] !== true)
    changes.push({ kind: 'breaking', where, what: 'a body is required' })
  else if (before === undefined && after !== undefined)
    changes.push({ kind: 'addition', where, what: 'a body is taken' })
  if (before === undefined) return
  const [left, right] = [contentOf(before), contentOf(after ?? {})]
  for (const [type, schema] of left) {
    const next = right.get(type)
    if (next === undefined) changes.push({ kind: 'breaking', where, what: `${type} is no longer taken` })
    else schemas.compare('input', where, schema, next)
  }
}

function compareResponses({ name, changes, schemas }: Place, before: Json, after: Json): void {
  for (const [status, response] of Object.entries(before) as [string, Json][]) {
    const where = `${name} ${status}`
    const next = after[status] as Json | undefined
    if (next === undefined) {
      changes.push({ kind: isSuccess(status) ? 'breaking' : 'addition', where, what: 'is no longer answered' })
      continue
    }
    for (const header of Object.keys((response['headers'] ?? {}) as Json)) {
      if (!(header in ((next['headers'] ?? {}) as Json)))
        changes.push({ kind: 'breaking', where, what: `the header ${header} is gone` })
    }
    const right = contentOf(next)
    for (const [type, schema] of contentOf(response)) {
      const answered = right.get(type)
      if (answered === undefined) changes.push({ kind: 'breaking', where, what: `${type} is no longer answered` })
      else schemas.compare('output', where, schema, answered)
    }
  }
  for (const status of Object.keys(after)) {
    if (!(status in before)) changes.push({ kind: 'addition', where: `${name} ${status}`, what: 'a new answer' })
  }
}

function compareWebhooks(changes: Change[], schemas: SchemaComparison, documents: { before: Json; after: Json }): void {
  const [left, right] = [documents.before['webhooks'] ?? {}, documents.after['webhooks'] ?? {}] as [Json, Json]
  for (const [type, webhook] of Object.entries(left) as [string, Json][]) {
    const where = `webhook ${type}`
    if (!(type in right)) {
      changes.push({ kind: 'breaking', where, what: 'is no longer sent' })
      continue
    }
    const sent = (one: unknown) => contentOf(((one as Json)['post'] as Json)['requestBody'] as Json)
    const now = sent(right[type])
    for (const [media, schema] of sent(webhook)) schemas.compare('output', where, schema, now.get(media) ?? {})
  }
  for (const type of Object.keys(right)) {
    if (!(type in left)) changes.push({ kind: 'addition', where: `webhook ${type}`, what: 'a new event' })
  }
}

function operationsOf(document: Json): Map<string, Json> {
  const operations = new Map<string, Json>()
  for (const [path, item] of Object.entries((document['paths'] ?? {}) as Record<string, Json>))
    for (const method of methods)
      if (item[method] !== undefined) operations.set(`${method.toUpperCase()} ${path}`, item[method] as Json)
  return operations
}

function contentOf(holder: Json): Map<string, Json> {
  const content = (holder['content'] ?? {}) as Record<string, Json>
  return new Map(Object.entries(content).map(([type, one]) => [type, (one['schema'] ?? {}) as Json]))
}

function modelsOf(document: Json): Record<string, Json> {
  return ((document['components'] as Json | undefined)?.['schemas'] ?? {}) as Record<string, Json>
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : 'nothing'
}
