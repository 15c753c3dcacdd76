import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { CommandError, show, type OutputOptions } from '../output.ts'
import { clientOf, withClientOptions, type ClientOptions } from './client.ts'

interface ImportOptions extends ClientOptions, OutputOptions {
  list: string
  mode: 'add' | 'replace'
}

const lookEveryMs = 500
/** A large upload may take long. */
const uploadTimeoutMs = 3_600_000

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
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a file.`)
  const client = await clientOf(options)
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const { list, mode } = options
  let job = await client.suppressions.import(body, { list, mode }, { timeoutMs: uploadTimeoutMs })
  while (job.status === 'pending' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    job = await client.suppressions.imports.get(job.id)
  }
  if (job.status === 'failed') throw new CommandError(`The import failed: ${job.error ?? 'unknown reason'}`)
  const told = `${job.added} added, ${job.updated} updated, ${job.removed} removed, ${job.failed} rejected`
  show(job, job.failed > 0 ? `${told}: overture api suppressions.imports.errors ${job.id}` : told, options)
}
