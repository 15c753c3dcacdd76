import { UnreadableCsvError, type CsvRow } from '@overture/ground/text/csv-text.ts'
import { readCsvRows } from './csv-records.shell.ts'

/** The types of the values, by field name. */
type Fields = Readonly<Record<string, 'text' | 'number'>>

type ReadItems = { kind: 'items'; items: Record<string, string | number>[] } | { kind: 'refused'; message: string }

/** As many items as a list in JSON may have. The operation checks its own, smaller limit afterwards. */
const itemsMax = 10_000

/** Reads a CSV file as objects with these fields. Each row after the titles is one object. */
export async function readCsvItems(bytes: AsyncIterable<Uint8Array>, fields: Fields): Promise<ReadItems> {
  const items = new CsvItems(fields)
  try {
    for await (const rows of readCsvRows(bytes))
      for (const row of rows) {
        const message = items.add(row)
        if (message !== null) return { kind: 'refused', message }
      }
  } catch (error) {
    if (error instanceof UnreadableCsvError) return { kind: 'refused', message: error.message }
    throw error
  }
  return { kind: 'items', items: items.found }
}

class CsvItems {
  readonly found: Record<string, string | number>[] = []
  #columns: string[] | null = null

  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  /** Returns why the file is refused, or null. */
  add({ line, cells, fault }: CsvRow): string | null {
    if (fault !== null) return `Line ${fault.line}, column ${fault.column + 1}: ${fault.message}`
    if (this.#columns === null) return this.#begin(cells)
    if (this.found.length >= itemsMax) return `A file can have ${itemsMax} rows at most below the header.`
    if (cells.length > this.#columns.length) return `Line ${line} has more cells than the first row.`
    const item: Record<string, string | number> = {}
    for (const [index, name] of this.#columns.entries()) {
      const cell = (cells[index] ?? '').trim()
      if (cell !== '') item[name] = this.#fields[name] === 'number' && /^\d{1,15}$/.test(cell) ? Number(cell) : cell
    }
    this.found.push(item)
    return null
  }

  #begin(titles: readonly string[]): string | null {
    const names = Object.keys(this.#fields)
    const columns: string[] = []
    for (const title of titles) {
      const name = names.find((one) => plain(one) === plain(title))
      if (name === undefined) return `Unknown column "${title.slice(0, 100)}". Use ${names.join(', ')}.`
      if (columns.includes(name)) return `The column ${name} appears twice.`
      columns.push(name)
    }
    this.#columns = columns
    return null
  }
}

/** `From name`, `from_name` and `fromName` are the same column. */
function plain(title: string): string {
  return title.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}
