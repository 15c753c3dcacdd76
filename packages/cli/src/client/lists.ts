import type { Command } from 'commander'
import { show, type OutputOptions } from '../output.ts'
import { connectClient, withClientOptions, type ClientOptions } from './client.ts'
import {
  openUpload,
  spreadsheetQuery,
  type SpreadsheetOptions,
  uploadTimeoutMs,
  waitForImport,
  withSpreadsheetOptions,
} from './uploads.ts'

interface ImportOptions extends ClientOptions, OutputOptions, SpreadsheetOptions {
  list: string
}

export function registerLists(program: Command): void {
  const lists = program.command('lists').description('Lists of people outside of campaigns')
  const command = lists
    .command('import <file>')
    .description('Import the people of a CSV, TSV or XLSX file into a list, and wait until the import ends')
    .requiredOption('--list <id>', 'id of the list')
    .option('--json', 'print the import as the API does')
  withClientOptions(withSpreadsheetOptions(command)).action(importMembers)
}

async function importMembers(file: string, options: ImportOptions): Promise<void> {
  const body = await openUpload(file)
  const client = await connectClient(options)
  const begun = await client.lists.import(options.list, body, spreadsheetQuery(options), { timeoutMs: uploadTimeoutMs })
  const job = await waitForImport(begun, (id) => client.lists.imports.get(id))
  const counts = `${job.added} added, ${job.updated} updated, ${job.failed} rejected`
  show(job, job.failed > 0 ? `${counts}: overture api lists.imports.errors ${job.id}` : counts, options)
}
