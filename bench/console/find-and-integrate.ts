import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeDraft } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { Product } from './product.ts'
import { measureSeconds, type Results } from './results.ts'

/** The time between two keys of a fast typist. */
const keyMs = 90

export async function findAndIntegrate(product: Product, results: Results): Promise<void> {
  await find(product, results)
  await integrate(product, results)
}

async function find(product: Product, results: Results): Promise<void> {
  const { api } = product
  const campaign = await makeDraft(api, { name: 'Found people', sendingAccountIds: [] })
  const { page, clicks } = await product.open('test/finder/people')
  await page.getByLabel('Job title').pressSequentially('engineer', { delay: keyMs })
  const table = page.getByRole('table', { name: 'Results' })
  const searching = await measureSeconds(async () => {
    await page.getByRole('button', { name: /^Search \(1 credit/ }).click()
    await table.waitFor()
  })
  results.add({ job: '8 results of a search', seconds: searching, secondsMost: 0.5 })
  const seconds = await measureSeconds(async () => {
    await table.getByRole('button', { name: 'Reveal email (1 credit)' }).first().click()
    await table.getByRole('button', { name: 'Add to campaign' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add to campaign' })
    await dialog.getByLabel('Campaign').selectOption({ label: 'Found people' })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await holds(async () => (await api.campaigns.get(campaign.id)).leadCount === 1)
  })
  // One of the clicks chooses among several campaigns and doesn't count.
  const counted = (await clicks()) - 1
  results.add({ job: '8 found, revealed, added', clicks: { counted, most: 4 }, seconds, secondsMost: null })
  await page.close()
}

async function integrate(product: Product, results: Results): Promise<void> {
  const { api, url } = product
  let status = 500
  const receiver = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { id } = await api.webhooks.create({ url: hook })
  await api.webhooks.test(id, {})
  const { page, clicks } = await product.open('test/developers/keys')
  const key = await measureSeconds(async () => {
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create an API key' })
    await dialog.getByLabel('Name').fill('Reporting')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: 'Copy your API key' }).waitFor()
  })
  results.add({ job: '10 a key', clicks: { counted: await clicks(), most: 2 }, seconds: key, secondsMost: null })

  await page.goto(`${url}/app/test/developers/webhooks`)
  const before = await clicks()
  status = 204
  const again = await measureSeconds(async () => {
    await page.getByRole('link', { name: hook }).click()
    const deliveries = page.getByRole('table', { name: 'Deliveries' })
    await deliveries.getByRole('button', { name: 'Redeliver' }).first().click()
    await deliveries.getByText('succeeded').first().waitFor()
  })
  const delivered = { counted: (await clicks()) - before, most: 2 }
  results.add({ job: '10 delivered again', clicks: delivered, seconds: again, secondsMost: null })
  const advancing = await measureSeconds(async () => {
    await page.getByRole('region', { name: 'Test clock' }).getByRole('button', { name: '+1 day' }).click()
    await page.getByRole('dialog', { name: 'What happened' }).waitFor()
  })
  const counted = (await clicks()) - before - delivered.counted
  results.add({
    job: '10 a day of the test clock',
    clicks: { counted, most: 1 },
    seconds: advancing,
    secondsMost: null,
  })
  await page.close()
  receiver.close()
}
