import { setTimeout as sleep } from 'node:timers/promises'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { Product } from './product.ts'
import { measureSeconds, type Results } from './results.ts'

const conversations = 20

export async function triageAndWhy(product: Product, results: Results): Promise<void> {
  const { api, url } = product
  const sender = await makeSender(api, 'triage@sender.test')
  const campaign = await makeRunning(api, {
    name: 'Answered',
    sendingAccountIds: [sender.id],
    leads: prospects(conversations, 'reply', 300),
  })
  await api.sandbox.clock.advance({ by: '2d' })
  const { page, clicks } = await product.open(`test/inbox?view=all&campaignId=${campaign.id}`)
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
  const seconds = await measureSeconds(async () => {
    await page.keyboard.press('j')
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
    let before = ''
    for (let decided = 0; decided < conversations; decided++) {
      await holds(async () => page.url() !== before)
      before = page.url()
      await page.keyboard.press('i')
      await page.keyboard.press('e')
    }
    await untilAllDecided(product, campaign.id)
  })
  const counted = await clicks()
  results.add({
    job: '6 twenty replies labelled and archived by keys',
    clicks: { counted, most: 0 },
    seconds,
    secondsMost: 180,
  })

  await page.goto(`${url}/app/test`)
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const why = await measureSeconds(async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await page.keyboard.type('person305+reply@prospects.test')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Gates' }).waitFor()
  })
  results.add({
    job: '7 why, by the palette',
    clicks: { counted: await clicks(), most: 0 },
    seconds: why,
    secondsMost: null,
  })
  await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
  const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: 'person306+' })
  await row.waitFor()
  const fromList = await measureSeconds(async () => {
    await row.getByRole('link').last().click()
    await page.getByRole('table', { name: 'Gates' }).waitFor()
  })
  results.add({
    job: '7 why, from a list',
    clicks: { counted: await clicks(), most: 1 },
    seconds: fromList,
    secondsMost: null,
  })
  const before = await clicks()
  await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
  const tab = page.getByRole('navigation', { name: 'Campaign' }).getByRole('link', { name: 'Analytics' })
  await tab.waitFor()
  const worked = await measureSeconds(async () => {
    await tab.click()
    await page.getByRole('table', { name: 'Variants' }).waitFor()
  })
  const clicked = (await clicks()) - before
  results.add({ job: '9 what worked', clicks: { counted: clicked, most: 1 }, seconds: worked, secondsMost: null })
  await page.close()
}

/** Polls the API until the last conversation is decided, since the page has no next conversation to wait for. */
async function untilAllDecided({ api }: Product, campaignId: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const { results } = await api.conversations.list({ campaignId, archived: true }).page()
    if (results.filter(({ interest }) => interest === 'interested').length === conversations) return
    await sleep(500)
  }
  throw new Error('Not each of them was labelled and archived.')
}
