/**
 * Gathers what is asked for at the same moment into one run: while a batch runs, the next one fills. So a commit is
 * shared by the messages that are ready together.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>
}

interface BatcherOptions {
  batchMax: number
  /** The number of items that may arrive at any moment. A batch waits for them, for `gatherMs` at most, and not at all if it is 0. */
  coming?: () => number
  gatherMs?: number
}

interface WaitingItem<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** `run` answers one result per item, in order. A throw fails every item of that batch, and none of the next. */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { batchMax, coming = () => 0, gatherMs = 0 }: BatcherOptions,
): Batcher<Item, Result> {
  const waiting: WaitingItem<Item, Result>[] = []
  let running = false
  let complete: (() => void) | null = null

  async function drain(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      if (!isComplete()) await gather()
      const batch = waiting.splice(0, batchMax)
      try {
        const results = await run(batch.map((entry) => entry.item))
        batch.forEach((entry, index) => entry.resolve(results[index] as Result))
      } catch (error) {
        for (const entry of batch) entry.reject(error)
      }
    }
    running = false
  }

  function isComplete(): boolean {
    return waiting.length >= batchMax || coming() <= 0
  }

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, gatherMs)
      complete = end
      function end(): void {
        clearTimeout(timer)
        complete = null
        resolve()
      }
    })
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (!running) void drain()
        else if (complete !== null && isComplete()) complete()
      })
    },
  }
}
