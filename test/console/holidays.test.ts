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

  test('a schedule takes times and zones as people write them, dates by a calendar, and no overlap', async () => {
    const { api, url } = world()
    const { id } = await makeDraft(api, { name: 'Times', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${id}/schedule`)
    await page.getByLabel('Time zone', { exact: true }).fill('new york')
    await page.getByLabel('From').first().fill('9')
    await page.getByLabel('To').first().fill('5 pm')
    await page.getByText('Your changes are not saved yet.').waitFor()
    await page.getByLabel('Days without sending').fill('2026-12-24')
    await page.getByRole('button', { name: 'Add date' }).click()
    await page.getByRole('button', { name: 'Add a window' }).click()
    await page.getByText('Window 1 and window 2 overlap on Monday.').first().waitFor()
    await page.getByRole('button', { name: 'Remove window' }).last().click()
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved').waitFor()
    const { schedule } = await api.campaigns.get(id)
    expect(schedule).toMatchObject({ timezone: 'America/New_York', blackoutDates: ['2026-12-24'] })
    expect(schedule.windows.map(({ from, to }) => [from, to])).toEqual([['09:00', '17:00']])
    await holds(async () => (await page.getByText('Your changes are not saved yet.').count()) === 0)
  })
})
