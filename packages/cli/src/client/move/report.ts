import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { stringify } from 'csv-stringify/sync'

export const outcomes = [
  'suppressed',
  'left out',
  'added',
  'there already',
  'refused',
  'campaign made',
  'campaign there already',
  'campaign refused',
  'note',
] as const
export type Outcome = (typeof outcomes)[number]

export interface ReportLine {
  outcome: Outcome
  file: string
  line?: number
  email?: string
  campaign?: string
  why?: string
}

/** Writes the outcome of each item as one line, as soon as it is known. */
export class Report {
  readonly counts = new Map<Outcome, number>()
  readonly #file: WriteStream
  #failed: Error | null = null

  constructor(path: string) {
    this.#file = createWriteStream(path, { mode: 0o600 })
    this.#file.on('error', (error) => (this.#failed = error))
    this.#file.write('outcome,file,line,email,campaign,why\n')
  }

  async add({ outcome, file, line, email, campaign, why }: ReportLine): Promise<void> {
    if (this.#failed !== null) throw this.#failed
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    const text = stringify([[outcome, file, line, email, campaign, why]], { escape_formulas: true })
    if (!this.#file.write(text)) await once(this.#file, 'drain')
  }

  async close(): Promise<void> {
    if (this.#failed !== null) throw this.#failed
    this.#file.end()
    await once(this.#file, 'close')
  }
}
