// What a spreadsheet takes for the beginning of a formula.
const formula = /^[=+\-@\t\r\n]/
const guarded = /^'[=+\-@\t\r\n]/
// Excel splits at semicolons in many countries, also inside a cell that commas end.
const innerFormula = /;(?=[=+\-@])/g
const innerGuarded = /;'(?=[=+\-@])/g

/** A cell that no spreadsheet runs: an apostrophe is put before what could be a formula. */
export function guardCell(cell: string): string {
  const inner = cell.replaceAll(innerFormula, ";'")
  return formula.test(cell) ? `'${inner}` : inner
}

export function unguardCell(cell: string): string {
  return (guarded.test(cell) ? cell.slice(1) : cell).replaceAll(innerGuarded, ';')
}
