import { isObject } from '@overture/ground/json/object.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'

/** A row of a file with any columns. */
export type Row = Readonly<Record<string, unknown>>

const textLengthMax = 500
const listLengthMax = 200

/** Reads a field by the first of its names for which the row has a value. `mapping` (our name → the file's) takes precedence. */
export class Reader {
  readonly #row: Row
  readonly #mapping: Readonly<Record<string, string>>

  constructor(row: Row, mapping: Readonly<Record<string, string>>) {
    this.#row = row
    this.#mapping = mapping
  }

  /** The value as it is in the file. */
  value(names: readonly string[]): unknown {
    const mapped = this.#mapping[names[0]!]
    if (mapped !== undefined) return this.#known(mapped)
    for (const name of names) {
      const found = this.#known(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.value([name]) !== undefined)
  }

  text(...names: string[]): string | null {
    const found = this.value(names)
    if (typeof found !== 'string' && typeof found !== 'number') return null
    return clean(String(found), textLengthMax) || null
  }

  number(...names: string[]): number | null {
    const found = Number(this.text(...names) ?? NaN)
    return Number.isFinite(found) && found >= 0 && found < 2 ** 31 ? Math.round(found) : null
  }

  list(...names: string[]): string[] {
    const found = this.value(names)
    const items = Array.isArray(found) ? found : typeof found === 'string' ? found.split(/[;|]/) : []
    return items
      .filter((item) => typeof item === 'string')
      .map((item) => clean(item, 200))
      .filter(Boolean)
      .slice(0, listLengthMax)
  }

  /** The first of a list of texts, or one field of the first of a list of objects. */
  first(name: string, field: string): string | null {
    const [item] = [this.value([name])].flat()
    const text = isObject(item) ? item[field] : item
    if (typeof text !== 'string') return null
    return clean(isObject(item) ? text : text.split(/[;,|]/)[0]!, textLengthMax) || null
  }

  #known(name: string): unknown {
    const found = this.#at(name)
    return found !== null && found !== '' && found !== true && found !== false ? found : undefined
  }

  #at(name: string): unknown {
    const found = this.#row[name]
    if (found !== undefined || !name.includes('.')) return found
    return name.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), this.#row)
  }
}

// PostgreSQL accepts neither NUL nor half a surrogate pair in a text, and one such value must not stop a file.
function clean(text: string, lengthMax: number): string {
  return foreignText(text, lengthMax).trim()
}
