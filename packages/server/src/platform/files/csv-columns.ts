import { z } from 'zod'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'

/** Without it Excel does not read the file as UTF-8. An import skips it. */
export const byteOrderMark = '\ufeff'

/** The column for fields without their own column: names in a later row that the first page did not have. */
const restColumn = '*'
const depthMax = 4

type Cells = Map<string, string>

/** The columns of a file: the fields that its items always have, other fields of the first page, then the rest column. */
export function listColumns(item: z.ZodType, first: readonly unknown[]): string[] {
  const known = namesIn(item, '', 0)
  const found = first.flatMap((one) => [...collectCells(one).keys()])
  // A field that contains fields is replaced by them, if there are any.
  const names = [...new Set([...known, ...found])]
  const parents = new Set(
    names.flatMap((name) =>
      name
        .split('.')
        .slice(0, -1)
        .map((_, at, parts) => parts.slice(0, at + 1).join('.')),
    ),
  )
  return [...names.filter((name) => !parents.has(name)), restColumn]
}

/** One item as the cells of these columns, escaped so that a spreadsheet does not run them as formulas. */
export function toCsvRow(item: unknown, columns: readonly string[]): string[] {
  const cells = collectCells(item)
  const row = columns.slice(0, -1).map((name) => cells.get(name) ?? '')
  const rest = [...cells].filter(([name, value]) => value !== '' && !columns.includes(name))
  return [...row, rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest))]
}

function namesIn(schema: z.ZodType, path: string, depth: number): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return namesIn(schema.unwrap() as z.ZodType, path, depth)
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => namesIn(option as z.ZodType, path, depth)))]
  if (schema instanceof z.ZodRecord) return []
  if (!(schema instanceof z.ZodObject) || depth === depthMax) return [path]
  return Object.entries(schema.shape).flatMap(([name, part]) =>
    namesIn(part as z.ZodType, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}

function collectCells(item: unknown, path = '', cells: Cells = new Map(), depth = 0): Cells {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || depth === depthMax) {
    cells.set(path, toCell(item))
    return cells
  }
  for (const [name, value] of Object.entries(item))
    collectCells(value, path === '' ? name : `${path}.${name}`, cells, depth + 1)
  return cells
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guardCell(value)
  return JSON.stringify(value)
}
