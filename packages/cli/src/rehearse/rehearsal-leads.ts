import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'
import { readHeader } from '@overture/server/campaigns/imports/import-columns.ts'
import { CommandError } from '../output.ts'

const localCharsMax = 40

/**
 * Rewrites a CSV of leads so that none of its addresses is real. Each address becomes one of a simulated person, which reacts as the tags
 * of the address say (`ada+reply@example.com`). Everything else stays as it is.
 */
export function rehearsalLeads(csv: Readable, run: string): Readable {
  let emailColumn: number | null = null
  let row = 0
  const renamed = new Transform({
    objectMode: true,
    transform(record: string[], _encoding, done) {
      if (emailColumn === null) {
        emailColumn = readHeader(record).findIndex((column) => column?.kind === 'field' && column.name === 'email')
        if (emailColumn === -1) return done(new CommandError('The leads have no column email.'))
        return done(null, record)
      }
      row++
      done(
        null,
        record.map((value, column) => (column === emailColumn ? simulatedAddress(value, { run, row }) : value)),
      )
    },
  })
  const parsed = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: 1_000_000 })
  const written = stringify()
  for (const stream of [csv, parsed, renamed]) stream.on('error', (error) => written.destroy(explainError(error)))
  return csv.pipe(parsed).pipe(renamed).pipe(written)
}

/**
 * `ada+reply@example.com` in row 3 becomes `x7.3.ada+reply@prospects.test`. Each row of each run gets its own person, because the people of
 * an earlier run may have opted out or bounced.
 */
export function simulatedAddress(address: string, { run, row }: { run: string; row: number }): string {
  const local = address.trim().toLowerCase().split('@', 1)[0] ?? ''
  const [name = '', ...tags] = local.split('+')
  const kept = name
    .replace(/[^a-z\d._-]/g, '')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, localCharsMax)
  const named = [run, row, ...(kept === '' ? [] : [kept.replace(/\.{2,}/g, '.')])].join('.')
  return `${[named, ...tags.map((tag) => tag.replace(/[^a-z\d]/g, '')).filter(Boolean)].join('+').slice(0, 64)}@prospects.test`
}

function explainError(error: Error): Error {
  return error.name === 'CsvError' || 'code' in error
    ? new CommandError(`The leads can't be read: ${error.message}`)
    : error
}
