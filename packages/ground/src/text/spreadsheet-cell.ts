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

/**
 * A JSON text that no spreadsheet runs as a formula, with the same value. It begins with a bracket or a quote, and a semicolon is
 * always inside a string, where a character can be written as its number.
 */
export function guardJson(json: string): string {
  return json.replaceAll(/(?<=;)[=+\-@]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function unguardCell(cell: string): string {
  return (guarded.test(cell) ? cell.slice(1) : cell).replaceAll(innerGuarded, ';')
}
