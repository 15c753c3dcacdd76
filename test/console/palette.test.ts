import { expect, test } from 'vitest'
import { makeDraft, prospects } from '@overture/testing/console/campaigns.ts'
import { holdTime } from '@overture/testing/console/hold-time.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the command palette', (world) => {
  test('searches once for letters typed in a row, and Enter opens the result', async () => {
    const { api, url } = world()
    await makeDraft(api, { name: 'Palette', sendingAccountIds: [], leads: prospects(12, '') })
    const page = await world().page()
    await page.clock.install()
    await page.goto(`${url}/app/test`)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Search or run a command' })
    await box.waitFor()
    const searches: string[] = []
    page.on('request', (request) => {
      const requested = new URL(request.url())
      if (requested.pathname === '/v2/leads') searches.push(requested.search)
    })
    // A full address identifies a person, so the palette doesn't wait for other search results.
    const late: (() => void)[] = []
    await page.route(/\/v2\/conversations\?.*q=/, (route) => {
      late.push(() => void route.continue().catch(() => undefined))
    })
    await holdTime(page)
    await page.keyboard.type('Person1@prospects.test')
    await page.keyboard.press('Enter')
    expect(searches).toEqual([])
    await page.clock.runFor(1_000)
    await page.clock.resume()
    await page.getByRole('table', { name: 'Gates' }).waitFor()
    await page.getByRole('heading', { name: 'person1@prospects.test', level: 1 }).waitFor()
    late.forEach((answer) => answer())
    expect(searches).toHaveLength(1)
    expect(searches[0]).toContain('email=person1%40prospects.test')
  })

  test('finds a person by a part of the address', async () => {
    const page = await world().page()
    await page.goto(`${world().url}/app/test`)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill('person7@prospects.te')
    await holds(async () => (await page.getByRole('option').count()) > 0)
    expect(await page.getByRole('option').first().innerText()).toContain('person7@prospects.test')
  })
})
