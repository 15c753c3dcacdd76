import { monotonicMs } from '../clock.ts'
import { Rotation } from './rotation.ts'
import { SlowOwners } from './slow-owners.ts'
import { WatchedThread, type SliceResult, type ThreadOptions } from './watched-thread.client.ts'

/**
 * The outcome `overran` means that the item alone takes too long or needs more memory than a thread has. The outcome `postponed`
 * means that it was not tried: the job's time was over, or a similar item ended a thread within the last minute.
 */
export type Outcome<Answer> = { kind: 'answered'; answer: Answer } | { kind: 'overran' } | { kind: 'postponed' }

interface Budget {
  /** The CPU time after which an item ends its thread. */
  itemMs: number
  /** The thread time for all items of a job. */
  totalMs: number
}

interface FairThreadsOptions<Item> extends ThreadOptions {
  /** Similar items have the same key: if one of them takes too long, the others may too. */
  getKey(item: Item): string
  /** Called when a thread was stopped, or ended itself, at an item of this owner. */
  onEnded(owner: string): void
}

const sliceItemsMax = 64
const sliceMs = 20
/** The time per item for slow owners. An owner is slow if it uses a thread for twice its slice and its items take this long each. */
const slowItemMs = 5
/** The cost of starting another thread, charged to the job that ended one. */
const restartMs = 300

interface Job<Item, Answer> {
  owner: string
  items: readonly Item[]
  outcomes: Outcome<Answer>[]
  /** The indexes of the items without an outcome. */
  open: number[]
  itemMs: number
  leftMs: number
  resolve(outcomes: Outcome<Answer>[]): void
  reject(error: Error): void
}

interface Lane<Item, Answer> {
  thread: WatchedThread<Item, Answer> | null
  waiting: Rotation<Job<Item, Answer>>
  isBusy: boolean
}

/**
 * Two threads for work whose cost depends on its owners. All jobs start in the quick thread. An owner that blocks or ends it
 * moves to the slow thread for some minutes, where it waits only for other slow owners. In both threads, turns are short and
 * rotate by owner. A thread that an item ends is replaced. Only in the slow thread does this decide the item's outcome; other
 * items that shared the thread run again.
 */
export class FairThreads<Item, Answer> {
  readonly #options: FairThreadsOptions<Item>
  readonly #slowOwners = new SlowOwners()
  readonly #quick: Lane<Item, Answer> = { thread: null, waiting: new Rotation(), isBusy: false }
  readonly #slow: Lane<Item, Answer> = { thread: null, waiting: new Rotation(), isBusy: false }
  #isStopped = false

  constructor(options: FairThreadsOptions<Item>) {
    this.#options = options
  }

  /** The outcomes are in the order of the items. */
  run(owner: string, items: readonly Item[], budget: Budget): Promise<Outcome<Answer>[]> {
    if (items.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      const outcomes: Outcome<Answer>[] = items.map(() => ({ kind: 'postponed' }))
      const open = [...items.keys()]
      this.#queue({ owner, items, outcomes, open, itemMs: budget.itemMs, leftMs: budget.totalMs, resolve, reject })
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#quick.thread?.stop(), this.#slow.thread?.stop()])
  }

  #queue(job: Job<Item, Answer>): void {
    if (this.#isStopped) return job.reject(new Error('The threads are stopped.'))
    const lane = this.#slowOwners.isSlow(job.owner, monotonicMs()) ? this.#slow : this.#quick
    lane.waiting.add(job)
    void this.#work(lane)
  }

  async #work(lane: Lane<Item, Answer>): Promise<void> {
    if (lane.isBusy) return
    lane.isBusy = true
    for (let job = lane.waiting.next(); job !== undefined; job = lane.waiting.next()) {
      // A job whose owner became slow meanwhile moves to the slow thread.
      if (lane === this.#quick && this.#slowOwners.isSlow(job.owner, monotonicMs())) this.#queue(job)
      else await this.#serve(lane, job)
    }
    lane.isBusy = false
  }

  async #serve(lane: Lane<Item, Answer>, job: Job<Item, Answer>): Promise<void> {
    try {
      if (lane === this.#slow) job.open = job.open.filter((place) => !this.#rests(job, place))
      // One by one if the thread may end, so that no finished answer is lost with it.
      const places = job.open.slice(0, lane === this.#slow ? 1 : sliceItemsMax)
      if (places.length > 0) {
        const thread = this.#threadOf(lane)
        const items = places.map((place) => job.items[place] as Item)
        this.#take(lane, job, { places, result: await thread.answer(items, { sliceMs, itemMs: job.itemMs }) })
      }
      if (job.open.length === 0 || job.leftMs <= 0) job.resolve(job.outcomes)
      else this.#queue(job)
    } catch (error) {
      job.reject(error as Error)
    }
  }

  #threadOf(lane: Lane<Item, Answer>): WatchedThread<Item, Answer> {
    if (this.#isStopped) throw new Error('The threads are stopped.')
    if (lane.thread === null || lane.thread.over) lane.thread = new WatchedThread(this.#options)
    return lane.thread
  }

  #rests(job: Job<Item, Answer>, place: number): boolean {
    return this.#slowOwners.rests(job.owner, this.#options.getKey(job.items[place] as Item), monotonicMs())
  }

  #take(
    lane: Lane<Item, Answer>,
    job: Job<Item, Answer>,
    { places, result }: { places: readonly number[]; result: SliceResult<Answer> },
  ): void {
    if (result.kind === 'ended') return this.#takeEnd(lane, job, places[result.place] as number)
    const { answers, tookMs } = result
    for (const [index, answer] of answers.entries())
      job.outcomes[places[index] as number] = { kind: 'answered', answer }
    job.open = job.open.slice(answers.length)
    job.leftMs -= tookMs
    if (tookMs > sliceMs * 2 && tookMs > answers.length * slowItemMs) this.#slowOwners.mark(job.owner, monotonicMs())
  }

  // In the quick thread the cause may be state left behind by another owner's items, so the item is tried again.
  #takeEnd(lane: Lane<Item, Answer>, job: Job<Item, Answer>, place: number): void {
    if (this.#isStopped) throw new Error('The threads are stopped.')
    job.leftMs -= job.itemMs + restartMs
    this.#slowOwners.mark(job.owner, monotonicMs())
    this.#options.onEnded(job.owner)
    if (lane === this.#quick) return
    job.outcomes[place] = { kind: 'overran' }
    job.open = job.open.filter((other) => other !== place)
    this.#slowOwners.rest(job.owner, this.#options.getKey(job.items[place] as Item), monotonicMs())
  }
}
