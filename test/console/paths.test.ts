import type { Campaign, Lead } from '@overture/sdk'
import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const forked = [
  { key: 'hello', variants: [{ subject: 'A question', body: 'Hello {{ firstName }}' }] },
  {
    type: 'branch' as const,
    waitBefore: { value: 1, unit: 'days' as const },
    branches: [
      {
        label: 'Known',
        when: { field: 'company', is: 'equals' as const, value: 'Company 0' },
        goTo: 'fast',
      },
    ],
    then: 'slow',
  },
  {
    key: 'fast',
    waitBefore: { value: 2, unit: 'days' as const },
    variants: [{ body: 'We know each other.' }],
    then: 'end',
  },
  { key: 'slow', waitBefore: { value: 2, unit: 'days' as const }, variants: [{ body: 'Did this reach you?' }] },
]

describeConsole("a lead's path", (world) => {
  const running = async (name: string, steps = forked): Promise<{ campaign: Campaign; leads: Lead[] }> => {
    const { api } = world()
    await api.sandbox.clock.set({ frozen: true })
    const sender = await makeSender(api, `${name.toLowerCase()}@sender.test`)
    const campaign = await makeRunning(api, { name, sendingAccountIds: [sender.id], steps, leads: prospects(2, '') })
    await api.sandbox.clock.advance({ by: '1h' })
    const leads = await api.campaigns.leads.list(campaign.id).toArray()
    return { campaign, leads: leads.sort((a, b) => a.email.localeCompare(b.email)) }
  }
  const whyOf = ({ campaignId, id }: Lead) => `${world().url}/app/test/campaigns/${campaignId}/leads/${id}/why`

  test('shows what the next branch would decide and why, and later its decision', async () => {
    const { api } = world()
    const { leads } = await running('Paths')
    const [known, other] = leads as [Lead, Lead]
    const page = await world().page({ height: 2600 })
    await page.goto(whyOf(known))
    const explained = await api.campaigns.leads.explain(known.campaignId, known.id)
    const [branch] = explained.next!.decision!.branches
    await page.getByText(/is waiting at the branch in step 2. The branch decides on/).waitFor()
    const decision = page.getByRole('list', { name: 'What the branch would decide now' })
    await decision.getByText(branch!.detail).waitFor()
    expect(await decision.getByText('true', { exact: true }).count()).toBe(1)
    await decision.getByText('All others: to step 4').waitFor()
    const path = page.getByRole('list', { name: 'Path' }).getByRole('listitem')
    await path.nth(2).waitFor()
    expect((await path.allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('Step 1, “A question”: sent'),
      expect.stringContaining('Branch, step 2: not decided yet'),
      expect.stringContaining('Step 3'),
    ])
    expect(await page.getByRole('button', { name: 'Send now' }).getAttribute('aria-disabled')).toBe('true')
    expect(await page.accessibility()).toEqual([])
    if (process.env['LOOK'] !== undefined) await page.screenshot({ path: `${process.env['LOOK']}/why.png` })

    await api.sandbox.clock.advance({ by: '25h' })
    await path.filter({ hasText: 'Branch, step 2: Known, to step 3' }).waitFor()
    const [event] = await api.campaigns
      .activity(known.campaignId, { leadId: known.id, type: 'branch.decided' })
      .toArray()
    await path.getByText(String(event!.data['evidence'])).waitFor()
    await page.goto(whyOf(other))
    await path.filter({ hasText: 'Branch, step 2: all others, to step 4' }).waitFor()
  })

  test("at the branch, counts per path are shown as a sentence and as a table like the API's", async () => {
    const { api, url } = world()
    const { campaign } = await running('Counted')
    await api.sandbox.clock.advance({ by: '26h' })
    await holds(async () => (await api.campaigns.analytics(campaign.id)).paths.length === 2)
    const { paths } = await api.campaigns.analytics(campaign.id)
    const page = await world().page({ height: 2600 })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/analytics`)
    const pathList = page.getByRole('list', { name: 'Paths' })
    await pathList.getByText(/^2 leads reached the branch in step 2: .*1 took “Known”/).waitFor()
    const rows = page.getByRole('table', { name: 'Paths' }).getByRole('row')
    expect(await rows.count()).toBe(paths.length + 1)
    for (const { branchId, leads, sent } of paths) {
      const cells = await rows
        .filter({ hasText: branchId === null ? 'all others' : 'Known' })
        .getByRole('cell')
        .allInnerTexts()
      expect(cells.slice(-5, -3)).toEqual([String(leads), String(sent)])
    }
    expect(await page.accessibility()).toEqual([])
    if (process.env['LOOK'] !== undefined) await page.screenshot({ path: `${process.env['LOOK']}/paths.png` })
  })

  test("can be paused until a day in the account's time zone, and is resumed then", async () => {
    const { api } = world()
    const { leads } = await running('Later')
    const [lead] = leads as [Lead, Lead]
    const again = () => api.campaigns.leads.get(lead.campaignId, lead.id)
    const page = await world().page()
    await page.goto(whyOf(lead))
    await page.getByRole('button', { name: 'Pause until…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pause until a date' })
    const pause = dialog.getByRole('button', { name: 'Pause lead' })
    expect(await pause.getAttribute('aria-disabled')).toBe('true')
    page.expectProblem(/status of 400/)
    await dialog.getByLabel('Resume on').fill('2001-01-01')
    await pause.click()
    await holds(async () => (await dialog.locator('[aria-invalid=true]').count()) === 1)
    const now = Date.parse((await api.sandbox.clock.get()).now)
    const day = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Resume on').fill(day)
    await pause.click()
    await page.getByText(/^Paused until (?!someone)/).waitFor()
    expect(await again()).toMatchObject({ status: 'paused', resumeAt: `${day}T00:00:00.000Z` })
    await page.getByRole('button', { name: 'Remove date' }).click()
    await page.getByText('Paused until someone resumes this lead').waitFor()
    expect(await again()).toMatchObject({ status: 'paused', resumeAt: null })
    await page.getByRole('button', { name: 'Set date' }).click()
    await dialog.getByLabel('Resume on').fill(day)
    await pause.click()
    await page.getByText(/^Paused until (?!someone)/).waitFor()
    expect(await page.accessibility()).toEqual([])
    await api.sandbox.clock.advance({ by: '4d' })
    await holds(async () => (await again()).status === 'active')
    await page.getByText(/^Paused until (?!someone)/).waitFor({ state: 'detached' })
  })

  test('ends by a signal in the settings, shown in its history; an invalid name is refused', async () => {
    const { api, url } = world()
    const { campaign, leads } = await running('Signals')
    const [lead] = leads as [Lead, Lead]
    const page = await world().page({ height: 2600 })
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/settings`)
    const names = page.getByLabel('Stop on signals')
    await names.fill('crm.deal_won\nNot A Name')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await holds(async () => (await names.getAttribute('aria-invalid')) === 'true')
    expect(await names.inputValue()).toBe('crm.deal_won\nNot A Name')
    await names.fill('crm.deal_won\nproduct.signed_up')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    const { settings } = await api.campaigns.get(campaign.id)
    expect(settings.stopOnSignals).toEqual(['crm.deal_won', 'product.signed_up'])
    await page.goto(whyOf(lead))
    const history = page.getByRole('list', { name: 'History' })
    await history.waitFor()
    await api.signals.send({ signals: [{ name: 'crm.deal_won', email: lead.email, value: 'big' }] })
    await history.getByText('Signal crm.deal_won: big').waitFor()
    await page.getByText('Stopped by a signal.').waitFor()
    expect(await history.getByText('crm.deal_won').count()).toBe(1)
  })
})

