import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { benchExport } from './export.ts'
import { built, expectEqual, startServer, watch, type Server } from './server.ts'
import { line, median, type Stage } from './stage.ts'

const large = Number(process.env.OVERTURE_BENCH_ROWS ?? 1_000_000)
const small = Math.max(1000, Math.floor(large / 10))
const pageSize = 100
const comparedPages = 200
/** The memory limit for the server's process with its threads during an import, without PostgreSQL. */
const peakAimMb = 350

/**
 * (e) Imports a CSV of a million leads over HTTP and reads them back by cursor. It compares the peak memory of the server's process
 * with that for a tenth of the rows, and the cost of the last pages with that of the first.
 */
export async function benchLists(stage: Stage): Promise<void> {
  const little = await importInto(stage, small, async () => undefined)
  await importInto(stage, large, async (server, much) => {
    line(
      `(e) peak memory, ${large} rows / ${small} rows`,
      much.peakMb / little.peakMb,
      `${Math.round(much.peakMb)} MB against ${Math.round(little.peakMb)} MB; upload ${rate(large, much.uploadSeconds)}, ` +
        `progress told ${much.steps} times, ${much.refused} refused rows repeated`,
    )
    line(
      `(e) peak memory of the import / ${peakAimMb} MB`,
      much.peakMb / peakAimMb,
      `${built ? 'as built' : 'from source'}; at most 1`,
    )
    line(
      '(e) rows taken over a second, large / small',
      large / much.takeSeconds / (small / little.takeSeconds),
      `${rate(large, much.takeSeconds)} against ${rate(small, little.takeSeconds)}`,
    )
    await walk(server, much.campaignId, much.added)
    await benchExport(server, much.added)
  })
}

function rate(rows: number, seconds: number): string {
  return `${Math.round(rows / seconds)} rows/s`
}

interface Imported {
  campaignId: string
  added: number
  refused: number
  steps: number
  uploadSeconds: number
  takeSeconds: number
  peakMb: number
}

async function importInto(
  stage: Stage,
  rows: number,
  then: (server: Server, imported: Imported) => Promise<void>,
): Promise<Imported> {
  const server = await startServer(stage, `bench_lists_${rows}`)
  try {
    const campaign = await server.call('POST', '/v2/campaigns', JSON.stringify({ name: 'Import' }))
    const campaignId = String(campaign['id'])
    const startedMs = performance.now()
    const upload = await server.send('POST', `/v2/campaigns/${campaignId}/leads/import`, {
      type: 'text/csv',
      body: Readable.toWeb(Readable.from(csv(rows), { objectMode: false })) as ReadableStream,
    })
    const { id } = (await upload.json()) as { id: string }
    if (upload.status !== 202) throw new Error(`The upload was answered ${upload.status}.`)
    const uploadedMs = performance.now()
    const { progress, steps } = await watch(server, id)
    const endedMs = performance.now()
    const planted = plantedRows(rows)
    expectEqual('refused', progress['failed'], planted.refused.length)
    expectEqual('skipped', progress['skipped'], planted.duplicates)
    expectEqual('added', progress['added'], rows - planted.refused.length - planted.duplicates)
    await checkErrorFile(server, id, planted.refused)
    const imported = {
      campaignId,
      added: Number(progress['added']),
      refused: planted.refused.length,
      steps,
      uploadSeconds: (uploadedMs - startedMs) / 1000,
      takeSeconds: (endedMs - uploadedMs) / 1000,
      peakMb: server.peakMb(),
    }
    await then(server, imported)
    return imported
  } finally {
    await server.stop()
  }
}

type Refusal = { row: number; reason: string; fields: string }

/** Row numbers start at 1. In each thousand rows, one has no address, one an unknown time zone and one a duplicate address. */
function rowFields(row: number): string {
  const at = row % 1000
  const who = at === 700 ? row - 1 : row
  const email = at === 500 ? `not an address ${row}` : `person.${who}@acme${who % 977}.example.com`
  return `${email},Ada,Lovelace,"Acme, Inc.",${at === 600 ? 'Nowhere/Nothing' : 'Europe/Berlin'},pro`
}

