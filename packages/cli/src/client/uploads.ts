import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { SpreadsheetEncoding } from '@overture/sdk'
import type { Command } from 'commander'
import { CommandError } from '../output.ts'

const lookEveryMs = 500
/** A large upload may take long. */
export const uploadTimeoutMs = 3_600_000

export interface SpreadsheetOptions {
  sheet?: string
  columns?: string
  encoding?: SpreadsheetEncoding
}

/** Adds the options of every command that imports a spreadsheet. */
export function withSpreadsheetOptions(command: Command): Command {
  return command
    .option('--sheet <name>', 'the sheet of a workbook (default: the first visible one)')
    .option('--columns <json>', 'the field of each column, such as \'["email",null,"customVariables.plan"]\'')
    .option('--encoding <name>', 'the encoding of a CSV file, if it is not recognized')
}

/** The same options as the query of an import. */
export function spreadsheetQuery({ sheet, columns, encoding }: SpreadsheetOptions): SpreadsheetOptions {
  return {
    ...(sheet !== undefined && { sheet }),
    ...(columns !== undefined && { columns }),
    ...(encoding !== undefined && { encoding }),
  }
}

/** Opens a file for an upload. */
export async function openUpload(file: string): Promise<ReadableStream<Uint8Array>> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`There is no file ${file}.`)
    throw error
  })
  if (!found.isFile()) throw new CommandError(`${file} is not a file.`)
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
}

interface ImportState {
  id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  error: string | null
}

/** Waits until an import ends. Throws if it failed. */
export async function waitForImport<Job extends ImportState>(
  begun: Job,
  read: (id: string) => PromiseLike<Job>,
): Promise<Job> {
  let job = begun
  while (job.status === 'pending' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    job = await read(job.id)
  }
  if (job.status === 'failed') throw new CommandError(`The import failed: ${job.error ?? 'unknown reason'}`)
  return job
}
