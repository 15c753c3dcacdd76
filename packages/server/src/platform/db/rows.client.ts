import pg from 'pg'

const int8 = 20
const numeric = 1700
const date = 1082
const int8Array = 1016
const numericArray = 1231
const dateArray = 1182

/** Parses int8 and numeric as numbers (no column exceeds 2^53) and keeps dates as text. Other types are parsed as pg does. */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
    switch (oid) {
      case int8:
      case numeric:
        return Number
      case date:
        return (text: string) => text
      case int8Array:
      case numericArray:
        return (text: string) => parseTextArray(text).map((item) => (item === null ? null : Number(item)))
      case dateArray:
        return parseTextArray
      default:
        return pg.types.getTypeParser(oid, 'text')
    }
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const textArray = 1009

// The published types lack the array types, but they exist.
const textArrayParser = (
  pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => (string | null)[]
)(textArray, 'text')

function parseTextArray(text: string): (string | null)[] {
  return textArrayParser(text)
}

const shapes = new Map<string, string[]>()

/** Converts rows to objects with camelCase keys. The keys of each result shape are computed once. */
export function toObjects<Row>(result: pg.QueryArrayResult): Row[] {
  const { fields, rows } = result
  let signature = ''
  for (const field of fields) signature += `${field.name},`
  let keys = shapes.get(signature)
  if (keys === undefined) {
    keys = fields.map((field) => camelCase(field.name))
    shapes.set(signature, keys)
  }
  const width = keys.length
  const objects: Row[] = []
  for (const values of rows) {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < width; index++) row[keys[index] as string] = values[index]
    objects.push(row as Row)
  }
  return objects
}

function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
