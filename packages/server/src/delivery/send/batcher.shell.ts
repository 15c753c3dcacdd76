/**
 * Collects items that arrive at about the same time into one run: while a batch runs, the next one fills. Messages that are ready
 * together thereby share a commit.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>
}

interface BatcherOptions {
  batchMax: number
  /** How many more items are expected soon. While it is above 0, a batch waits for them, for at most `gatherMs`. */
  coming?: () => number
  gatherMs?: number
}

interface WaitingItem<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** `run` returns one result per item, in order. If it throws, every item of that batch fails, and later batches are not affected. */
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
