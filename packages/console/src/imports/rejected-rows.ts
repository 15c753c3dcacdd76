import { CsvText } from '@overture/ground/text/csv-text.ts'

export interface RejectedRow {
  /** The number of the row in a spreadsheet, whose header is row 1. */
  row: number
  code: string
  /** The column and what is wrong with its value; empty if the code says it all. */
  message: string
}

/** The first rows of a file of rejected rows. Its first two columns are the number, from 1 below the header, and the reason. */
export function rejectedRows(csv: string, max: number): RejectedRow[] {
  const { rows } = new CsvText(',').read(csv, true)
  return rows.slice(1, max + 1).map(({ cells: [number = '', reason = ''] }) => {
    const [code = '', ...message] = reason.split(': ')
    return { row: spreadsheetRow(Number(number)), code, message: message.join(': ') }
  })
}

export function spreadsheetRow(number: number): number {
  return number + 1
}
