import { expect, test } from 'vitest'
import { makeDraft, makeSender } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the holidays of a schedule', (world) => {
  test('are none, those of each lead, or those of a country or a region', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const { id } = await makeDraft(api, { name: 'Holidays', sendingAccountIds: [sender.id] })
    const stored = async () => (await api.campaigns.get(id)).schedule.holidays
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${id}/schedule`)
    const holidays = page.getByLabel('Holidays')
    const save = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Save schedule' }).click()
      await page.getByText('Schedule saved').first().waitFor()
      await page.goto(`${url}/app/test/campaigns/${id}/schedule`)
      await holidays.waitFor()
    }
    expect(await holidays.inputValue()).toBe('none')

    await holidays.selectOption('The lead’s country')
    await save()
    expect(await stored()).toEqual({ calendar: 'lead' })
    expect(await holidays.inputValue()).toBe('lead')

    await holidays.selectOption('One country or region')
    await page.getByRole('button', { name: 'Save schedule' }).click()
    const country = page.getByLabel('Country', { exact: true })
    await holds(async () => (await country.getAttribute('aria-invalid')) === 'true')
    await country.selectOption('Germany')
    await save()
    expect(await stored()).toEqual({ calendar: 'DE' })

    await page.getByLabel('Region').selectOption('Bayern')
    await save()
    expect(await stored()).toEqual({ calendar: 'DE-BY' })
    await page.getByLabel('Region').waitFor()
    expect(await page.getByLabel('Region').inputValue()).toBe('DE-BY')
    expect(await country.inputValue()).toBe('DE')

    await holidays.selectOption('None')
    await save()
    expect(await stored()).toBeNull()
  })
})
