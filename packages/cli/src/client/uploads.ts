import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { CommandError } from '../output.ts'

const lookEveryMs = 500
/** A large upload may take long. */
export const uploadTimeoutMs = 3_600_000

/** Opens a file for an upload. */
export async function openUpload(file: string): Promise<ReadableStream<Uint8Array>> {
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a file.`)
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
