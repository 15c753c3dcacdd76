import { serveItems } from '@overture/server/platform/threads/serve-items.thread.ts'

/** An item for a thread: return a value, or misbehave in a way that ends the thread. */
export type BusyItem =
  | { does: 'answer'; value: number }
  | { does: 'spin' | 'allocate' | 'throw' | 'exit'; value: number }

serveItems<BusyItem, number>(({ does, value }) => {
  switch (does) {
    case 'answer':
      return value
    case 'spin':
      return spin()
    case 'allocate':
      return allocate()
    case 'throw':
      throw new Error('A bug of the item.')
    case 'exit':
      process.exit(1)
  }
})

function spin(): never {
  for (;;);
}

function allocate(): never {
  const held: number[][] = []
  for (;;) held.push(Array.from({ length: 10_000 }, (_, at) => at + held.length))
}
