import { makeWorkbook } from '@overture/testing/workbook.ts'
import { expectEqual, startServer, watch } from './server.ts'
import { line, type Stage } from './stage.ts'

const rowsPerSecondAim = 5_000
const peakAimMb = 350
const mebibyte = 1024 * 1024

/** Imports the leads of an Excel workbook over HTTP. The time includes the upload. */
export async function benchWorkbooks(stage: Stage, rows: number): Promise<void> {
  const workbook = makeWorkbook({ sheets: { Leads: sheetRows(rows) } })
  const server = await startServer(stage, 'bench_workbooks')
  try {
    const campaign = await server.call('POST', '/v2/campaigns', JSON.stringify({ name: 'Workbook' }))
    const startedMs = performance.now()
    const upload = await server.send('POST', `/v2/campaigns/${String(campaign['id'])}/leads/import`, {
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      body: new Blob([workbook as Uint8Array<ArrayBuffer>]).stream() as never,
    })
    expectEqual('status of the upload', upload.status, 202)
    const uploadedMs = performance.now()
    const { id } = (await upload.json()) as { id: string }
    const { progress } = await watch(server, id)
    expectEqual('added', progress['added'], rows)
    const seconds = (performance.now() - startedMs) / 1000
    line(
      `workbook of ${rows} rows: rows per second / ${rowsPerSecondAim}`,
      rows / seconds / rowsPerSecondAim,
      `${Math.round(rows / seconds)} rows/s, of which the upload ${Math.round(rows / ((uploadedMs - startedMs) / 1000))} rows/s, ` +
        `file of ${(workbook.length / mebibyte).toFixed(1)} MiB`,
    )
    line(
      `workbook of ${rows} rows: peak memory / ${peakAimMb} MB`,
      server.peakMb() / peakAimMb,
      `${Math.round(server.peakMb())} MB`,
    )
  } finally {
    await server.stop()
  }
}

function sheetRows(rows: number): string {
  const parts = [row(1, ['email', 'first name', 'last name', 'company', 'timezone', 'plan'])]
  for (let at = 1; at <= rows; at++)
    parts.push(
      row(at + 1, [
        `person.${at}@acme${at % 977}.example.com`,
        'Ada',
        'Lovelace',
        'Acme, Inc.',
        'Europe/Berlin',
        'pro',
      ]),
    )
  return parts.join('')
}

function row(number: number, cells: readonly string[]): string {
  const texts = cells.map(
    (cell, at) => `<c r="${String.fromCharCode(65 + at)}${number}" t="inlineStr"><is><t>${cell}</t></is></c>`,
  )
  return `<row r="${number}">${texts.join('')}</row>`
}
