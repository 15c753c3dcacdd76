import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import type { Import } from '@overture/sdk'
import type { Product } from './product.ts'
import { measureSeconds, type Results } from './results.ts'

const rowsImported = 20_000
const keysPressed = 20
const lookMs = 100

export async function importAndWrite(product: Product, results: Results): Promise<void> {
  const { api } = product
  const imported = await makeDraft(api, { name: 'Imported', sendingAccountIds: [] })
  const { page, clicks } = await product.open(`test/campaigns/${imported.id}/leads/import`)
  const rows = Array.from({ length: rowsImported }, (_none, at) =>
    at % 100 === 99 ? `nobody;Person ${at};x` : `person${at}@prospects.test;Person ${at};x`,
  )
  let oldest = 0
  const seconds = await measureSeconds(async () => {
    await page.getByLabel('CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['email;first name;note', ...rows].join('\n')),
    })
    await page.getByLabel('Column note becomes').selectOption({ label: 'Do not import' })
    await page.getByRole('button', { name: 'Import leads' }).click()
    oldest = await ageOfCounts(page, product, imported.id)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows' }).click()
    await downloading
  })
  const counted = await clicks()
  const job = `2 ${rowsImported.toLocaleString('en')} rows, bad ones taken along`
  results.add({ job, clicks: { counted, most: 3 }, seconds, secondsMost: null })
  results.add({ job: '2 the oldest count that was shown', seconds: oldest, secondsMost: 1 })
  await page.close()

  const written = await makeDraft(api, { name: 'Written', sendingAccountIds: [], leads: prospects(20, '', 10) })
  const steps = await product.open(`test/campaigns/${written.id}/steps`)
  const preview = steps.page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Hello Person 10').waitFor()
  await steps.page.getByRole('textbox', { name: 'Body' }).focus()
  const waits: number[] = []
  for (let at = 0; at < keysPressed; at++) {
    const word = `word${String.fromCharCode(97 + at)}`
    await steps.page.keyboard.insertText(word.slice(0, -1))
    await preview.getByText(word.slice(0, -1)).last().waitFor()
    waits.push(
      await measureSeconds(async () => {
        await steps.page.keyboard.type(`${word.at(-1)} `)
        await preview.getByText(word).waitFor()
      }),
    )
  }
  const clicked = { counted: await steps.clicks(), most: 0 }
  results.add({ job: '3 preview after a key, median', clicks: clicked, seconds: middle(waits), secondsMost: 0.3 })
  results.add({ job: '3 preview after a key, longest of 20', seconds: Math.max(...waits), secondsMost: null })
  await steps.page.close()
}

/** The longest time in seconds by which the counts on the page lag behind the API. */
async function ageOfCounts(page: WatchedPage, product: Product, campaignId: string): Promise<number> {
  const status = page.getByRole('status').filter({ hasText: /\d/ }).first()
  const known: { count: number; atMs: number }[] = []
  let oldestMs = 0
  for (;;) {
    const [job] = await listImports(page, product.url, campaignId)
    if (job !== undefined && job.rowsRead > (known.at(-1)?.count ?? -1))
      known.push({ count: job.rowsRead, atMs: performance.now() })
    const statusText = (await status.count()) === 0 ? '' : await status.innerText()
    if (/added/.test(statusText)) return oldestMs / 1000
    const shown = Number(/[\d,]+/.exec(statusText)?.[0].replaceAll(',', '') ?? 0)
    const missed = known.find(({ count }) => count > shown)
    if (missed !== undefined) oldestMs = Math.max(oldestMs, performance.now() - missed.atMs)
    await page.waitForTimeout(lookMs)
  }
}

/** Requests the list with the page's session, which has a higher rate limit than a key. */
async function listImports(page: WatchedPage, url: string, campaignId: string): Promise<Import[]> {
  const answer = await page.context().request.get(`${url}/v2/imports?campaignId=${campaignId}`, {
    headers: { 'x-overture-environment': 'test' },
  })
  return ((await answer.json()) as { results: Import[] }).results
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

const reviews = [
  { count: 1_000, most: 2 },
  { count: 10_000, most: 5 },
]

export async function reviewAndLaunch(product: Product, results: Results): Promise<void> {
  const { api, live, url } = product
  const sender = await makeSender(api, 'launch@sender.test')
  for (const { count, most } of reviews) {
    const leads = prospects(count, `l${count}`)
    const campaign = await makeDraft(api, { name: `Launch ${count}`, sendingAccountIds: [sender.id] })
    for (let at = 0; at < count; at += 1_000)
      await api.campaigns.leads.add(campaign.id, { leads: leads.slice(at, at + 1_000) })
    const { page, clicks } = await product.open(`test/campaigns/${campaign.id}/steps`)
    const link = page.getByRole('link', { name: /^Review [\d,]+ leads/ })
    await link.waitFor()
    const seconds = await measureSeconds(async () => {
      await link.click()
      await page.getByRole('figure', { name: 'Sending calendar' }).waitFor()
    })
    const name = count.toLocaleString('en')
    results.add({
      job: `4 review of ${name} leads`,
      clicks: { counted: await clicks(), most: 1 },
      seconds,
      secondsMost: most,
    })
    const launch = page.getByRole('button', { name: `Launch to ${name}` })
    const before = await clicks()
    const launching = await measureSeconds(async () => {
      await launch.click()
      await page.locator('header').getByText('Active', { exact: true }).waitFor()
    })
    const counted = (await clicks()) - before
    results.add({ job: `4 launch to ${name}`, clicks: { counted, most: 1 }, seconds: launching, secondsMost: null })
    await api.campaigns.pause(campaign.id)
    await page.close()
  }
  await live.account.update({ postalAddress: '1 High Street, London' })
  const mailbox = await live.sendingAccounts.create({
    email: 'live@example.com',
    fromName: 'Live',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: 1, security: 'none' },
  })
  const campaign = await makeDraft(live, {
    name: 'Live',
    sendingAccountIds: [mailbox.id],
    leads: [{ email: 'someone@example.com', firstName: 'Someone' }],
  })
  const { page, clicks } = await product.open(`live/campaigns/${campaign.id}/review`)
  const seconds = await measureSeconds(async () => {
    await page.getByRole('button', { name: 'Launch to 1' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Launch' }).click()
    await holds(async () => (await live.campaigns.get(campaign.id)).status === 'active')
  })
  results.add({ job: '4 launch in live', clicks: { counted: await clicks(), most: 2 }, seconds, secondsMost: null })
  await live.campaigns.pause(campaign.id)
  if (!page.url().startsWith(url)) throw new Error('The page went elsewhere.')
  await page.close()
}
