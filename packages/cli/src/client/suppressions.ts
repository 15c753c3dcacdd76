import type { Command } from 'commander'
import { show, type OutputOptions } from '../output.ts'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import { openUpload, uploadTimeoutMs, waitForImport } from './uploads.ts'

interface ImportOptions extends ClientOptions, OutputOptions {
  list: string
  mode: 'add' | 'replace'
}

export function registerSuppressions(program: Command): void {
  const suppressions = program.command('suppressions').description('Addresses and domains that get no mail')
  withClientOptions(
    suppressions
      .command('import <file>')
      .description('Import a CSV file into a suppression list, and wait until the import ends')
      .requiredOption('--list <name>', 'name of the list')
      .option('--mode <add|replace>', 'whether entries that are not in the file stay or are removed', 'add')
      .option('--json', 'print the import as the API does'),
  ).action(importList)
}

async function importList(file: string, options: ImportOptions): Promise<void> {
  const body = await openUpload(file)
  const client = await connectClient(options)
  const { list, mode } = options
  const begun = await client.suppressions.import(body, { list, mode }, { timeoutMs: uploadTimeoutMs })
  const job = await waitForImport(begun, (id) => client.suppressions.imports.get(id))
  const counts = `${job.added} added, ${job.updated} updated, ${job.removed} removed, ${job.failed} rejected`
  show(job, job.failed > 0 ? `${counts}: overture api suppressions.imports.errors ${job.id}` : counts, options)
}
