import { z } from 'zod'
import { importColumnsMax } from '@overture/contract/campaigns/imports.ts'
import { guardCell, guardJson } from '@overture/ground/text/spreadsheet-cell.ts'

/** Without it Excel does not read the file as UTF-8. An import skips it. */
export const byteOrderMark = '\ufeff'

/** The column for fields without their own column: names in a later row that the first page did not have. */
const restColumn = '*'
const depthMax = 4

/**
 * The columns of a file: the fields that its items always have, other fields of the first page as long as an import can take them, then
 * the rest column.
 */
export function listColumns(item: z.ZodType, first: readonly unknown[]): string[] {
  const known = namesIn(item, '', 0)
  const found = new Set<string>()
  for (const one of first) eachCell(one, (name) => found.add(name))
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
  return [...names.filter((name) => !parents.has(name)).slice(0, importColumnsMax - 1), restColumn]
}

/** Returns a function that writes an item as the cells of these columns, escaped so that a spreadsheet does not run them as formulas. */
export function createRowWriter(columns: readonly string[]): (item: unknown) => string[] {
  const own = columns.slice(0, -1)
  const positions = new Map(own.map((name, position) => [name, position]))
  return (item) => {
    const row = own.map(() => '')
    const rest: [name: string, cell: string][] = []
    eachCell(item, (name, cell) => {
      const position = positions.get(name)
      if (position !== undefined) row[position] = cell
      else if (cell !== '') rest.push([name, cell])
    })
    row.push(rest.length === 0 ? '' : guardJson(JSON.stringify(Object.fromEntries(rest))))
    return row
  }
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

function eachCell(item: unknown, use: (name: string, cell: string) => void, path = '', depth = 0): void {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || depth === depthMax)
    return use(path, toCell(item))
  for (const [name, value] of Object.entries(item))
    eachCell(value, use, path === '' ? name : `${path}.${name}`, depth + 1)
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guardCell(value)
  return guardJson(JSON.stringify(value))
}
