import { beforeAll, expect, test } from 'vitest'
import type { Analytics, Campaign } from '@overture/sdk'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const days = (value: number) => ({ value, unit: 'days' as const })

describeConsole('the picture of a sequence', (world) => {
  let campaign: Campaign
  let senderId: string
  let analytics: Analytics
  beforeAll(async () => {
    const { api } = world()
    senderId = (await makeSender(api)).id
    campaign = await makeRunning(api, {
      name: 'Looked at it',
      sendingAccountIds: [senderId],
      leads: [...prospects(5, 'open'), ...prospects(7, '', 5)],
      steps: forked,
      settings: { openTracking: true },
    })
    await api.sandbox.clock.advance({ by: '2d' })
    await api.sandbox.clock.set({ frozen: true })
    analytics = await api.campaigns.analytics(campaign.id)
  })

  test('shows each step and path with its condition and its counts, for screen readers as a list', async () => {
    const page = await world().page()
    const scripts: string[] = []
    page.on('request', (request) => void scripts.push(request.url()))
    await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('region', { name: 'Step 1' }).waitFor()
    const ofPicture = () => scripts.filter((url) => /picture\.panel/.test(url))
    expect(ofPicture()).toEqual([])
    await page.getByRole('button', { name: 'Picture' }).click()
    const picture = page.getByRole('img', { name: 'Picture of the sequence with 4 steps' })
    await picture.waitFor()
    expect(ofPicture().length).toBeGreaterThan(0)
    await page.waitForURL((address) => address.searchParams.get('view') === 'picture')
    await picture.getByText('waiting').first().waitFor({ state: 'attached' })

    const [hello, fork, looked, again] = analytics.steps
    const [opened, others] = analytics.paths
    expect([fork!.waiting, opened!.leads, others!.leads, again!.waiting]).toEqual([0, 5, 7, 7])
    const boxes = await picture.locator('foreignObject > div').allInnerTexts()
    expect(boxes.map((words) => words.replaceAll(/\s+/g, ' ').trim()).toSorted()).toEqual(
      [
        `1. Email Immediately A 75% · A question B 25% · Another one ${counts(hello!)}`,
        '2. Branch decides after 1 day 0 waiting',
        'Opened opened a message (step 1) 5 leads',
        'All others 7 leads',
        `3. Email after 1 day Shall I show you? ${counts(looked!)}`,
        `4. Call after 3 days Call them ${again!.waiting} waiting 0 done 0 skipped`,
        'End',
        'End',
      ].toSorted(),
    )
    expect(await picture.locator('path').count()).toBe(2 * lines)

    const list = page.getByRole('list', { name: 'The picture as a list' })
    expect(await list.locator('> li').count()).toBe(4)
    const words = (await list.innerText()).replaceAll(/\s+/g, ' ')
    expect(words).toContain('Path Opened, opened a message (step 1), 5 leads. Then step 3.')
    expect(words).toContain('Path All others, 7 leads. Then step 4.')
    expect(words).toContain('Then the end.')
    await page.getByRole('button', { name: 'List' }).click()
    await page.getByRole('region', { name: 'Step 1' }).waitFor()
  })

  test('is moved and zoomed by keyboard, wheel and pointer, and shown as a whole', async () => {
    const page = await openPicture(world().url, await world().page(), campaign.id)
    const frame = page.getByRole('group', { name: /^Picture of the sequence/ })
    await frame.focus()
    let before = await placeOf(page)
    const after = async (): Promise<Place> => {
      const old = before
      await holds(async () => JSON.stringify(await placeOf(page)) !== JSON.stringify(old))
      before = await placeOf(page)
      return before
    }
    const first = before
    await page.keyboard.press('+')
    expect((await after()).width / first.width).toBeCloseTo(1.25)
    await page.keyboard.press('-')
    expect((await after()).width).toBeCloseTo(first.width)
    await page.keyboard.press('ArrowRight')
    expect((await after()).x).toBeCloseTo(first.x - 60)
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 40)
    expect((await after()).y).toBeCloseTo(first.y - 40)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -350)
    await page.keyboard.up('Control')
    expect((await after()).width / first.width).toBeCloseTo(2)
    const dragged = before
    await page.mouse.down()
    await page.mouse.move(720, 470)
    await page.mouse.up()
    await after()
    expect([before.x - dragged.x, before.y - dragged.y]).toEqual([expect.closeTo(20), expect.closeTo(-30)])
    await page.getByRole('button', { name: 'Show all' }).click()
    await after()
    const outer = (await frame.boundingBox())!
    expect(before.x).toBeGreaterThanOrEqual(outer.x)
    expect(before.y).toBeGreaterThanOrEqual(outer.y)
    expect(before.x + before.width).toBeLessThanOrEqual(outer.x + outer.width)
    expect(before.y + before.height).toBeLessThanOrEqual(outer.y + outer.height)
    // The whole picture follows the size of the window.
    await page.setViewportSize({ width: 390, height: 844 })
    await holds(async () => {
      const [inner, narrow] = [await placeOf(page), (await frame.boundingBox())!]
      return narrow.width < outer.width && inner.x >= narrow.x && inner.x + inner.width <= narrow.x + narrow.width
    })
  })

  test.each([
    { width: 1280, height: 860, dark: true },
    { width: 390, height: 844, dark: false },
  ])('is accessible at $width px, and printed alone on one page', async (options) => {
    const page = await openPicture(world().url, await world().page(options), campaign.id)
    expect(await page.accessibility()).toEqual([])
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(over).toBe(0)
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)
    expect(pages).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    const { x, y, width, height } = await placeOf(page)
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(options.width)
    expect(y + height).toBeLessThanOrEqual(options.height)
    await page.getByText('Sequence of Looked at it').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('button').count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
  })

  test('shows steps that are not saved yet, and fifty steps one above the other', async () => {
    const { api, url } = world()
    const steps = Array.from({ length: 49 }, (_none, at) => ({
      waitBefore: days(at === 0 ? 0 : 1),
      variants: [{ subject: at === 0 ? 'Hello' : '', body: 'Hello' }],
    }))
    const draft = await makeDraft(api, { name: 'Long', sendingAccountIds: [senderId], steps })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${draft.id}/steps`)
    await page.getByRole('button', { name: 'Add step', exact: true }).click()
    await page.getByRole('button', { name: 'Picture' }).click()
    const picture = page.getByRole('img', { name: 'Picture of the sequence with 50 steps' })
    await picture.getByText('No text yet').waitFor({ state: 'attached' })
    const tops = await picture
      .locator('foreignObject')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('y'))))
    expect(tops).toHaveLength(51)
    expect(tops).toEqual(tops.toSorted((one, two) => one - two))
    expect(new Set(tops).size).toBe(51)
  })
})

/** The first step, both paths of the branch, their targets, and the two ends. */
const lines = 7

const forked = [
  {
    key: 'hello',
    variants: [
      { label: 'A', weight: 3, subject: 'A question', body: 'Hello {{ firstName }}' },
      { label: 'B', weight: 1, subject: 'Another one', body: 'Hello {{ firstName }}' },
    ],
  },
  {
    type: 'branch' as const,
    waitBefore: days(1),
    branches: [{ label: 'Opened', when: { did: 'opened' as const, stepId: 'hello' }, goTo: 'looked' }],
    then: 'again',
  },
  { key: 'looked', waitBefore: days(1), variants: [{ body: 'Shall I show you?' }], then: 'end' },
  {
    key: 'again',
    type: 'task' as const,
    channel: 'call' as const,
    title: 'Call them',
    waitBefore: days(3),
    dueIn: days(1),
  },
]

function counts({ waiting, sent, uniqueReplied }: Analytics['steps'][number]): string {
  return `${waiting} waiting ${sent} sent ${uniqueReplied} replied`
}

async function openPicture(url: string, page: WatchedPage, campaignId: string): Promise<WatchedPage> {
  await page.goto(`${url}/app/test/campaigns/${campaignId}/steps?view=picture`)
  const picture = page.getByRole('img', { name: /^Picture of the sequence/ })
  await picture.getByText('waiting').first().waitFor({ state: 'attached' })
  return page
}

interface Place {
  x: number
  y: number
  width: number
  height: number
}

async function placeOf(page: WatchedPage): Promise<Place> {
  return (await page.getByRole('img', { name: /^Picture of the sequence/ }).boundingBox())!
}
