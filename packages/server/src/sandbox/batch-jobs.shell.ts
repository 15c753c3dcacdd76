import type { App } from '../platform/app.ts'
import type { NewJob } from '../platform/jobs/job.ts'
import { deleteJobs, insertJobs, listComingJobs, type ComingJob } from '../platform/jobs/jobs.sql.ts'
import type { Tenant } from '../platform/tenant.ts'

const readMax = 100

/** The jobs by a tenant's own clock in one batch of instants. Many are read, stored and deleted together. */
export class BatchJobs {
  readonly #app: App
  readonly #tenant: Tenant
  readonly #done: number[] = []
  #coming: ComingJob[] = []
  /** In order of time. */
  #unstored: NewJob[] = []
  /** Whether more jobs exist after the last one read. */
  #cut = false

  constructor(app: App, tenant: Tenant) {
    this.#app = app
    this.#tenant = tenant
  }

  get next(): Omit<ComingJob, 'id'> | undefined {
    const [first] = this.#unstored
    return first === undefined || this.#isStoredNext ? this.#coming[0] : unclaimed(first)
  }

  /** Reads again after other code has written jobs. */
  async read(): Promise<void> {
    await this.flush()
    this.#coming = await listComingJobs(this.#app.db, this.#tenant, readMax)
    this.#cut = this.#coming.length === readMax
  }

  /** Adds jobs that `store` will store, unless they are done before. */
  add(jobs: readonly NewJob[]): void {
    this.#unstored = [...this.#unstored, ...jobs].sort(byTime)
  }

  async store(): Promise<void> {
    const jobs = this.#unstored.splice(0)
    if (jobs.length === 0) return
    const ids = await insertJobs(this.#app.db, this.#tenant, jobs)
    const lastMs = this.#coming.at(-1)?.runAt.getTime() ?? -Infinity
    jobs.forEach((job, at) => {
      const isBehind = this.#cut && job.runAt.getTime() >= lastMs
      if (!isBehind) this.#coming.push({ id: ids[at] ?? 0, ...unclaimed(job) })
    })
    this.#coming.sort((a, b) => byTime(a, b) || a.id - b.id)
  }

  /** Takes the next job, which is done in the same transaction. */
  async take(): Promise<Omit<ComingJob, 'id'> | undefined> {
    const { next } = this
    if (!this.#isStoredNext) {
      this.#unstored.shift()
      return next
    }
    this.#done.push(...this.#coming.splice(0, 1).map(({ id }) => id))
    if (this.#coming.length === 0 && this.#cut) await this.read()
    return next
  }

  /** Deletes the done jobs. */
  async flush(): Promise<void> {
    if (this.#done.length === 0) return
    const ids = this.#done.splice(0)
    if ((await deleteJobs(this.#app.db, this.#tenant, ids)) !== ids.length)
      throw new Error('A job belongs to another process.')
  }

  get #isStoredNext(): boolean {
    const [stored, unstored] = [this.#coming[0], this.#unstored[0]]
    return stored !== undefined && (unstored === undefined || byTime(stored, unstored) <= 0)
  }
}

function byTime(a: { runAt: Date }, b: { runAt: Date }): number {
  return a.runAt.getTime() - b.runAt.getTime()
}

function unclaimed({ kind, payload = {}, runAt }: NewJob): Omit<ComingJob, 'id'> {
  return { kind, payload, runAt, attempts: 0, claimed: false }
}
