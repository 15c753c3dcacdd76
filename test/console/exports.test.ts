import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { exportTables } from '@overture/contract/exports/exports.ts'
import { prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('exports of the account', (world) => {
  test('an export is started, followed until it is ready, downloaded and deleted', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Spring' })
    const leads = prospects(40, '')
    await api.campaigns.leads.add(campaign.id, { leads })
    const page = await world().page()
    await page.goto(`${url}/app/test/settings/account`)
    await page.getByRole('link', { name: 'Export data' }).click()
    await page.getByRole('heading', { name: 'No exports yet' }).waitFor()
    const start = page.getByRole('main').getByRole('button', { name: 'Export data' })

    await page.getByLabel('Data', { exact: true }).selectOption({ label: 'Only some data' })
    await page.getByText('Choose at least one kind of data.').waitFor()
    expect(await start.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Leads', { exact: true }).check()
    await page.getByLabel('Campaigns', { exact: true }).check()
    await page.getByLabel('Format').selectOption({ label: 'NDJSON, for programs: one JSON object per line' })
    await start.click()
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByText(/^The files can be downloaded until .* UTC\. Then they are deleted\.$/).waitFor()

    const [done] = await api.exports.list().toArray()
    expect(done).toMatchObject({ status: 'completed', format: 'ndjson' })
    expect(done!.files.map(({ table, rows }) => [table, rows])).toEqual([
      ['campaigns', 1],
      ['leads', 40],
    ])
    const table = page.getByRole('table', { name: '2 files' })
    const row = table.getByRole('row').filter({ hasText: 'Leads' })
    expect(await row.innerText()).toContain('40')
    const loading = page.waitForEvent('download')
    await row.getByRole('link', { name: 'Download Leads' }).click()
    const file = await loading
    expect(file.suggestedFilename()).toBe('leads.ndjson')
    const content = await readFile(await file.path())
    const rows = content
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string })
    expect(rows.map(({ email }) => email).toSorted()).toEqual(leads.map(({ email }) => email).toSorted())
    await row.getByRole('button', { name: 'Copy the SHA-256 of Leads' }).click()
    await row.getByText('Copied').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(createHash('sha256').update(content).digest('hex'))

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No exports yet' }).waitFor()
    expect(await api.exports.list().toArray()).toEqual([])
  })

  test('rows are chosen by days of the account’s time zone, and a wrong range is explained at its field', async () => {
    const { api, live, url } = world()
    await live.account.update({ defaultTimezone: 'America/New_York' })
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/settings/export`)
    await page.getByText('Time zone: America/New_York.').waitFor()
    const start = page.getByRole('main').getByRole('button', { name: 'Export data' })
    await page.getByLabel('Created from').fill('2026-03-10')
    await page.getByLabel('Created until').fill('2026-03-01')
    await start.click()
    await page.getByText('Must be later than from.').waitFor()
    expect(await page.getByLabel('Created until').getAttribute('aria-invalid')).toBe('true')
    // New York is at UTC-5 on the first day, and at UTC-4 after the last one.
    await page.getByLabel('Created from').fill('2026-03-01')
    await page.getByLabel('Created until').fill('2026-03-10')
    await start.click()
    await page.getByText('Ready', { exact: true }).waitFor()
    const [done] = await api.exports.list().toArray()
    expect(done).toMatchObject({ from: '2026-03-01T05:00:00.000Z', to: '2026-03-11T04:00:00.000Z' })
    expect(done!.files.map(({ table }) => table)).toEqual([...exportTables])
    await page.getByText('Must be later than from.').waitFor({ state: 'detached' })
  })

  test('what is typed before the role of the user is known stays', async () => {
    const page = await world().page()
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/v2/me', async (route) => {
      await released
      return route.continue()
    })
    await page.goto(`${world().url}/app/test/settings/export`)
    await page.getByLabel('Created from').fill('2026-03-10')
    release()
    await page.getByText('Ready', { exact: true }).first().waitFor()
    expect(await page.getByLabel('Created from').inputValue()).toBe('2026-03-10')
  })

  test('while an export runs its progress is shown, and another one can’t be started', async () => {
    const { api, url } = world()
    for (const { id } of await api.exports.list().toArray()) await api.exports.delete(id)
    const page = await world().page()
    let held = true
    const files = [
      { table: 'tags', rows: 3, bytes: 90, sha256: 'a'.repeat(64), url: `${url}/v2/exports/exp_1/files/tags` },
      { table: 'leads', rows: 12_000, bytes: 1_200_000, sha256: null, url: null },
    ]
    const times = { createdAt: '2026-11-29T10:00:00.000Z', expiresAt: '2026-12-06T10:00:00.000Z' }
    const running = {
      id: 'exp_1',
      status: 'running',
      format: 'csv',
      from: null,
      to: null,
      files,
      error: null,
      ...times,
    }
    const error = 'The files could not be written. Start the export again.'
    const shown = () => (held ? { ...running, completedAt: null } : { ...running, status: 'failed', error })
    await page.route(/\/v2\/exports\?/, (route) =>
      route.fulfill({ json: { results: [shown()], pagination: { totalCount: 1 }, nextCursor: null } }),
    )
    await page.route(/\/v2\/exports\/exp_1$/, (route) => route.fulfill({ json: shown() }))
    await page.goto(`${url}/app/test/settings/export`)
    await page.getByText('1 of 2 files are complete. 12,003 rows so far.').waitFor()
    const progress = page.getByRole('progressbar', { name: 'Progress of the export' })
    expect(await progress.getAttribute('aria-valuenow')).toBe('1')
    await page.getByRole('link', { name: 'Download Tags' }).waitFor()
    await page.getByText('Not complete yet').waitFor()
    const start = page.getByRole('main').getByRole('button', { name: 'Export data' })
    await page.getByText('An export is running. Wait until it is ready, or delete it.').waitFor()
    expect(await start.getAttribute('aria-disabled')).toBe('true')
    held = false
    await page.getByText(`The export failed. ${error}`).waitFor()
    await page.getByText('An export is running.').waitFor({ state: 'detached' })
  })
})
