import type { Import, Overture } from '@overture/sdk'
import type { Command } from 'commander'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { show, type OutputOptions } from '../output.ts'
import {
  openUpload,
  spreadsheetQuery,
  type SpreadsheetOptions,
  uploadTimeoutMs,
  waitForImport,
  withSpreadsheetOptions,
} from './uploads.ts'

interface AddOptions extends ClientOptions, OutputOptions, SpreadsheetOptions {
  campaign: string
  onDuplicate: 'skip' | 'update'
  verify?: boolean
}

export function registerLeads(program: Command): void {
  const leads = program.command('leads').description('Leads of campaigns')
  const command = leads
    .command('add <file>')
    .description('Import the leads of a CSV, TSV or XLSX file into a campaign, and wait until the import ends')
    .requiredOption('--campaign <id>', 'id of the campaign')
    .option('--on-duplicate <skip|update>', 'what to do with a lead that already exists', 'skip')
    .option('--verify', 'verify the addresses of the campaign as soon as the import ends')
    .option('--json', 'print the import as the API does')
  withClientOptions(withSpreadsheetOptions(command)).action(add)
}

async function add(file: string, options: AddOptions): Promise<void> {
  const body = await openUpload(file)
  const client = await connectClient(options)
  const { campaign: campaignId, onDuplicate, verify } = options
  const job = await importLeads(client, { campaignId, body, onDuplicate, verify, file: spreadsheetQuery(options) })
  const counts = `${job.added} added, ${job.updated} updated, ${job.skipped} skipped, ${job.failed} rejected`
  show(job, job.failed > 0 ? `${counts}: overture api imports.errors ${job.id}` : counts, options)
}

interface LeadImport {
  campaignId: string
  body: ReadableStream<Uint8Array>
  onDuplicate: 'skip' | 'update'
  verify?: boolean
  file?: SpreadsheetOptions
}

/** Uploads a spreadsheet and waits until its rows are imported. */
export async function importLeads(
  client: Overture,
  { campaignId, body, onDuplicate, verify = false, file = {} }: LeadImport,
): Promise<Import> {
  const query = { onDuplicate, ...file, ...(verify && { verify: true }) }
  const job = await client.campaigns.leads.import(campaignId, body, query, { timeoutMs: uploadTimeoutMs })
  return waitForImport(job, (id) => client.imports.get(id))
}
