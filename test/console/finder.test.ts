import { test } from 'vitest'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the finder', (world) => {
  test('says before a search that no source of people data is set up, and who can add one', async () => {
    const page = await world().page()
    page.expectProblem(/status of 503/)
    await page.goto(`${world().url}/app/live/finder/people`)
    await page.getByText('Lead search is not set up here yet.').waitFor()
    await page.goto(`${world().url}/app/test/finder/people`)
    await page.getByRole('button', { name: /^Search .1 credit/ }).waitFor()
    await page.getByText('Lead search is not set up here yet.').waitFor({ state: 'detached' })
  })
})
