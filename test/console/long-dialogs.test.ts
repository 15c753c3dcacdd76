import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole("a prospect's mail", (world) => {
  test('fits into its dialog with its long links and headers, at both widths', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const link = `https://example.com/${'long'.repeat(60)}`
    await makeRunning(api, {
      name: 'Long links',
      sendingAccountIds: [sender.id],
      leads: prospects(1, ''),
      steps: [{ variants: [{ subject: 'x'.repeat(150), body: `Read ${link}\n\nor ${'y'.repeat(200)}` }] }],
    })
    await api.sandbox.clock.advance({ by: '1d' })
    for (const width of [1360, 390]) {
      const page = await world().page({ width })
      await page.goto(`${url}/app/test/developers/mail`)
      await page.getByRole('button', { name: 'xxx' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Message' })
      await dialog.getByText('List-Unsubscribe', { exact: true }).waitFor()
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    }
  })
})
