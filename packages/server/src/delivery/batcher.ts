/**
 * Gathers what is asked for at the same moment into one run: while a batch runs, the next one fills. So a commit is
 * shared by the messages that are ready together, and none waits for a timer.
 */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>
}

/** `run` answers one result an item, in order. A throw fails every item of that batch, and none of the next. */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  batchMax: number,
): Batcher<Item, Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let running = false

  async function drain(): Promise<void> {
    running = true
    while (waiting.length > 0) {
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

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (!running) void drain()
      })
    },
  }
}
