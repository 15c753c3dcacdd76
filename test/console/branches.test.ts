import type { Campaign, Step } from '@overture/sdk'
import { expect, test } from 'vitest'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { enter, reach, write } from '@overture/testing/console/keyboard.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const forked = [
  { key: 'hello', variants: [{ subject: 'A question', body: 'Hello {{ firstName }}' }] },
  {
    type: 'branch' as const,
    waitBefore: { value: 3, unit: 'days' as const },
    branches: [
      { label: 'Clicked', when: { did: 'clicked' as const, stepId: 'hello' }, goTo: 'fast', immediately: true },
      {
        label: 'Big',
        when: { all: [{ field: 'company', is: 'exists' as const }, { not: { interest: ['lost' as const, null] } }] },
        goTo: 'big',
      },
    ],
    then: 'slow',
  },
  { key: 'fast', variants: [{ body: 'You had a look.' }], then: 'end' },
  { key: 'big', variants: [{ body: 'You are many.' }], then: 'slow' },
  { key: 'slow', variants: [{ body: 'Did this reach you?' }] },
]

describeConsole('the editor of branches', (world) => {
  const open = async (campaign: Campaign, options = {}): Promise<WatchedPage> => {
    // The window is tall enough that no element is covered by a sticky bar.
    const page = await world().page({ height: 3200, ...options })
    await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('heading', { name: /^Step 1/ }).waitFor()
    return page
  }
  const stepsOf = async ({ id }: Campaign): Promise<Step[]> => (await world().api.campaigns.get(id)).steps
  const saved = async (campaign: Campaign, look: (steps: Step[]) => boolean): Promise<void> =>
    holds(async () => look(await stepsOf(campaign)))
  const headOf = (page: WatchedPage, step: number) =>
    page
      .getByRole('region', { name: `Step ${step}`, exact: true })
      .getByRole('heading')
      .getByRole('button')

  test('adds a branch, its wait, condition and step by keyboard alone', async () => {
    const campaign = await makeDraft(world().api, { name: 'By keyboard', sendingAccountIds: [] })
    const page = await open(campaign)
    await reach(page, headOf(page, 1))
    await page.keyboard.press('b')
    await saved(campaign, (steps) => steps[1]?.type === 'branch')
    // The new step has the focus.
    await holds(() => headOf(page, 2).evaluate((head) => head === head.ownerDocument.activeElement))
    await write(page, page.getByLabel('Decide after'), '5')
    const way = page.getByRole('region', { name: 'Path A' })
    await write(page, way.getByLabel('Name'), 'Large')
    const large = page.getByRole('region', { name: 'Path Large' })
    await reach(page, large.getByLabel('Field', { exact: true }))
    await page.keyboard.type('jobT')
    await reach(page, large.getByLabel('Comparison'))
    await page.keyboard.type('is one')
    await write(page, large.getByLabel('Value'), 'acme, initech')
    await saved(campaign, (steps) => {
      const { waitBefore, branches } = steps[1]!
      return waitBefore.value === 5 && branches[0]!.label === 'Large' && Array.isArray(branches[0]!.when.value)
    })
    expect((await stepsOf(campaign))[1]).toMatchObject({
      waitBefore: { value: 5, unit: 'days' },
      branches: [{ when: { field: 'jobTitle', is: 'in', value: ['acme', 'initech'] }, goTo: null }],
      then: null,
    })
    await enter(page, large.getByRole('button', { name: 'Add a step to this path' }))
    await holds(() => headOf(page, 3).evaluate((head) => head === head.ownerDocument.activeElement))
    await page.getByRole('region', { name: 'Step 3', exact: true }).getByText('only Large (step 2)').waitFor()
    await reach(page, page.getByRole('textbox', { name: 'Body' }))
    await page.keyboard.insertText('For large ones.')
    await saved(campaign, (steps) => steps.length === 4)
    const [, branch, added, last] = await stepsOf(campaign)
    expect(branch).toMatchObject({ branches: [{ goTo: null }], then: last!.id })
    expect(added!.variants[0]!.body).toBe('For large ones.')

    // Moves the step out of the branch and back in, then up and down.
    await reach(page, headOf(page, 3))
    await page.keyboard.press('Alt+ArrowLeft')
    await saved(campaign, (steps) => steps[1]!.then === null)
    await page.keyboard.press('Alt+ArrowRight')
    await saved(campaign, (steps) => steps[1]!.then === last!.id)
    await page.keyboard.press('Alt+ArrowUp')
    await saved(campaign, (steps) => steps[1]!.id === added!.id && steps[2]!.type === 'branch')
    await holds(() => headOf(page, 2).evaluate((head) => head === head.ownerDocument.activeElement))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await saved(campaign, (steps) => steps.every(({ type }) => type === 'email'))
  })

  test('undo restores every change with its texts, also saved ones', async () => {
    const campaign = await makeDraft(world().api, { name: 'Taken back', sendingAccountIds: [], steps: forked })
    const before = await stepsOf(campaign)
    const page = await open(campaign)
    await headOf(page, 2).click()
    await page.getByRole('button', { name: 'Remove step' }).click()
    await saved(campaign, (steps) => steps.length === 4)
    await headOf(page, 1).focus()
    await page.keyboard.press('Control+z')
    await saved(campaign, (steps) => steps.length === 5)
    const after = await stepsOf(campaign)
    const plain = ({ type, waitBefore, branches }: Step) => ({
      type,
      waitBefore,
      branches: branches.map(({ label, when, immediately, goTo }) => ({ label, when, immediately, goTo })),
    })
    expect(after.map(plain)).toEqual(before.map(plain))
    // The remaining steps keep their ids, so no lead loses its position.
    expect(after.map(({ id }) => id).filter((id) => before.some((step) => step.id === id))).toHaveLength(4)
    const undo = page.locator('main').getByRole('button', { name: 'Undo', exact: true })
    expect(await undo.getAttribute('aria-disabled')).toBe('true')
    // Removing all steps of a branch makes the branch continue with the step behind them.
    await headOf(page, 3).click()
    await page.getByRole('button', { name: 'Remove step' }).click()
    await saved(campaign, (steps) => steps.length === 4 && steps[1]!.branches[0]!.goTo === 'end')
    await undo.click()
    await saved(campaign, (steps) => steps.length === 5)
  })

  test('shows refusals at their fields, loses no input, and saves after a correction', async () => {
    const campaign = await makeDraft(world().api, { name: 'Refused', sendingAccountIds: [], steps: forked })
    const page = await open(campaign)
    page.expectProblem(/status of 400/)
    await headOf(page, 2).click()
    const way = page.getByRole('region', { name: 'Path Clicked' })
    await way.getByLabel('Check', { exact: true }).selectOption('signal')
    const name = way.getByLabel('Signal name')
    await name.fill('Not A Name')
    await holds(async () => (await name.getAttribute('aria-invalid')) === 'true')
    await way.getByLabel('Within the last days').fill('0')
    await holds(async () => (await way.locator('[aria-invalid=true]').count()) === 2)
    await page.getByText('Has errors').waitFor()
    expect(await name.inputValue()).toBe('Not A Name')
    // The heading of a closed step still shows that the step has an error.
    await headOf(page, 1).click()
    await page.getByRole('region', { name: 'Step 2', exact: true }).getByText('Has errors').waitFor()
    await page.getByRole('alert').getByText('steps[1].branches[0].when.signal').waitFor()
    await headOf(page, 2).click()
    await name.fill('crm.deal_won')
    await way.getByLabel('Within the last days').fill('30')
    await page.getByText(/^Saved \d/).waitFor()
    expect((await stepsOf(campaign))[1]!.branches[0]!.when).toEqual({ signal: 'crm.deal_won', withinDays: 30 })
    await page.getByRole('region', { name: 'Path Clicked' }).getByLabel('Clicked: go to').selectOption('end')
    await saved(campaign, (steps) => steps[1]!.branches[0]!.goTo === 'end')
    await page.getByRole('region', { name: 'Step 3', exact: true }).getByText('No path leads here').waitFor()
  })

  test('reports a condition that can never match at its place until it can', async () => {
    const { api } = world()
    const sender = await makeSender(api, 'never@sender.test')
    const campaign = await makeDraft(api, {
      name: 'Never',
      sendingAccountIds: [sender.id],
      steps: forked,
      leads: prospects(1, '', 80),
    })
    const page = await open(campaign)
    const region = page.getByRole('region', { name: 'Step 2', exact: true })
    await region.getByText('Can never match').waitFor()
    await headOf(page, 2).click()
    await page.getByRole('region', { name: 'Path Clicked' }).getByText('links are not tracked').waitFor()
    expect(await page.getByRole('region', { name: 'Path Big' }).getByText('can never match').count()).toBe(0)
    await api.campaigns.update(campaign.id, { settings: { linkTracking: true } })
    await page.reload()
    await headOf(page, 2).click()
    await page.getByRole('region', { name: 'Path Clicked' }).waitFor()
    await holds(async () => (await page.getByText('Can never match').count()) === 0)
  })

  test.each([
    [1280, false],
    [1280, true],
    [390, false],
    [390, true],
  ])('is accessible and fits at %i px, dark %s, with everything open', async (width, dark) => {
    const campaign = await makeDraft(world().api, { name: 'Clean', sendingAccountIds: [], steps: forked })
    const page = await open(campaign, { width, dark })
    await headOf(page, 2).click()
    await page.getByRole('region', { name: 'All others' }).waitFor()
    expect(await page.accessibility()).toEqual([])
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(over)).toBe(0)
    if (process.env['LOOK'] !== undefined)
      await page.screenshot({
        path: `${process.env['LOOK']}/branches-${width}${dark ? '-dark' : ''}.png`,
        fullPage: true,
      })
  })
})
