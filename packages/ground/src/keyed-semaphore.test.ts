import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeyedSemaphore } from './keyed-semaphore.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a keyed semaphore', () => {
  test('never grants more than its permits, serves in order, and gets everything back', async () => {
    const requests = fc.array(fc.record({ count: fc.integer({ min: 0, max: 10 }), steps: fc.nat(4) }), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(requests, async (callers) => {
        const semaphore = new KeyedSemaphore({ permits: () => 10 })
        const order: number[] = []
        let [used, most] = [0, 0]
        await Promise.all(
          callers.map(async ({ count, steps }, at) => {
            const release = await semaphore.acquire('', count)
            order.push(at)
            used += count
            most = Math.max(most, used)
            for (let step = 0; step < steps; step++) await Promise.resolve()
            used -= count
            release()
            release()
          }),
        )
        expect([most <= 10, used, semaphore.size]).toEqual([true, 0, 0])
        expect(order).toEqual(callers.map((_, at) => at))
      }),
    )
  })

  test('lets callers of one key wait only for each other', async () => {
    const semaphore = new KeyedSemaphore({ permits: () => 1 })
    const first = await semaphore.acquire('a')
    let isServed = false
    const second = semaphore.acquire('a').then((release) => {
      isServed = true
      return release
    })
    const other = await semaphore.acquire('b')
    await turn()
    expect(isServed).toBe(false)
    first()
    const release = await second
    expect([semaphore.has('a'), semaphore.has('b')]).toEqual([true, true])
    release()
    other()
    expect(semaphore.size).toBe(0)
  })

  test('refuses a caller when too many wait, and one whose signal aborts', async () => {
    const semaphore = new KeyedSemaphore({ permits: () => 1 })
    const bounds = { waitingMax: 1 }
    const release = await semaphore.tryAcquire('a', bounds)
    const leaving = new AbortController()
    const aborted = semaphore.tryAcquire('a', { ...bounds, signal: leaving.signal })
    expect(await semaphore.tryAcquire('a', bounds)).toBeNull()
    leaving.abort()
    expect(await aborted).toBeNull()
    const next = semaphore.tryAcquire('a', { ...bounds, signal: new AbortController().signal })
    release?.()
    expect(await next).not.toBeNull()
    expect(await semaphore.tryAcquire('a', { ...bounds, signal: leaving.signal })).toBeNull()
  })

  test('serves the callers behind a large request whose signal aborts', async () => {
    const semaphore = new KeyedSemaphore({ permits: () => 3 })
    const release = await semaphore.acquire('a', 2)
    const large = semaphore.acquire('a', 5)
    release()
    const alone = await large
    const leaving = new AbortController()
    const aborted = semaphore.tryAcquire('a', { waitingMax: 9, signal: leaving.signal })
    const behind = semaphore.acquire('a')
    leaving.abort()
    expect(await aborted).toBeNull()
    alone()
    expect(await behind).toBeTypeOf('function')
  })

  test('follows permits that grow while callers wait', async () => {
    let permits = 1
    const semaphore = new KeyedSemaphore({ permits: () => permits })
    const releases = [await semaphore.acquire('a')]
    const waiting = [semaphore.acquire('a'), semaphore.acquire('a'), semaphore.acquire('a')]
    permits = 2
    releases.shift()?.()
    releases.push(await waiting[0]!, await waiting[1]!)
    permits = 1
    releases.shift()?.()
    let isServed = false
    void waiting[2]!.then(() => (isServed = true))
    await turn()
    expect(isServed).toBe(false)
    releases.shift()?.()
    await turn()
    expect(isServed).toBe(true)
  })
})
