import { expect, test } from 'vitest'
import type { Database, Transaction } from '../platform/db/database.ts'
import { fanOutAll } from './webhooks.worker.ts'

/** An endless log of one account, in which each batch is full. */
function endlessLog(onBatch: (batches: number) => void): Database {
  let batches = 0
  const answers: Record<string, () => object[]> = {
    list_log_looks: () => [{ epoch: 0, txId: '0', position: 0, below: '10' }],
    list_events_behind_look: () => [{ accountId: 'acc_1', environment: 'live', txId: '9', position: 9 }],
    lock_log_reader: () => [{ locked: true }],
    list_log_places: () => [{ accountId: 'acc_1', environment: null, txId: null, position: null }],
    list_accounts_with_webhooks: () => [{ accountId: 'acc_1' }],
    fan_out_events: () => {
      onBatch(++batches)
      return [{ count: 1_000, txId: '5', position: batches, webhookIds: [] }]
    },
  }
  const query = <Row>(_text: string, _values?: readonly unknown[], name = '') =>
    Promise.resolve((answers[name]?.() ?? []) as Row[])
  const transaction = <Result>(run: (tx: Transaction) => Promise<Result>) => run({ query } as Transaction)
  return { query, transaction } as unknown as Database
}

test('stop takes effect between two batches of a long log', async () => {
  const stopping = new AbortController()
  let read = 0
  const db = endlessLog((batches) => {
    read = batches
    if (batches === 3) stopping.abort()
  })
  await fanOutAll({ db }, stopping.signal)
  expect(read).toBe(3)
})