describeConsole('changing a running campaign', (world) => {
  test('shows the effect and the number of moved leads before the change is confirmed', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    const sender = await makeSender(api)
    const campaign = await makeRunning(api, { name: 'Runs', sendingAccountIds: [sender.id], leads: prospects(3, '') })
    await api.sandbox.clock.advance({ by: '1h' })
    const page = await world().page({ height: 2600 })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('region', { name: 'Step 2', exact: true }).getByRole('heading').getByRole('button').click()
    await page.getByRole('button', { name: 'Remove step' }).click()
    await page.getByRole('button', { name: 'Apply to unsent messages' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Effects of this change' })
    await dialog.getByText('3 leads have no next message anymore instead of the old step 2.').waitFor()
    await dialog.getByText('0 upcoming messages instead of 3.').waitFor()
    await dialog.getByText('person0@prospects.test').waitFor()
    expect(await page.accessibility()).toEqual([])
    if (process.env['LOOK'] !== undefined) await page.screenshot({ path: `${process.env['LOOK']}/dry-run.png` })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    const before = await api.campaigns.get(campaign.id)
    expect([before.status, before.steps.length]).toEqual(['active', 2])
    expect((await api.campaigns.leads.list(campaign.id, { status: 'active' }).toArray()).length).toBe(3)
    await page.getByRole('button', { name: 'Apply to unsent messages' }).click()
    await dialog.getByRole('button', { name: 'Pause, apply and resume' }).click()
    await holds(
      async () => (await api.campaigns.leads.list(campaign.id, { status: 'completed' }).toArray()).length === 3,
    )
    expect((await api.campaigns.get(campaign.id)).steps).toHaveLength(1)
    await page.getByText('Change applied').waitFor()
    expect((await api.campaigns.get(campaign.id)).status).not.toBe('paused')
  })

  test('changed texts are saved at once; a limit with effects on the forecast asks first', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'limits@sender.test')
    const campaign = await makeRunning(api, {
      name: 'Limits',
      sendingAccountIds: [sender.id],
      leads: prospects(6, '', 20),
    })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByLabel('Subject').fill('Other words')
    await page.getByRole('button', { name: 'Apply to unsent messages' }).click()
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.subject === 'Other words')
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/settings`)
    await page.getByLabel('Messages per day').fill('1')
    await page.getByRole('button', { name: 'Save settings' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Effects of this change' })
    await dialog.getByText('The next step of every lead stays the same.').waitFor()
    await dialog.getByText(/^It finishes on .* instead of/).waitFor()
    expect((await api.campaigns.get(campaign.id)).settings.dailyLimit).toBeNull()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await holds(async () => (await api.campaigns.get(campaign.id)).settings.dailyLimit === 1)
  })
})
