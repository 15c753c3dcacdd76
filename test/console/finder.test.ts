import { expect, test } from 'vitest'
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

  test('adds one person and several people to a list', async () => {
    const { api, url } = world()
    const page = await world().page()
    const search = async (): Promise<void> => {
      await page.goto(`${url}/app/test/finder/people`)
      await page.getByLabel('Seniority').selectOption({ label: 'Director' })
      await page.getByRole('button', { name: /^Search .1 credit/ }).click()
    }
    await search()
    const table = page.getByRole('table', { name: 'Results' })
    await table.getByRole('button', { name: 'Reveal email (1 credit)' }).first().click()
    await table.getByRole('button', { name: 'Add to list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to list' })
    await dialog.getByText('Create a list first, under Lists.').waitFor()

    await api.lists.create({ name: 'Older' })
    const list = await api.lists.create({ name: 'Directors' })
    await search()
    for (const index of [0, 1, 2]) await table.getByRole('checkbox').nth(index).check()
    await page.getByRole('button', { name: /^Reveal 3 emails/ }).click()
    await table.getByRole('button', { name: 'Add to list' }).first().click()
    await dialog.getByLabel('List').selectOption({ label: 'Directors' })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 added to the list, 0 updated').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add 3 to a list' }).click()
    await dialog.getByLabel('List').selectOption({ label: 'Directors' })
    await dialog.getByRole('button', { name: 'Add 3 to a list' }).click()
    await page.getByText('2 added to the list, 1 updated').waitFor()
    const members = await api.lists.members.list(list.id).toArray()
    expect(members).toHaveLength(3)
    for (const { email, firstName, company } of members) {
      expect(email).toContain('@')
      expect([firstName, company]).not.toContain(null)
    }
  })
})
