import { expect, test } from 'vitest'
import type { Database } from '../platform/db/database.ts'
import { LastUsed } from './last-used.shell.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000)

/** Records the writes: account, keys and times of each statement. */
function written(): [Database, unknown[][]] {
  const statements: unknown[][] = []
  const execute = (_text: string, values: unknown[] = []) => {
    statements.push(values)
    return Promise.resolve(1)
  }
  const db = { execute, relaxed: () => db } as unknown as Database
  return [db, statements]
}

test('a first use is written at the next flush, later ones every 15 seconds, and all at the end', async () => {
  const [db, statements] = written()
  const used = new LastUsed(db)
  used.note('acc_a', 'key_1', at(0))
  used.note('acc_a', 'key_2', at(0))
  used.note('acc_b', 'key_3', at(1))
  await used.flushDue()
  expect(statements.splice(0)).toEqual([
    ['acc_a', ['key_1', 'key_2'], [at(0), at(0)]],
    ['acc_b', ['key_3'], [at(1)]],
  ])
  for (let second = 2; second < 16; second++) {
    used.note('acc_a', 'key_1', at(second))
    await used.flushDue()
  }
  expect(statements.splice(0)).toEqual([['acc_a', ['key_1'], [at(15)]]])
  used.note('acc_a', 'key_1', at(17))
  await used.flushDue()
  expect(statements).toEqual([])
  await used.flush()
  expect(statements).toEqual([['acc_a', ['key_1'], [at(17)]]])
})
