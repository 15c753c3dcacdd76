// What a spreadsheet takes for the beginning of a formula.
const formula = /^[=+\-@\t\r\n]/
const guarded = /^'[=+\-@\t\r\n]/

/** A cell that no spreadsheet runs: with an apostrophe in front where it could be a formula. */
export function guardCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

export function unguardCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}
