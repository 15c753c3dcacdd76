/** Runs `run` for each item, in their order, for at most `limit` items at the same time. The first error rejects. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  // The workers share the iterator, so each item is taken once.
  const remaining = items[Symbol.iterator]()
  async function takeItems(): Promise<void> {
    for (let next = remaining.next(); next.done !== true; next = remaining.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: limit }, takeItems))
}
