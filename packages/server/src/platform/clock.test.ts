import { getEventListeners, setMaxListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { withinTime } from './clock.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const calls = 50

/** The abort reasons of the signals of some calls. Only the listeners are referenced, like in a waiting call. */
function reasonsOf(delayMs: number, other: AbortSignal): Promise<string>[] {
  const reason = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve((signal.reason as Error).name))
    })
  setMaxListeners(calls, other)
  return Array.from({ length: calls }, () => withinTime(delayMs, other, reason))
}

test('a timeout aborts every signal, even after garbage collection', async () => {
  const leaving = new AbortController()
  const reasons = reasonsOf(50, leaving.signal)
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(new Set(await Promise.all(reasons))).toEqual(new Set(['TimeoutError']))
})

test('the other signal aborts it too, before the timeout or before the call', async () => {
  const leaving = new AbortController()
  const reasons = reasonsOf(3_600_000, leaving.signal)
  collectGarbage()
  leaving.abort(new DOMException('gone', 'AbortError'))
  expect(new Set(await Promise.all(reasons))).toEqual(new Set(['AbortError']))
  expect(await withinTime(3_600_000, leaving.signal, async (signal) => signal.aborted)).toBe(true)
})

test('after success or failure it has no listener on the other signal', async () => {
  const leaving = new AbortController()
  const run = async (signal: AbortSignal): Promise<boolean> => {
    if (getEventListeners(leaving.signal, 'abort').length !== 1) throw new Error('It listens once.')
    return signal.aborted
  }
  for (let call = 0; call < calls; call++) expect(await withinTime(3_600_000, leaving.signal, run)).toBe(false)
  const failing = () => Promise.reject(new Error('no'))
  await expect(withinTime(3_600_000, leaving.signal, failing)).rejects.toThrow('no')
  expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
})
