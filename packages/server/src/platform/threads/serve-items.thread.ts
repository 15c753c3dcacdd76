import { parentPort, workerData } from 'node:worker_threads'
import { monotonicMs } from '../clock.ts'
import { progressPlaces, type ThreadData, type ThreadReply, type ThreadSlice } from './slices.ts'
import { createThreadTime, systemIdOfThread } from './thread-time.client.ts'

/** The inner side of a `WatchedThread`: processes item by item and reports its progress to the watcher. */
export function serveItems<Item, Answer>(answerItem: (item: Item, threadTimeMs: () => number) => Answer): void {
  const progress = new Int32Array((workerData as ThreadData).progress)
  const port = parentPort!
  const systemId = systemIdOfThread()
  const threadTimeMs = createThreadTime(systemId)
  port.on('message', ({ items, sliceMs }: ThreadSlice<Item>) => {
    const startedMs = monotonicMs()
    const usedMs = threadTimeMs()
    const answers: Answer[] = []
    for (const [place, item] of items.entries()) {
      Atomics.store(progress, progressPlaces.item, place)
      Atomics.add(progress, progressPlaces.begun, 1)
      answers.push(answerItem(item, threadTimeMs))
      if (monotonicMs() - startedMs >= sliceMs) break
    }
    postReply({ answers, tookMs: threadTimeMs() - usedMs })
  })
  postReply({ systemId })

  function postReply(reply: ThreadReply<Answer>): void {
    port.postMessage(reply)
  }
}
