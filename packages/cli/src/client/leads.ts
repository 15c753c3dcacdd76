import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Import, Overture } from '@overture/sdk'
import type { Command } from 'commander'
import { clientOf, withClientOptions, type ClientOptions } from './client.ts'
import { CommandError, show, type OutputOptions } from '../output.ts'

interface AddOptions extends ClientOptions, OutputOptions {
  campaign: string
  onDuplicate: 'skip' | 'update'
}

const lookEveryMs = 500
/** A large upload may take long. */
const uploadTimeoutMs = 3_600_000

export function registerLeads(program: Command): void {
  const leads = program.command('leads').description('Leads of campaigns')
  withClientOptions(
    leads
      .command('add <file>')
      .description('Import the leads of a CSV file into a campaign, and wait until the import ends')
      .requiredOption('--campaign <id>', 'id of the campaign')
      .option('--on-duplicate <skip|update>', 'what to do with a lead that already exists', 'skip')
      .option('--json', 'print the import as the API does'),
  ).action(add)
}

async function add(file: string, options: AddOptions): Promise<void> {
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a file.`)
  const client = await clientOf(options)
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const { campaign: campaignId, onDuplicate } = options
  const job = await importLeads(client, { campaignId, body, onDuplicate })
  const told = `${job.added} added, ${job.updated} updated, ${job.skipped} skipped, ${job.failed} rejected`
  show(job, job.failed > 0 ? `${told}: overture api imports.errors ${job.id}` : told, options)
}

/** Uploads a CSV and waits until its rows are imported. */
export async function importLeads(
  client: Overture,
  {
    campaignId,
    body,
    onDuplicate,
  }: { campaignId: string; body: ReadableStream<Uint8Array>; onDuplicate: 'skip' | 'update' },
): Promise<Import> {
  let job = await client.campaigns.leads.import(campaignId, body, { onDuplicate }, { timeoutMs: uploadTimeoutMs })
  while (job.status === 'pending' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    job = await client.imports.get(job.id)
  }
  if (job.status === 'failed') throw new CommandError(`The import failed: ${job.error ?? 'unknown reason'}`)
  return job
}
