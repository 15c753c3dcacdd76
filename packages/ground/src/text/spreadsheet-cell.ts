// The characters with which a formula begins in a spreadsheet.
const formula = /^[=+\-@\t\r\n]/
const guarded = /^'[=+\-@\t\r\n]/
// In many countries Excel splits at semicolons, even inside a cell that is delimited by commas.
const innerFormula = /;(?=[=+\-@])/g
const innerGuarded = /;'(?=[=+\-@])/g

/** A cell that no spreadsheet runs as a formula: an apostrophe is put before anything that could be one. */
export function guardCell(cell: string): string {
  const inner = cell.replaceAll(innerFormula, ";'")
  return formula.test(cell) ? `'${inner}` : inner
}

export function unguardCell(cell: string): string {
  return (guarded.test(cell) ? cell.slice(1) : cell).replaceAll(innerGuarded, ';')
}
