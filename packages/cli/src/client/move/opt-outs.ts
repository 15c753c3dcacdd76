import { ApiError, type Overture } from '@overture/sdk'
import { CommandError } from '../../output.ts'
import { readCsv } from './csv-rows.ts'
import { columnNotes } from './columns.ts'
import { campaignOfFile, type CampaignFile, type LeadFile } from './files.ts'
import { Lanes } from './lanes.ts'
import {
  leadAddress,
  campaignName,
  toLead,
  type MovedCampaign,
  type Product,
  type ProductName,
  type Row,
} from './moved.ts'
import type { Report } from './report.ts'

const callsMax = 8
/** The largest number of addresses that a run keeps in memory. */
const addressesMax = 5_000_000

/** The data to move, and the report for the results. */
export interface Move {
  overture: Overture
  name: ProductName
  product: Product
  campaigns: readonly CampaignFile[]
  leads: readonly LeadFile[]
  report: Report
  onBytes(this: void, bytes: number): void
}

/** Facts that the first pass over all rows found. */
export interface KnownRows {
  /** The addresses that were contacted, per campaign. */
  contacted: Map<MovedCampaign, Set<string>>
  /** Custom variables that at least one lead has. */
  columns: Set<string>
}

/** Suppresses everyone who opted out or bounced, before anything else is moved. Remembers who was contacted. */
export async function suppressOptOuts(move: Move): Promise<KnownRows> {
  const known: KnownRows = { contacted: new Map(), columns: new Set() }
  const reported = new Set<string>()
  const lanes = new Lanes(callsMax)
  for (const { file, isList } of move.leads) {
    const onTitles = async (titles: readonly string[]) => {
      for (const why of columnNotes(titles, { ...move, isList })) await move.report.add({ outcome: 'note', file, why })
    }
    for await (const { line, row } of readCsv(file, { onBytes: move.onBytes, onTitles })) {
      const address = leadAddress(row)?.toLowerCase()
      // A file of leads is read again later, and then the row is reported. A list of opt-outs is read only once.
      if (address === undefined) {
        if (isList) await move.report.add({ outcome: 'refused', file, line, why: 'no address' })
        continue
      }
      const standing = isList ? { kind: 'opted_out' as const, why: 'a list of opt-outs' } : move.product.standing(row)
      if (standing.kind === 'opted_out' && !reported.has(address)) {
        reported.add(bounded(reported, address))
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
    // A text that is not an address can't be written to either. Any other error ends the run, since nothing is moved without its opt-outs.
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
    for (const name of Object.keys(toLead(row, move.product.ledger).customVariables ?? {})) columns.add(name)
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

/** The campaign that the row names, by id before name. If the row names none, the campaign of its file. */
export function campaignOfRow(campaigns: readonly CampaignFile[], file: string, row: Row): MovedCampaign | null {
  const named = campaignName(row)
  if (named === null) return campaignOfFile(file, campaigns)
  const all = campaigns.flatMap(({ campaigns: ones }) => ones)
  const byName = all.filter(({ name }) => name.toLowerCase() === named.toLowerCase())
  return all.find(({ sourceId }) => sourceId === named) ?? (byName.length === 1 ? byName[0]! : null)
}
