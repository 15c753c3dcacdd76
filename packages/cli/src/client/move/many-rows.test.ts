import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { Campaign, LeadItem, Overture } from '@overture/sdk'
import { expect, test } from 'vitest'
import { openFiles } from './files.ts'
import { instantly } from './instantly.ts'
import { addNewLeads } from './new-leads.ts'
import { suppressOptOuts, type Move } from './opt-outs.ts'
import { Report } from './report.ts'

const rowsMax = 50_000
const optOutEvery = 100
const contactedEvery = 10
/** The largest number of bytes to read ahead of a file, which is read in pieces of 64 KiB. */
const aheadBytesMax = 256 * 1024
const leadsInHandMax = 1_000
const callsMax = 8

function rowText(index: number): string {
  const status = index % optOutEvery === 0 ? 'Unsubscribed' : index % contactedEvery === 0 ? 'Completed' : 'Active'
  // Long names make a large file of few rows.
  return `lead${index}@many.test,"Ada, the ${index}th ${'a'.repeat(80)}",${status}\n`
}

async function writeExport(file: string): Promise<void> {
  const out = createWriteStream(file)
  out.write('Email,First Name,Lead Status\n')
  for (let index = 0; index < rowsMax; index++) if (!out.write(rowText(index))) await once(out, 'drain')
  out.end()
  await once(out, 'close')
}

/** A client that counts its concurrent calls and how far the file was read at that time. */
class CountingClient {
  added = 0
  suppressed = 0
  calls = 0
  callsAtOnce = 0
  leadsInCall = 0
  readonly overture = {
    suppressions: { create: () => this.#call(() => void this.suppressed++) },
    campaigns: {
      leads: {
        addAll: (_id: string, leads: LeadItem[], { onResult }: { onResult: (result: object) => void }) =>
          this.#call(() => {
            this.added += leads.length
            this.leadsInCall = Math.max(this.leadsInCall, leads.length)
            for (const [index, { email }] of leads.entries()) onResult({ index, outcome: 'added', email })
          }),
      },
    },
  } as unknown as Overture

  async #call(work: () => void): Promise<void> {
    this.callsAtOnce = Math.max(this.callsAtOnce, ++this.calls)
    await new Promise((resolve) => setImmediate(resolve))
    work()
    this.calls--
  }
}

test('of 50,000 rows only a piece of the file and a thousand leads are in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overture-many-'))
  try {
    const file = join(folder, 'many.csv')
    await writeExport(file)
    const client = new CountingClient()
    const [campaign] = instantly.campaigns({ name: 'Many' })
    let bytesRead = 0
    let aheadBytes = 0
    const report = new Report(join(folder, 'report.csv'))
    const { leads } = await openFiles(instantly, [file])
    const move: Move = {
      overture: client.overture,
      name: 'instantly',
      product: {
        ...instantly,
        // Each row is judged once, when the reader returns it. Bytes that were read and not yet judged are still in memory.
        standing(row) {
          judgedBytes += rowText(Number(/\d+/.exec(row['email']!)![0])).length
          aheadBytes = Math.max(aheadBytes, bytesRead - judgedBytes)
          return instantly.standing(row)
        },
      },
      campaigns: [{ file: 'many.json', campaigns: [campaign!] }],
      leads,
      report,
      onBytes: (bytes) => void (bytesRead += bytes),
    }
    let judgedBytes = 0
    const known = await suppressOptOuts(move)
    const perRow = { contacted: known.contacted.get(campaign!)!.size, columns: known.columns.size }
    expect(perRow).toEqual({ contacted: rowsMax / contactedEvery - rowsMax / optOutEvery, columns: 0 })
    await addNewLeads(move, known, new Map([[campaign!, { id: 'c', name: 'Many', status: 'draft' } as Campaign]]))
    await report.close()
    expect([client.suppressed, client.added]).toEqual([rowsMax / optOutEvery, rowsMax - rowsMax / contactedEvery])
    expect(client.leadsInCall).toBe(leadsInHandMax)
    expect(client.callsAtOnce).toBeLessThanOrEqual(callsMax)
    expect(bytesRead).toBe(2 * leads[0]!.bytes)
    // The reader holds a small part of the file. Zero would mean that the count does not work.
    expect(aheadBytes).toBeGreaterThan(0)
    expect(aheadBytes).toBeLessThan(aheadBytesMax)
    expect(leads[0]!.bytes).toBeGreaterThan(20 * aheadBytesMax)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
