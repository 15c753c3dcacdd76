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
    await table.getByRole('columnheader', { name: 'Replied, of delivered' }).waitFor()
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

  test('shows the same reply rate of a campaign on each page, and the last thirty days on Home', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'bea@sender.test')
    const campaign = await makeRunning(api, {
      name: 'One rate',
      sendingAccountIds: [sender.id],
      leads: [...prospects(4, 'reply', 200), ...prospects(16, '', 300)],
      steps: [
        { variants: [{ subject: 'Hello', body: 'Shall we talk?' }] },
        { waitBefore: { value: 1, unit: 'days' }, variants: [{ body: 'Just a reminder.' }] },
      ],
    })
    await api.sandbox.clock.advance({ by: '5d' })
    const { contacted, sent, uniqueReplied, rates } = await api.campaigns.stats(campaign.id)
    expect([contacted, uniqueReplied, rates.reply < 0.2]).toEqual([20, 4, true])

    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns`)
    const row = (name: string) => page.getByRole('table', { name }).getByRole('row').filter({ hasText: 'One rate' })
    await row('Campaigns').getByText('4 · 20%').waitFor()
    expect(await row('Campaigns').innerText()).toContain('20 of 20 contacted')
    expect(await row('Campaigns').innerText()).toContain(String(sent))
    await page.goto(`${url}/app/test/campaigns/${campaign.id}`)
    await page.getByText('Percentages are shares of the people contacted (20).').waitFor()
    expect(await page.getByRole('main').innerText()).toContain('20%')
    await page.goto(`${url}/app/test/analytics`)
    await row('By campaign').getByText('20%').waitFor()
    await page.goto(`${url}/app/test`)
    const days = page.getByRole('figure', { name: 'Over time' })
    await days.getByRole('button', { name: 'Show as table' }).click()
    const rows = days.getByRole('table').getByRole('row')
    await rows.nth(30).waitFor()
    expect(await rows.count()).toBe(31)
  })

  test('an activity has its hour in the zone of the campaign, and a first mail is one line', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'cleo@sender.test')
    const campaign = await makeRunning(api, {
      name: 'Hours',
      sendingAccountIds: [sender.id],
      leads: prospects(1, '', 500),
      timezone: zone,
    })
    await api.sandbox.clock.advance({ by: '3d' })
    const { results } = await api.campaigns.activity(campaign.id, { type: 'message.sent' }).page()
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}`)
    const lines = page.getByRole('list', { name: 'Activity' }).getByRole('listitem')
    const first = lines.filter({ hasText: 'Sent' })
    await first.first().waitFor()
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
    expect(await first.last().innerText()).toContain(hour.format(new Date(results.at(-1)!.occurredAt)))
    expect(await lines.filter({ hasText: 'Lead status changed' }).count()).toBeLessThan((await lines.count()) - 1)
  })
})
