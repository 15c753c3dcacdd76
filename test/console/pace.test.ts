import { expect, test } from 'vitest'
import { makeSender } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the pace of a sending account', (world) => {
  test('is chosen in words, and the state stands in the list', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'paced@sender.test')
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/sending-accounts/${sender.id}`)
    await page.getByText('0 of 1,000 messages sent today').waitFor()
    await page.getByLabel('Ramp-up').selectOption('adaptive')
    await page.getByLabel('Messages on the first day').fill('12')
    await page.getByLabel('At most per day').fill('5')
    await page.getByRole('button', { name: 'Save the pace' }).click()
    await page.getByText('ceiling must not be less than startPerDay.').waitFor()
    await page.getByLabel('At most per day').fill('40')
    await page.getByRole('button', { name: 'Save the pace' }).click()
    await page.getByText('Pace saved').first().waitFor()
    await page.getByText('0 of 12 messages sent today').waitFor()
    expect((await api.sendingAccounts.get(sender.id)).rampUp).toEqual({
      enabled: true,
      mode: 'adaptive',
      startPerDay: 12,
      incrementPerDay: 5,
      ceiling: 40,
    })
    await page.goto(`${url}/app/test/sending-accounts`)
    await page
      .getByRole('row', { name: /paced@sender.test/ })
      .getByText('Healthy')
      .waitFor()
  })
})
