import { expect, test } from 'vitest'
import { createLogger } from '../log.shell.ts'
import { createPollingWorker, createSignal } from './polling.worker.ts'
import { Heartbeats } from './heartbeats.ts'
import { createShutdown } from './shutdown.ts'

const log = createLogger('silent')

test('phases stop in order, however they were added, and only once', async () => {
  const order: string[] = []
  const shutdown = createShutdown(log)
  for (const phase of ['postgres', 'accept', 'database', 'services', 'workers'] as const) {
    shutdown.add(phase, phase, async () => {
      await Promise.resolve()
      order.push(phase)
    })
  }
  await Promise.all([shutdown.run(), shutdown.run()])
  expect(order).toEqual(['accept', 'workers', 'services', 'database', 'postgres'])
})

test("a part that fails to stop doesn't prevent others from stopping", async () => {
  const stopped: string[] = []
  const shutdown = createShutdown(log)
  shutdown.add('accept', 'bad', () => Promise.reject(new Error('no')))
  shutdown.add('accept', 'thrower', () => {
    throw new Error('no')
  })
  shutdown.add('postgres', 'good', () => void stopped.push('good'))
  await shutdown.run()
  expect(stopped).toEqual(['good'])
})

test('a worker continues after an error, and at once while there is more to do', async () => {
  const rounds: number[] = []
  const done = createSignal()
  const worker = createPollingWorker({
    name: 'test',
    log,
    heartbeats: new Heartbeats(),
    pollMs: 60_000,
    async run() {
      rounds.push(rounds.length)
      if (rounds.length === 1) throw new Error('once')
      if (rounds.length === 4) done.raise()
      return rounds.length < 4
    },
  })
  await worker.start()
  await done.wait(30_000, new AbortController().signal)
  await worker.stop()
  expect(rounds).toEqual([0, 1, 2, 3])
})

test('a worker fails while each of its rounds does, and no longer after a good one', async () => {
  const heartbeats = new Heartbeats()
  const mended = createSignal()
  let isBroken = true
  const worker = createPollingWorker({
    name: 'test',
    log,
    heartbeats,
    pollMs: 60_000,
    async run() {
      if (isBroken) throw new Error('refused')
      mended.raise()
      return false
    },
  })
  await worker.start()
  await expect.poll(() => heartbeats.failing(), { timeout: 30_000 }).toEqual(['test'])
  isBroken = false
  await mended.wait(30_000, new AbortController().signal)
  await expect.poll(() => heartbeats.failing()).toEqual([])
  await worker.stop()
})

test('a waiting worker is woken, and a wake during a round is not lost', async () => {
  let wake = (): void => undefined
  let rounds = 0
  let stopped = false
  const worker = createPollingWorker({
    name: 'test',
    log,
    heartbeats: new Heartbeats(),
    pollMs: 60_000,
    async run() {
      if (++rounds === 1) wake()
      return false
    },
    listen(callback) {
      wake = callback
      return () => (stopped = true)
    },
  })
  await worker.start()
  await expect.poll(() => rounds).toBe(2)
  wake()
  await expect.poll(() => rounds).toBe(3)
  await worker.stop()
  expect(stopped).toBe(true)
})

test('stop ends the running round, and no other starts', async () => {
  let rounds = 0
  const worker = createPollingWorker({
    name: 'test',
    log,
    heartbeats: new Heartbeats(),
    pollMs: 1,
    async run(signal) {
      rounds++
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return true
    },
  })
  await worker.start()
  await worker.stop()
  expect(rounds).toBe(1)
})
