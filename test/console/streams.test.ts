import { expect, test } from 'vitest'
import { makeSender } from '@overture/testing/console/campaigns.ts'
import { holdTime } from '@overture/testing/console/hold-time.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

/** The paths of the API requests of the page, in order. */
function pathsRequested(page: WatchedPage): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v2/')) paths.push(pathname)
  })
  return paths
}

describeConsole('changes while a page loads', (world) => {
  test('are received because the event stream opens before data is read', async () => {
    const page = await world().page()
    const requested = pathsRequested(page)
    await page.goto(`${world().url}/app/test/sending-accounts`)
    await page.getByRole('heading', { name: 'Sending accounts', level: 1 }).waitFor()
    await holds(async () => requested.includes('/v2/sending-accounts'))
    expect(requested.indexOf('/v2/events/stream')).toBeGreaterThanOrEqual(0)
    const before = requested.slice(0, requested.indexOf('/v2/events/stream'))
    expect(before.filter((path) => !/^\/v2\/(?:auth|me|session)/.test(path))).toEqual([])
  })

  test('are read when a late stream opens', async () => {
    const { api, url } = world()
    const page = await world().page()
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/v2/events/stream*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${url}/app/test/sending-accounts`)
    await page.getByRole('heading', { name: 'Sending accounts', level: 1 }).waitFor()
    await makeSender(api, 'first@sender.test')
    await page.reload()
    const table = page.getByRole('table', { name: 'Sending accounts' })
    await table.getByText('first@sender.test').waitFor()
    const { email } = await makeSender(api, 'between@sender.test')
    expect(await table.getByText(email).count()).toBe(0)
    release()
    await table.getByText(email).waitFor()
  })

  test('are polled every 15 seconds if a tab gets no stream', async () => {
    const { api, url } = world()
    const page = await world().page()
    page.expectProblem(/409/)
    const requested = pathsRequested(page)
    await page.clock.install()
    await page.route('**/v2/events/stream*', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({
          error: { code: 'CONFLICT', message: 'A key has 2 streams at once.', request_id: 'req_1' },
        }),
      }),
    )
    const { email: known } = await makeSender(api, 'known@sender.test')
    await page.goto(`${url}/app/test/sending-accounts`)
    const table = page.getByRole('table', { name: 'Sending accounts' })
    await table.getByText(known).waitFor()
    await holdTime(page)
    const streams = () => requested.filter((path) => path === '/v2/events/stream').length
    const tries = streams()
    const { email } = await makeSender(api, 'third@sender.test')
    await page.clock.runFor(15_000)
    await holds(async () => streams() > tries)
    expect(streams()).toBeLessThanOrEqual(tries + 2)
    expect(await page.getByText('Reconnecting').count()).toBe(0)
    await page.clock.resume()
    await table.getByText(email).waitFor()
  })
})