const unknownZone = 'invalid_field: timezone: Not an IANA time zone. Use a name such as Europe/Berlin.'

function plantedRows(rows: number): { refused: Refusal[]; duplicates: number } {
  const refused: Refusal[] = []
  let duplicates = 0
  for (let row = 1; row <= rows; row++) {
    const at = row % 1000
    if (at === 500 || at === 600) {
      refused.push({ row, reason: at === 500 ? 'invalid_email' : unknownZone, fields: rowFields(row) })
    }
    if (at === 700) duplicates++
  }
  return { refused, duplicates }
}

function* csv(rows: number): Generator<string> {
  yield 'email,first name,last name,company,timezone,plan\n'
  for (let from = 1; from <= rows; from += 500) {
    let text = ''
    for (let row = from; row < from + 500 && row <= rows; row++) text += `${rowFields(row)}\n`
    yield text
  }
}

async function checkErrorFile(server: Server, id: string, refused: readonly Refusal[]): Promise<void> {
  const answer = await server.send('GET', `/v2/imports/${id}/errors`)
  const lines = (await answer.text()).trimEnd().split('\n')
  const expected = ['row,reason,email,first name,last name,company,timezone,plan']
  for (const { row, reason, fields } of refused) expected.push(`${row},${reason},${fields}`)
  expectEqual('lines of the error file', lines.length, expected.length)
  const wrong = lines.findIndex((text, index) => text !== expected[index])
  if (wrong !== -1) throw new Error(`Line ${wrong + 1} of the error file: ${lines[wrong]}, not ${expected[wrong]}`)
}

interface Page {
  results: { id: string }[]
  nextCursor: string | null
}

async function walk(server: Server, campaignId: string, expected: number): Promise<void> {
  const path = `/v2/campaigns/${campaignId}/leads?limit=${pageSize}`
  const read = async (cursor: string | null) =>
    (await server.call('GET', cursor === null ? path : `${path}&cursor=${cursor}`)) as unknown as Page
  const cursors: (string | null)[] = [null]
  const peakBefore = server.peakMb()
  const startedMs = performance.now()
  let seen = 0
  let last = ''
  for (let cursor: string | null = null; ;) {
    const page: Page = await read(cursor)
    for (const { id } of page.results) {
      if (id <= last) throw new Error(`${id} came after ${last}.`)
      last = id
    }
    seen += page.results.length
    cursor = page.nextCursor
    if (cursor === null) break
    cursors.push(cursor)
  }
  const seconds = (performance.now() - startedMs) / 1000
  expectEqual('leads seen', seen, expected)
  const { first, middle, end } = await compare(read, cursors)
  line(
    '(e) a page in the middle / a page at the start',
    middle / first,
    `${middle.toFixed(2)} ms against ${first.toFixed(2)} ms`,
  )
  line(
    '(e) a page at the end / a page at the start',
    end / first,
    `${end.toFixed(2)} ms against ${first.toFixed(2)} ms; ${seen} leads in ${cursors.length} pages, ${rate(seen, seconds)}; ` +
      `peak memory ${Math.round(server.peakMb())} MB, ${Math.round(peakBefore)} MB before the walk`,
  )
}

// Measures in turns, so that other load on the machine affects both equally.
async function compare(read: (cursor: string | null) => Promise<Page>, cursors: readonly (string | null)[]) {
  const first: number[] = []
  const middle: number[] = []
  const end: number[] = []
  const timed = async (cursor: string | null): Promise<number> => {
    const startedMs = performance.now()
    await read(cursor)
    return performance.now() - startedMs
  }
  for (let turn = 0; turn < comparedPages; turn++) {
    const offset = 1 + (turn % Math.min(50, Math.floor(cursors.length / 2)))
    first.push(await timed(cursors[offset] ?? null))
    middle.push(await timed(cursors[Math.floor(cursors.length / 2) + offset] ?? null))
    end.push(await timed(cursors[cursors.length - 1 - offset] ?? null))
  }
  return { first: median(first), middle: median(middle), end: median(end) }
}
