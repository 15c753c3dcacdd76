import { setTimeout as sleep } from 'node:timers/promises'
import { expectEqual, type Server } from './server.ts'
import { line } from './stage.ts'

const rowsPerSecondAim = 30_000

interface Export {
  id: string
  status: string
  files: { rows: number; bytes: number; url: string | null }[]
}

/** Exports the leads of the account as CSV, and downloads the file. */
export async function benchExport(server: Server, leads: number): Promise<void> {
  const peakBefore = server.peakMb()
  const startedMs = performance.now()
  const body = JSON.stringify({ tables: ['leads'], format: 'csv' })
  const { id } = (await server.call('POST', '/v2/exports', body)) as unknown as Export
  const read = async () => (await server.call('GET', `/v2/exports/${id}`)) as unknown as Export
  let found = await read()
  for (; found.status === 'running' || found.status === 'pending'; found = await read()) await sleep(200)
  const writtenMs = performance.now()
  expectEqual('status of the export', found.status, 'completed')
  const [file] = found.files
  expectEqual('exported leads', file?.rows, leads)
  const bytes = await download(server, new URL(file?.url ?? '', 'http://localhost').pathname)
  const downloadedMs = performance.now()
  expectEqual('bytes of the file', bytes, file?.bytes)
  const seconds = (writtenMs - startedMs) / 1000
  line(
    `(e) exported leads per second / ${rowsPerSecondAim}`,
    leads / seconds / rowsPerSecondAim,
    `${Math.round(leads / seconds)} rows/s, download ${Math.round(leads / ((downloadedMs - writtenMs) / 1000))} rows/s, ` +
      `peak memory ${Math.round(server.peakMb())} MB, ${Math.round(peakBefore)} MB before`,
  )
}

async function download(server: Server, path: string): Promise<number> {
  const answer = await server.send('GET', path)
  let bytes = 0
  for await (const piece of answer.body!) bytes += piece.length
  return bytes
}
