import type { App } from '../platform/app.ts'
import type { NewJob } from '../platform/jobs/job.ts'
import { deleteJobs, insertJobs, listComingJobs, type ComingJob } from '../platform/jobs/jobs.sql.ts'
import type { Tenant } from '../platform/tenant.ts'

const readMax = 100

/** The jobs by a tenant's own clock in one batch of instants. Many are read and deleted together. */
export class BatchJobs {
  readonly #app: App
  readonly #tenant: Tenant
  readonly #done: number[] = []
  #coming: ComingJob[] = []
  /** Whether more jobs exist after the last one read. */
  #cut = false

  constructor(app: App, tenant: Tenant) {
    this.#app = app
    this.#tenant = tenant
  }

  get next(): ComingJob | undefined {
    return this.#coming[0]
  }

  /** Reads again after other code has written jobs. */
  async read(): Promise<void> {
    await this.flush()
    this.#coming = await listComingJobs(this.#app.db, this.#tenant, readMax)
    this.#cut = this.#coming.length === readMax
  }

  async add(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return
    const ids = await insertJobs(this.#app.db, this.#tenant, jobs)
    const lastMs = this.#coming.at(-1)?.runAt.getTime() ?? -Infinity
    jobs.forEach(({ kind, payload = {}, runAt }, at) => {
      const isBehind = this.#cut && runAt.getTime() >= lastMs
      if (!isBehind) this.#coming.push({ id: ids[at] ?? 0, kind, payload, runAt, attempts: 0, claimed: false })
    })
    this.#coming.sort((a, b) => a.runAt.getTime() - b.runAt.getTime() || a.id - b.id)
  }

  /** Takes the next job, which is done in the same transaction. */
  async take(): Promise<ComingJob | undefined> {
    const job = this.#coming.shift()
    if (job) this.#done.push(job.id)
    if (this.#coming.length === 0 && this.#cut) await this.read()
    return job
  }

  /** Deletes the done jobs. */
  async flush(): Promise<void> {
    if (this.#done.length === 0) return
    const ids = this.#done.splice(0)
    if ((await deleteJobs(this.#app.db, this.#tenant, ids)) !== ids.length)
      throw new Error('A job belongs to another process.')
  }
}
