import type { Campaign } from '@overture/sdk'
import { beforeEach, expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the texts of steps', (world) => {
  let campaign: Campaign
  let page: WatchedPage
  beforeEach(async () => {
    const leads = prospects(2, '').map((lead) => ({ ...lead, customVariables: { Plan: 'pro' } }))
    campaign = await makeDraft(world().api, { name: 'Texts', sendingAccountIds: [], leads })
    page = await world().page()
    await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/steps`)
  })
  const subject = () => page.getByLabel('Subject')
  const body = () => page.getByRole('textbox', { name: 'Body' })
  const write = async (text: string): Promise<void> => {
    await body().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }
  const saved = async (step = 0) => (await world().api.campaigns.get(campaign.id)).steps[step]!.variants[0]!
  const keptNote = () => page.getByRole('status').getByText(/except the text with an error/)

  test('say that no model can write them', async () => {
    await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/texts`)
    await page.getByRole('status').getByText('No AI model is connected').waitFor()
  })

  test('keep what does not parse after a reload, while the other steps are saved', async () => {
    page.expectProblem(/status of 400/)
    await subject().fill('Closing the loop, {{firstName|there}}')
    await page.getByText('A fallback is written {{ firstName | default: "there" }}.').first().waitFor()
    await keptNote().waitFor()
    await page.getByRole('region', { name: 'Step 2' }).getByRole('button').first().click()
    await write('Saved beside it, {{ firstName }}')
    await holds(async () => (await saved(1)).body === 'Saved beside it, {{ firstName }}')
    expect((await saved()).subject).toBe('Hello {{ firstName }}')
    expect(await page.getByText(/undefined filter|Copy request id/).count()).toBe(0)
    const review = page.getByRole('button', { name: 'Review 2 leads' })
    expect(await review.getAttribute('aria-disabled')).toBe('true')

    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.waitForURL(/\/leads$/)
    await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/steps`)
    await keptNote().waitFor()
    expect(await subject().inputValue()).toBe('Closing the loop, {{firstName|there}}')
    await page.getByRole('button', { name: 'Change it for me' }).click()
    expect(await subject().inputValue()).toBe('Closing the loop, {{ firstName | default: "there" }}')
    await holds(async () => (await saved()).subject === 'Closing the loop, {{ firstName | default: "there" }}')
    await page.reload()
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
  })

  test('have words for an error at its place, and no praise beside it', async () => {
    page.expectProblem(/status of 400/)
    const hints = page.getByRole('region', { name: 'Hints' })
    await write('')
    await hints.getByText('Hints appear when there is a text.').waitFor()
    await write('Hello {{ firstName')
    await page.getByText('{{ firstName is not closed. Write }} after the name. (line 1, column 7)').first().waitFor()
    await hints.getByText('Fix the error in the text first.').waitFor()
    expect(await hints.getByText('No hints.').count()).toBe(0)
  })

  test('know the names of fields and columns, and propose one for an unknown name', async () => {
    await write('Hello {{ FIRST_NAME }}, you have {{ plan }}.')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Hello Person 0, you have pro.').waitFor()
    expect(await page.locator('[class*=unknownName]').count()).toBe(0)
    await write('Hello {{ frstName }}, you have {{ plan }}.')
    await page.getByText('No lead has a value for frstName. Did you mean firstName?').first().waitFor()
    await page.locator('[class*=unknownName]', { hasText: 'frstName' }).waitFor()
    await page.getByRole('button', { name: 'Change it for me' }).click()
    await preview.getByText('Hello Person 0, you have pro.').waitFor()
    expect(await page.locator('[class*=unknownName]').count()).toBe(0)
  })

  test('of a running campaign are kept, too, if they are refused', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, `${campaign.id}@sender.test`)
    const running = await makeRunning(api, {
      name: 'Running texts',
      sendingAccountIds: [sender.id],
      leads: prospects(1, 'running', 70),
    })
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${running.id}/steps`)
    await subject().fill('Hi {{ firstName')
    await page.getByRole('button', { name: 'Apply to unsent messages' }).click()
    await page.getByRole('alert').getByText('Fix the errors in the texts first.').waitFor()
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(/\/leads$/)
    await page.goto(`${url}/app/test/campaigns/${running.id}/steps`)
    await holds(async () => (await subject().inputValue()) === 'Hi {{ firstName')
  })
})
