import { isObject } from '../../ground/json/object.ts'
import { foreignText } from '../../ground/text/foreign-text.ts'

/** A row of a file, of whatever columns. */
export type Row = Readonly<Record<string, unknown>>

const textLengthMax = 500
const listLengthMax = 200

export type Reader = ReturnType<typeof reader>

/** Reads a field by the first of its names that the row has a value under; `mapping` (our name → the file's) goes before. */
export function reader(row: Row, mapping: Readonly<Record<string, string>>) {
  const at = (name: string): unknown => {
    const found = row[name]
    if (found !== undefined || !name.includes('.')) return found
    return name.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), row)
  }
  const value = (names: string[]): unknown => {
    const mapped = mapping[names[0]!]
    for (const name of mapped === undefined ? names : [mapped]) {
      const found = at(name)
      if (found !== undefined && found !== null && found !== '' && found !== true && found !== false) return found
    }
    return undefined
  }
  const text = (...names: string[]): string | null => {
    const found = value(names)
    if (typeof found !== 'string' && typeof found !== 'number') return null
    return clean(String(found), textLengthMax) || null
  }
  return {
    has: (...names: string[]) => names.some((name) => value([name]) !== undefined),
    text,
    number: (...names: string[]): number | null => {
      const found = Number(text(...names) ?? NaN)
      return Number.isFinite(found) && found >= 0 && found < 2 ** 31 ? Math.round(found) : null
    },
    list: (...names: string[]): string[] => {
      const found = value(names)
      const items = Array.isArray(found) ? found : typeof found === 'string' ? found.split(/[;|]/) : []
      return items
        .filter((item) => typeof item === 'string')
        .map((item) => clean(item, 200))
        .filter(Boolean)
        .slice(0, listLengthMax)
    },
    /** The first of a list of texts, or of objects by one of their fields. */
    first: (name: string, field: string): string | null => {
      const [item] = [value([name])].flat()
      const text = isObject(item) ? item[field] : item
      if (typeof text !== 'string') return null
      return clean(isObject(item) ? text : text.split(/[;,|]/)[0]!, textLengthMax) || null
    },
  }
}

// PostgreSQL takes neither a zero nor half a surrogate pair in a text: one such value must not stop a file.
function clean(text: string, lengthMax: number): string {
  return foreignText(text, lengthMax).trim()
}
