import type { Request } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSender } from '@overture/testing/console/campaigns.ts'
import { holdTime } from '@overture/testing/console/hold-time.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

/** Counts the event streams that the page has open now, and those that it has requested. */
function countStreams(page: WatchedPage): { open(): number; asked(): number } {
  const open = new Set<Request>()
  let requestCount = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/v2/events/stream') return
    requestCount++
    open.add(request)
  })
  page.on('requestfailed', (request) => void open.delete(request))
  page.on('requestfinished', (request) => void open.delete(request))
  return { open: () => open.size, asked: () => requestCount }
}

async function turn(page: WatchedPage, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}

describeConsole('a hidden page', (world) => {
  let page: WatchedPage
  let streams: ReturnType<typeof countStreams>
  beforeEach(async () => {
    page = await world().page()
    streams = countStreams(page)
    await page.clock.install()
    await page.goto(`${world().url}/app/test/sending-accounts`)
    await page.getByRole('heading', { name: 'Sending accounts', level: 1 }).waitFor()
    await holds(async () => streams.open() === 1)
    await holdTime(page)
  })
  afterEach(() => page.clock.resume())

  test('closes its event stream after half a minute, and continues when it is visible again', async () => {
    const { api } = world()
    await turn(page, 'hidden')
    await page.clock.runFor(29_999)
    expect([streams.open(), streams.asked()]).toEqual([1, 1])
    await page.clock.runFor(1)
    await holds(async () => streams.open() === 0)
    await page.clock.fastForward(10 * 60_000)
    expect([streams.open(), streams.asked()]).toEqual([0, 1])

    const meanwhile = await makeSender(api, 'meanwhile@sender.test')
    await page.clock.resume()
    await turn(page, 'visible')
    await holds(async () => streams.open() === 1)
    const table = page.getByRole('table', { name: 'Sending accounts' })
    await table.getByText(meanwhile.email).waitFor()
    const after = await makeSender(api, 'after@sender.test')
    await table.getByText(after.email).waitFor()
    expect(streams.asked()).toBe(2)
  })

  test('keeps its event stream if it is hidden for a shorter time', async () => {
    await turn(page, 'hidden')
    await page.clock.runFor(20_000)
    await turn(page, 'visible')
    await page.clock.runFor(15_000)
    expect([streams.open(), streams.asked()]).toEqual([1, 1])
  })
})
