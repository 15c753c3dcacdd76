type Cell = string | number | boolean | null | undefined

/** Rows as a file for spreadsheets: nested names with dots, nothing that would run as a formula. */
export function csvOf(rows: readonly object[]): string {
  const flat = rows.map((row) => Object.fromEntries(cellsOf(row, '')))
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  return [names, ...flat.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('')
}

function cellsOf(value: object, before: string): [string, Cell][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, Cell][] => {
    const path = `${before}${name}`
    if (Array.isArray(inner))
      return [[path, inner.every((one) => typeof one === 'string') ? inner.join(' ') : JSON.stringify(inner)]]
    if (inner !== null && typeof inner === 'object') return cellsOf(inner, `${path}.`)
    return [[path, inner as Cell]]
  })
}

function quoted(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
