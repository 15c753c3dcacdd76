import type { Locator } from 'playwright-core'
import type { Campaign } from '@overture/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { enter, reach, write } from '@overture/testing/console/keyboard.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startModelDouble, type ModelDouble } from '@overture/testing/model-double.server.ts'

const subject = 'A word from a model'
/** The draft for the lead in the request. */
const drafted = (request: string) => ({
  text: JSON.stringify({
    subjects: [subject],
    body: [
      `Hello ${/Person \d+/.exec(request)?.[0] ?? 'you'},`,
      'I read about what you do and would like to hear how you find new customers.',
      'Would you have a quarter of an hour for a short call?',
    ].join('\n\n'),
  }),
  pieces: 4,
})
const threeDaysMs = 3 * 86_400_000
const model: ModelDouble = await startModelDouble(drafted)
afterAll(() => model.stop())

const isActive = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement)

describeConsole(
  'without a mouse',
  (world) => {
    let campaign: Campaign
    beforeAll(async () => {
      const { api } = world()
      await api.sandbox.clock.set({ frozen: true })
      campaign = await makeDraft(api, {
        name: 'By hand',
        sendingAccountIds: [],
        leads: [...prospects(2, 'reply'), ...prospects(1, 'interested', 2)],
      })
    })
    const open = async (path: string): Promise<WatchedPage> => {
      const page = await world().page()
      await page.goto(`${world().url}/app/test/${path}`)
      return page
    }
    const firstVariant = async () => (await world().api.campaigns.get(campaign.id)).steps[0]!.variants[0]!

    test('a step is written, previewed, corrected after an error, and saved automatically', async () => {
      const page = await open(`campaigns/${campaign.id}/steps`)
      page.expectProblem(/status of 400|ERR_INTERNET_DISCONNECTED/)
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('Hello Person').first().waitFor()
      await reach(page, page.getByLabel('Preview as'))
      const before = await preview.locator('p').first().innerText()
      await page.keyboard.press('ArrowDown')
      await holds(async () => (await preview.locator('p').first().innerText()) !== before)
      await write(page, page.getByLabel('Subject'), 'Good morning, {{ firstName }}')
      const body = page.getByRole('textbox', { name: 'Body' })
      await write(page, body, 'Hi {{ firstName }} {{ nope }}')
      await preview.getByText('no value for nope').waitFor()
      await write(page, body, 'Hi {{ firstName')
      await holds(async () => (await body.getAttribute('aria-invalid')) === 'true')
      await page
        .getByText(/line 1, column \d+/)
        .first()
        .waitFor()
      await reach(page, page.getByRole('button', { name: 'Review 3 leads' }))
      await write(page, body, ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example.com`).join(' '))
      await page.getByRole('list', { name: 'Hints' }).getByRole('listitem').first().waitFor()
      await page.context().setOffline(true)
      await write(page, page.getByLabel('Subject'), 'From a tunnel')
      await page.getByRole('status').getByText('Not saved', { exact: true }).waitFor()
      await page.context().setOffline(false)
      await holds(async () => (await firstVariant()).subject === 'From a tunnel')
    })

    test('an AI draft is inserted, and a concurrent change is shown for comparison', async () => {
      const page = await open(`campaigns/${campaign.id}/steps`)
      page.expectProblem(/status of 4(00|09)/)
      await enter(page, page.getByRole('button', { name: 'Draft with AI' }))
      const dialog = page.getByRole('dialog', { name: 'Draft with AI' })
      await dialog.getByRole('region', { name: 'Draft' }).getByText(subject).waitFor()
      await enter(page, dialog.getByRole('button', { name: 'Insert' }))
      await holds(async () => (await firstVariant()).subject === subject)
      // The draft was written for one lead and is used for all of them.
      expect((await firstVariant()).body).toContain('Hello {{ firstName }},')

      const { steps } = await world().api.campaigns.get(campaign.id)
      const theirs = steps.map((step, at) =>
        at === 0 ? { ...step, variants: [{ ...step.variants[0]!, subject: 'Theirs' }] } : step,
      )
      await world().api.campaigns.update(campaign.id, { steps: theirs })
      await write(page, page.getByLabel('Subject'), 'Mine')
      const changed = page.getByRole('dialog', { name: 'Changed by someone else' })
      await enter(page, changed.getByRole('button', { name: 'Use theirs' }))
      await holds(async () => (await page.getByLabel('Subject').inputValue()) === 'Theirs')
    })

    test('blockers are fixed, the forecast is read as a table, and the campaign is launched', async () => {
      const { api } = world()
      await makeSender(api)
      const page = await open(`campaigns/${campaign.id}/review`)
      await page.getByRole('heading', { name: 'Before you can launch' }).waitFor()
      await enter(page, page.getByRole('list', { name: 'Blockers' }).getByRole('link').first())
      await page.waitForURL(/\/senders$/)
      await reach(page, page.getByRole('checkbox', { name: 'ada@sender.test' }))
      await page.keyboard.press('Space')
      await enter(page, page.getByRole('button', { name: 'Save' }))
      await holds(async () => (await api.campaigns.get(campaign.id)).sendingAccountIds.length === 1)
      await enter(page, page.getByRole('link', { name: 'Review' }))
      await enter(page, page.getByRole('button', { name: 'Show as table' }))
      await page.getByRole('table', { name: 'Sending calendar' }).waitFor()
      await enter(page, page.getByRole('button', { name: 'Launch to 3' }))
      await page.locator('header').getByText('Active', { exact: true }).waitFor()
    })

    test('the clock is moved and frozen, and the events and new counters are shown', async () => {
      const { api, url } = world()
      const page = await open('')
      const before = Date.parse((await api.sandbox.clock.get()).now)
      const bar = page.getByRole('region', { name: 'Test clock' })
      await enter(page, bar.getByRole('button', { name: '+3 days' }))
      const dialog = page.getByRole('dialog', { name: 'What happened' })
      await dialog.getByRole('table', { name: 'What happened' }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(Date.parse((await api.sandbox.clock.get()).now) - before).toBeGreaterThanOrEqual(threeDaysMs)
      await enter(page, bar.getByRole('button', { name: 'Unfreeze' }))
      await holds(async () => !(await api.sandbox.clock.get()).frozen)
      await enter(page, bar.getByRole('button', { name: 'Freeze', exact: true }))
      await holds(async () => (await api.sandbox.clock.get()).frozen)
      await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
      const { sent } = await api.campaigns.stats(campaign.id)
      expect(sent).toBeGreaterThan(0)
      const counter = page.locator('dl').first().locator('div', { hasText: 'Sent' }).locator('dd')
      await holds(async () => (await counter.innerText()) === String(sent))
    })

    test('conversations are opened, labelled, replied to, undone and archived', async () => {
      const { api } = world()
      const [first] = await api.conversations.list().toArray()
      const page = await open('inbox?view=all')
      await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
      await page.keyboard.press('j')
      const reply = page.getByRole('textbox', { name: 'Reply' })
      await reply.waitFor()
      await page.keyboard.press('l')
      const label = page.getByRole('menuitem', { name: 'Won', exact: true })
      await label.waitFor()
      for (let steps = 0; steps < 12 && !(await isActive(label)); steps++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await holds(async () => (await api.conversations.get(first!.id)).interest === 'won')
      await page.keyboard.press('Escape')
      await reach(page, reply)
      await page.keyboard.type('Let us talk, j and k are letters here.')
      await page.keyboard.press('Control+Enter')
      await page.getByText('Sending in 8 s.').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('z')
      await holds(async () => (await reply.innerText()) === 'Let us talk, j and k are letters here.')
      const written = async () =>
        (await api.conversations.get(first!.id)).messages.filter(({ kind }) => kind === 'manual').length
      await holds(async () => (await written()) === 0)
      await reach(page, reply)
      await page.keyboard.press('Control+Enter')
      await holds(async () => (await written()) === 1)
      await page.keyboard.press('Escape')
      await holds(async () => {
        await page.keyboard.press('e')
        return (await api.conversations.get(first!.id)).archived
      })
    })
  },
  {
    environment: {
      OVERTURE_AI_BASE_URL: model.baseUrl,
      OVERTURE_AI_MODEL: 'tiny',
      OVERTURE_AI_IN_TEST: '1',
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    },
  },
)
