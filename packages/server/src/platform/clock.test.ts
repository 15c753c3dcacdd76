import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { abortAfter } from './clock.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What the signals of some calls were aborted with; nothing but their listeners is kept, as in a call that waits. */
function reasonsOf(make: () => AbortSignal): Promise<string>[] {
  return Array.from({ length: 50 }, () => {
    const signal = make()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve((signal.reason as Error).name)))
  })
}

test('a time that is over aborts every signal, whatever the garbage collector does meanwhile', async () => {
  const leaving = new AbortController()
  const reasons = reasonsOf(() => abortAfter(50, leaving.signal))
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(new Set(await Promise.all(reasons))).toEqual(new Set(['TimeoutError']))
})

test('so does the other signal, before the time is over or before the call', async () => {
  const leaving = new AbortController()
  const reasons = reasonsOf(() => abortAfter(3_600_000, leaving.signal))
  collectGarbage()
  leaving.abort(new DOMException('gone', 'AbortError'))
  expect(new Set(await Promise.all(reasons))).toEqual(new Set(['AbortError']))
  expect(abortAfter(3_600_000, leaving.signal).aborted).toBe(true)
})
