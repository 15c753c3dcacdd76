import { expect, test } from 'vitest'
import type { Database } from '../platform/db/database.ts'
import { fanOutAll } from './webhooks.worker.ts'

/** A log without end: each batch is full. */
function endlessLog(onBatch: (batches: number) => void): Pick<Database, 'query'> {
  let batches = 0
  return {
    query: <Row>() => {
      onBatch(++batches)
      return Promise.resolve([{ count: 1_000 }] as Row[])
    },
  }
}

test('a stop is heard between two batches of a long log', async () => {
  const stopping = new AbortController()
  let read = 0
  const db = endlessLog((batches) => {
    read = batches
    if (batches === 3) stopping.abort()
  })
  await fanOutAll({ db: db as Database }, stopping.signal)
  expect(read).toBe(3)
})
