import { ApiError, type Overture } from '@overture/sdk'
import { CommandError } from '../../output.ts'
import { readCsv } from './csv-rows.ts'
import { columnNotes } from './columns.ts'
import { campaignOfFile, type CampaignFile, type LeadFile } from './files.ts'
import { Lanes } from './lanes.ts'
import { addressOf, campaignOf, leadOf, type MovedCampaign, type Product, type ProductName, type Row } from './moved.ts'
import type { Report } from './report.ts'

const callsMax = 8
/** Of addresses that are kept in mind during a run. */
const addressesMax = 5_000_000

/** What is moved, and where what becomes of it is told. */
export interface Move {
  overture: Overture
  name: ProductName
  product: Product
  campaigns: readonly CampaignFile[]
  leads: readonly LeadFile[]
  report: Report
  onBytes(this: void, bytes: number): void
}

/** What the first reading of all rows found. */
export interface KnownRows {
  /** Who was written to, per campaign. */
  contacted: Map<MovedCampaign, Set<string>>
  /** Custom variables that some lead has. */
  columns: Set<string>
}

/** Before anything else is moved, whoever opted out or bounced is suppressed; whoever was written to is remembered. */
export async function suppressOptOuts(move: Move): Promise<KnownRows> {
  const known: KnownRows = { contacted: new Map(), columns: new Set() }
  const told = new Set<string>()
  const lanes = new Lanes(callsMax)
  for (const { file, isList } of move.leads) {
    const onTitles = async (titles: readonly string[]) => {
      for (const why of columnNotes(titles, { ...move, isList })) await move.report.add({ outcome: 'note', file, why })
    }
    for await (const { line, row } of readCsv(file, { onBytes: move.onBytes, onTitles })) {
      const address = addressOf(row)?.toLowerCase()
      // Told when the leads are read; a list of opt-outs is read once.
      if (address === undefined) {
        if (isList) await move.report.add({ outcome: 'refused', file, line, why: 'no address' })
        continue
      }
      const standing = isList ? { kind: 'opted_out' as const, why: 'a list of opt-outs' } : move.product.standing(row)
      if (standing.kind === 'opted_out' && !told.has(address)) {
        told.add(bounded(told, address))
        await lanes.run(() => suppress(move, { file, line, address, why: standing.why }))
      }
      if (!isList) remember(move, known, { file, row, address, isContacted: standing.kind === 'contacted' })
    }
  }
  await lanes.done()
  return known
}

interface OptOut {
  file: string
  line: number
  address: string
  why: string
}

async function suppress({ overture, name, report }: Move, { file, line, address, why }: OptOut): Promise<void> {
  const reason = `Moved from ${name}: ${why}`.slice(0, 200)
  const domain = address.replace(/^@/, '')
  try {
    await overture.suppressions.create(domain.includes('@') ? { email: address, reason } : { domain, reason })
    await report.add({ outcome: 'suppressed', file, line, email: address, why })
  } catch (error) {
    // What is no address can't be written to either. Anything else ends the run: without opt-outs nothing is moved.
    if (!ApiError.is(error, 'VALIDATION_ERROR')) throw error
    await report.add({ outcome: 'refused', file, line, email: address, why: `not an address or domain; ${why}` })
  }
}

interface SeenRow {
  file: string
  row: Row
  address: string
  isContacted: boolean
}

function remember(move: Move, { contacted, columns }: KnownRows, { file, row, address, isContacted }: SeenRow): void {
  if (!isContacted) {
    for (const name of Object.keys(leadOf(row, move.product.ledger).customVariables ?? {})) columns.add(name)
    return
  }
  const campaign = campaignOfRow(move.campaigns, file, row)
  if (campaign === null) return
  const addresses = contacted.get(campaign) ?? new Set()
  contacted.set(campaign, addresses.add(bounded(addresses, address)))
}

function bounded(addresses: ReadonlySet<string>, address: string): string {
  if (addresses.size >= addressesMax) throw new CommandError('More than 5,000,000 addresses: move the files in parts.')
  return address
}

/** By what the row says, its id above its name; by its file where it says nothing. */
export function campaignOfRow(campaigns: readonly CampaignFile[], file: string, row: Row): MovedCampaign | null {
  const named = campaignOf(row)
  if (named === null) return campaignOfFile(file, campaigns)
  const all = campaigns.flatMap(({ campaigns: ones }) => ones)
  const byName = all.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  return all.find(({ sourceId }) => sourceId === named) ?? (byName.length === 1 ? byName[0]! : null)
}
