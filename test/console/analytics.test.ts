import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const zone = 'Asia/Kathmandu'
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

describeConsole('the analytics page', (world) => {
  test("shows the API's rates, intervals, verdicts and hours in the account's time zone", async () => {
    const { api, live, url } = world()
    await live.account.update({ defaultTimezone: zone })
    const sender = await makeSender(api)
    const body = 'Hi {{ firstName }},\n\nshall we talk?'
    const campaign = await makeRunning(api, {
      name: 'Two ways to ask',
      sendingAccountIds: [sender.id],
      leads: [...prospects(12, 'reply'), ...prospects(20, '', 100)],
      steps: [
        {
          variants: [
            { subject: 'Hello', body, label: 'A' },
            { subject: 'A question', body, label: 'B' },
          ],
        },
      ],
    })
    await api.sandbox.clock.advance({ by: '3d' })
    const { variants, comparisons } = await api.campaigns.analytics(campaign.id)
    const hours = await api.analytics.grouped({ groupBy: 'weekday,hour', timezone: zone, campaignId: campaign.id })
    expect([hours.timezone, hours.totals.replied]).toEqual([zone, 12])

    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/analytics`)
    const table = page.getByRole('table', { name: 'Variants' })
    await table.getByRole('columnheader', { name: 'Reply rate' }).waitFor()
    await table.getByRole('columnheader', { name: '95 % interval' }).waitFor()
    const rows = await table.getByRole('row').allInnerTexts()
    for (const { label, rates, replyInterval } of variants) {
      const row = rows.find((one) => one.split('\t').includes(label!))
      expect(row).toContain(percent.format(rates.reply))
      expect(row).toContain(`${percent.format(replyInterval!.low)} to ${percent.format(replyInterval!.high)}`)
    }
    const verdict = page.getByRole('list', { name: 'Verdict' })
    expect(await verdict.innerText()).toContain(comparisons[0]!.detail)
    expect(await verdict.innerText()).toContain('Not enough data yet')

    const figure = page.getByRole('figure', { name: 'When people reply' })
    await figure.getByText(`Times are in ${zone}.`).waitFor()
    await figure.getByRole('button', { name: 'Show as table' }).click()
    const cells = figure.getByRole('table').getByRole('cell')
    await cells.first().waitFor()
    const shown = (await cells.allInnerTexts()).map(Number)
    expect(shown).toEqual(hours.groups.map(({ replied }) => replied))
    expect(shown).toHaveLength(168)
  })
})
