/** Gives turns by owner: an owner with many jobs waits for every other owner between two of its own. */
export class Rotation<Job extends { owner: string }> {
  readonly #byOwner = new Map<string, Job[]>()

  add(job: Job): void {
    const waiting = this.#byOwner.get(job.owner)
    if (waiting === undefined) this.#byOwner.set(job.owner, [job])
    else waiting.push(job)
  }

  next(): Job | undefined {
    const [first] = this.#byOwner
    if (first === undefined) return undefined
    const [owner, waiting] = first
    const job = waiting.shift()
    this.#byOwner.delete(owner)
    if (waiting.length > 0) this.#byOwner.set(owner, waiting)
    return job
  }
}
