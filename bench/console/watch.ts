import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import type { Product } from './product.ts'
import { measureSeconds, type Results } from './results.ts'

const answers = 10

/** Measures how soon the page shows events without a reload, and how soon a campaign stops. */
export async function watch(product: Product, results: Results): Promise<void> {
  const { api } = product
  await api.sandbox.clock.set({ frozen: true })
  const sender = await makeSender(api, 'watch@sender.test')
  const campaign = await makeRunning(api, {
    name: 'Watched',
    sendingAccountIds: [sender.id],
    leads: prospects(answers, 'watched'),
  })
  await api.sandbox.clock.advance({ by: '1h' })
  const leads = await api.campaigns.leads.list(campaign.id).toArray()
  const { page, clicks } = await product.open(`test/campaigns/${campaign.id}/overview`)
  const activity = page.getByRole('list', { name: 'Activity' })
  await activity.getByText('Sent').first().waitFor()
  const waits: number[] = []
  for (const { id, email } of leads) {
    await api.sandbox.inbound({ leadId: id, kind: 'reply', text: 'Tell me more.' })
    // The API responds after the commit, so this measures only the delay of the page.
    const line = activity.getByRole('listitem').filter({ hasText: email }).filter({ hasText: 'Replied' })
    waits.push(await measureSeconds(() => line.first().waitFor()))
  }
  results.add({ job: '5 a reply is seen after its commit, longest of 10', seconds: Math.max(...waits), secondsMost: 1 })
  const more = await makeRunning(api, { name: 'To stop', sendingAccountIds: [sender.id], leads: prospects(2, 'stop') })
  await page.goto(`${product.url}/app/test/campaigns/${more.id}/overview`)
  const before = await clicks()
  const seconds = await measureSeconds(async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('header').getByText('Paused', { exact: true }).waitFor()
  })
  const counted = (await clicks()) - before
  results.add({ job: '5 pause', clicks: { counted, most: 1 }, seconds, secondsMost: null })
  await page.close()
}
