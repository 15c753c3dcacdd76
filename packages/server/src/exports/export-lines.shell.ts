import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { exportRows, type ExportRow } from '@overture/contract/exports/export-rows.ts'
import type { AccountExport, ExportTable } from '@overture/contract/exports/exports.ts'
import { guardJson } from '@overture/ground/text/spreadsheet-cell.ts'
import { byteOrderMark, createRowWriter, listColumns } from '../platform/files/csv-columns.ts'

/** The lines of one file. A CSV file has the columns that the CSV of the list would have. */
export class ExportLines {
  readonly #table: ExportTable
  readonly #format: AccountExport['format']
  #toRow: ReturnType<typeof createRowWriter> | null = null

  constructor(table: ExportTable, format: AccountExport['format']) {
    this.#table = table
    this.#format = format
  }

  /** The lines of the next rows. Those of the first rows begin with the header. */
  write(rows: readonly ExportRow[]): string {
    if (this.#format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    if (rows.length === 0) return ''
    const flat = rows.map(inCells)
    const { header, toRow } = this.#begin(flat)
    return header + stringify(flat.map((row) => toRow(row)))
  }

  /** The last lines: a CSV file without rows has a header. */
  end(): string {
    return this.#format === 'ndjson' ? '' : this.#begin([]).header
  }

  #begin(first: readonly object[]): { header: string; toRow: ReturnType<typeof createRowWriter> } {
    if (this.#toRow !== null) return { header: '', toRow: this.#toRow }
    const columns = listColumns(cellSchema(this.#table), first)
    this.#toRow = createRowWriter(columns)
    return { header: byteOrderMark + stringify([columns]), toRow: this.#toRow }
  }
}

function cellSchema(table: ExportTable): z.ZodType {
  return table === 'campaigns' ? exportRows.campaigns.extend({ document: z.string() }) : exportRows[table]
}

/** The document of a campaign is one cell, so that it can be imported. */
function inCells(row: ExportRow): object {
  return 'document' in row ? { ...row, document: guardJson(JSON.stringify(row.document)) } : row
}

/** Whether a row was created in the span of the export. `from` is inclusive, `to` exclusive. */
export function isInSpan(row: ExportRow, { fromAt, toAt }: { fromAt: Date | null; toAt: Date | null }): boolean {
  const ms = Date.parse(createdAt(row))
  return (fromAt === null || ms >= fromAt.getTime()) && (toAt === null || ms < toAt.getTime())
}

function createdAt(row: ExportRow): string {
  if ('createdAt' in row) return row.createdAt
  return 'addedAt' in row ? row.addedAt : row.occurredAt
}
