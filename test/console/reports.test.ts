import type { Report, ReportRun, User } from '@overture/sdk'
import { afterAll, expect, test } from 'vitest'
import { readMail, textsOfType } from '@overture/mail-reading/mime/mail.ts'
import { hasChromium } from '@overture/testing/chromium.ts'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { owner, type ConsoleWorld } from '@overture/testing/console/console.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'

// Starts before the server, since the server's environment contains its address.
const smtp = hasChromium ? await startSmtpDouble() : null
afterAll(() => smtp?.stop())

const environment = { OVERTURE_SYSTEM_MAIL_URL: `smtp://127.0.0.1:${smtp?.port ?? 25}?from=robot@tenant.test` }
const noMail = 'This server has no mail of its own.'
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** In the live environment, a report of this day does not become due during the test. */
const farDay = (new Date().getUTCDay() + 2) % weekdays.length

describeConsole(
  'reports by mail',
  (world) => {
    test('a report is created, run at once, mailed with a link to its page, paused, changed and deleted', async () => {
      const { live, url } = world()
      await live.account.update({ defaultTimezone: 'Europe/Berlin' })
      const page = await world().page()
      page.expectProblem(/status of 400/)
      const main = page.getByRole('main')
      await page.goto(`${url}/app/live/analytics`)
      await main.getByRole('link', { name: 'Reports' }).click()
      await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
      await page.getByRole('heading', { name: 'No reports yet' }).waitFor()

      await main.getByRole('button', { name: 'New report' }).click()
      const dialog = page.getByRole('dialog')
      const create = dialog.getByRole('button', { name: 'Create report' })
      await dialog.getByText('Give the report a name.').waitFor()
      expect(await create.getAttribute('aria-disabled')).toBe('true')
      await dialog.getByLabel('Name', { exact: true }).fill('Campaigns of the week')
      await dialog.getByLabel('and by').selectOption({ label: 'week' })
      await dialog.getByLabel('Day of the week').selectOption({ label: weekdays[farDay]! })
      await dialog.getByLabel('Time', { exact: true }).fill('07:30')
      const zone = dialog.getByLabel('Time zone')
      expect(await zone.inputValue()).toBe('Europe/Berlin')
      await zone.fill('Mars/Olympus')
      await dialog.getByLabel(owner.name).check()
      await create.click()
      await dialog.getByText('Not an IANA time zone.').waitFor()
      expect(await zone.getAttribute('aria-invalid')).toBe('true')
      await zone.fill('Europe/Berlin')
      await create.click()

      await page.getByRole('heading', { name: 'Campaigns of the week', level: 1 }).waitFor()
      await main.getByText(`Every ${weekdays[farDay]} at 07:30, Europe/Berlin`).waitFor()
      await main.getByText('By campaign and week').waitFor()
      await main.getByText('Has not run yet.').waitFor()
      const [ada] = await live.users.list().toArray()
      const [made] = await live.reports.list().toArray()
      expect(made).toMatchObject({
        query: { groupBy: 'campaign,week' },
        every: 'week',
        on: farDay + 1,
        at: '07:30',
        timezone: 'Europe/Berlin',
        recipients: [ada!.id],
      })
      await page.waitForURL(`${url}/app/live/reports/${made!.id}`)

      await main.getByRole('button', { name: 'Run now' }).click()
      await main.getByText(`Sent to ${owner.name}.`).waitFor()
      const [mail, ...others] = mailedReports()
      expect([mail!.to, others]).toEqual([[owner.email], []])
      const link = /^Open the report: (\S+)$/m.exec(mail!.text)![1]!
      expect(link).toBe(page.url())
      expect(await main.getByText(noMail).count()).toBe(0)

      await page.goto(link)
      await main.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Report paused').waitFor()
      expect(await live.reports.get(made!.id)).toMatchObject({ active: false, nextRunAt: null })
      await main.getByRole('button', { name: 'Resume' }).click()
      await page.getByText('Report resumed').waitFor()
      await main.getByRole('button', { name: 'Edit' }).click()
      expect(await dialog.getByLabel(owner.name).isChecked()).toBe(true)
      await dialog.getByLabel('Name', { exact: true }).fill('Campaigns of the month')
      await dialog.getByLabel('How often').selectOption({ label: 'Every month' })
      await dialog.getByLabel('Day of the month').selectOption({ label: 'the 31st or the last day' })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await main.getByText('Every month on the 31st or the last day at 07:30, Europe/Berlin').waitFor()
      await page.getByRole('heading', { name: 'Campaigns of the month', level: 1 }).waitFor()
      expect(await live.reports.get(made!.id)).toMatchObject({ active: true, every: 'month', on: 31 })

      await main.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
      expect(await live.reports.list().toArray()).toEqual([])
    })

    test('a disabled recipient is skipped by name, and can be removed from the report', async () => {
      const { live, url } = world()
      const bob = await invite(world(), { email: 'bob@example.com', name: 'Bob Miller' })
      const ada = (await live.users.list().toArray()).find(({ email }) => email === owner.email)!
      const { id } = await live.reports.create({
        name: 'For two',
        query: { groupBy: 'day' },
        every: 'week',
        on: farDay + 1,
        recipients: [ada.id, bob.id],
      })
      await live.users.update(bob.id, { status: 'disabled' })
      const before = mailedReports().length
      const page = await world().page()
      const main = page.getByRole('main')
      await page.goto(`${url}/app/live/reports/${id}`)
      await main.getByRole('button', { name: 'Run now' }).click()
      await main.getByText(`Sent to ${owner.name}.`).waitFor()
      const skipped = main.getByRole('list', { name: 'Skipped' })
      expect(await skipped.innerText()).toBe('Bob Miller was skipped: the user is disabled.')
      expect(
        mailedReports()
          .slice(before)
          .map(({ to }) => to),
      ).toEqual([[owner.email]])

      await page.goto(`${url}/app/live/reports`)
      const row = page.getByRole('table', { name: 'Reports' }).getByRole('row').filter({ hasText: 'For two' })
      await row.getByText(`Sent to ${owner.name}. Bob Miller was skipped: the user is disabled.`).waitFor()
      await row.getByRole('link', { name: 'For two' }).click()
      await main.getByRole('button', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Bob Miller (disabled)').uncheck()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved').waitFor()
      expect((await live.reports.get(id)).recipients).toEqual([ada.id])
    })

    test('while a report runs its progress is shown, and another run can’t be started', async () => {
      const { live, url } = world()
      const users = await live.users.list().toArray()
      const page = await world().page()
      const main = page.getByRole('main')
      let held = true
      await page.route(/\/v2\/reports\/rep_1$/, (route) => route.fulfill({ json: runningReport(users, held) }))
      await page.goto(`${url}/app/live/reports/rep_1`)
      await main.getByText('1 of 2 recipients are done.').waitFor()
      const progress = main.getByRole('progressbar', { name: 'Progress of the report' })
      expect([await progress.getAttribute('aria-valuenow'), await progress.getAttribute('aria-valuemax')]).toEqual([
        '1',
        '2',
      ])
      await main.getByText('The report is running.').waitFor()
      expect(await main.getByRole('button', { name: 'Run now' }).getAttribute('aria-disabled')).toBe('true')
      held = false
      await main.getByText('Bob Miller was skipped: the mail server refused the mail every time.').waitFor()
      await progress.waitFor({ state: 'detached' })
      expect(await main.getByRole('button', { name: 'Run now' }).getAttribute('aria-disabled')).toBeNull()
    })
  },
  { environment },
)

describeConsole('reports without mail', (world) => {
  test('in the live environment the page says that reports appear as events, and a run is one', async () => {
    const { live, url } = world()
    const { id } = await live.reports.create({
      name: 'Days',
      query: { groupBy: 'day' },
      every: 'week',
      on: farDay + 1,
    })
    const page = await world().page()
    const main = page.getByRole('main')
    await page.goto(`${url}/app/live/reports`)
    await main.getByText(noMail).waitFor()
    await main.getByRole('link', { name: 'Days' }).click()
    await main.getByText('None. Each report appears as an event.').waitFor()
    await main.getByRole('button', { name: 'Run now' }).click()
    await main.getByText('The report appeared as an event.').waitFor()
    const events = await live.events.list({ type: 'report.ready' }).toArray()
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ reportId: id, url: `${url}/app/live/reports/${id}` }),
    ])
  })

  test('in the test environment a report runs by the test clock while its page is open', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    await api.sandbox.clock.advance({ to: '2027-02-01T07:00:00.000Z' })
    const { id } = await api.reports.create({
      name: 'Mondays',
      query: { groupBy: 'day' },
      every: 'week',
      on: 1,
      timezone: 'UTC',
    })
    const page = await world().page()
    const main = page.getByRole('main')
    await page.goto(`${url}/app/test/reports/${id}`)
    await main.getByText('In the test environment, reports are not mailed.').waitFor()
    await main.getByText('Has not run yet.').waitFor()
    await api.sandbox.clock.advance({ to: '2027-02-01T09:00:00.000Z' })
    await main.getByText('The report appeared as an event.').waitFor()
    await main.getByText(/^25\s?–\s?31 Jan 2027$/).waitFor()
  })

  test('the page of a report shows the numbers of its last run, and its events are one click away', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const { id: campaignId } = await makeRunning(api, {
      name: 'Counted',
      sendingAccountIds: [sender.id],
      leads: prospects(5, 'reply'),
      steps: [{ variants: [{ subject: 'Hello', body: 'Shall we talk?' }] }],
    })
    await api.sandbox.clock.advance({ by: '8d' })
    const query = { groupBy: 'campaign', campaignId }
    const { id } = await api.reports.create({ name: 'Numbers', query, every: 'month', on: 1, timezone: 'UTC' })
    const page = await world().page()
    const main = page.getByRole('main')
    const numbers = main.getByRole('table', { name: 'Numbers of the last run' })
    await page.goto(`${url}/app/test/reports/${id}`)
    await main.getByText('Has not run yet.').waitFor()
    expect(await numbers.count()).toBe(0)
    await main.getByRole('button', { name: 'Run now' }).click()
    await main.getByText('The report appeared as an event.').waitFor()
    const { from, to } = (await api.reports.get(id)).lastRun!
    const { totals } = await api.analytics.grouped({ ...query, from, to, timezone: 'UTC' })
    expect([totals.sent, totals.uniqueReplied]).toEqual([5, 5])
    const rows = numbers.getByRole('row')
    await rows.filter({ hasText: 'Counted' }).waitFor()
    const cells = (name: string) => rows.filter({ hasText: name }).getByRole('cell').allInnerTexts()
    const { delivered, interested, meetingsBooked, bounced, unsubscribed } = totals
    const shown = [5, delivered, 5, '100%', interested, meetingsBooked, bounced, unsubscribed].map(String)
    expect(await cells('Counted')).toEqual(['Counted', ...shown])
    expect(await cells('Total')).toEqual(['Total', ...shown])

    await main.getByRole('link', { name: 'Show events' }).click()
    await page.waitForURL(/\/events\?type=report\.ready$/)
    const types = main.getByRole('table', { name: 'Events' }).getByRole('row').locator('td:first-child')
    await types.first().waitFor()
    expect(new Set(await types.allInnerTexts()).size).toBe(1)
  })

  test('a report whose campaign was deleted shows the reason once, and no numbers', async () => {
    const { api, url } = world()
    const gone = await makeDraft(api, { name: 'Gone', sendingAccountIds: [] })
    const query = { groupBy: 'campaign', campaignId: gone.id }
    const { id } = await api.reports.create({ name: 'Gone', query, every: 'month', on: 1, timezone: 'UTC' })
    await api.campaigns.delete(gone.id)
    const page = await world().page()
    page.expectProblem(/status of 404/)
    const main = page.getByRole('main')
    await page.goto(`${url}/app/test/reports/${id}`)
    const answered = page.waitForResponse((response) => /\/v2\/analytics\?/.test(response.url()))
    await main.getByRole('button', { name: 'Run now' }).click()
    await main.getByText('The campaign of the query was deleted. Change the query.').waitFor()
    expect((await answered).status()).toBe(404)
    await main.getByRole('region', { name: 'Numbers of the last run' }).waitFor({ state: 'detached' })
    expect(await main.getByText('Not found.').count()).toBe(0)
  })

  test('days that are always the same are refused at their field if they are in the wrong order', async () => {
    const { api, url } = world()
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/reports`)
    await page.getByRole('button', { name: 'New report' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('March')
    await dialog.getByLabel('Days of the numbers').selectOption({ label: 'Always the same days' })
    await dialog.getByText('Enter the first and the last day.').waitFor()
    await dialog.getByLabel('First day').fill('2026-03-10')
    await dialog.getByLabel('Last day').fill('2026-03-01')
    const create = dialog.getByRole('button', { name: 'Create report' })
    await create.click()
    await dialog.getByText('Must be later than from.').waitFor()
    expect(await dialog.getByLabel('Last day').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Last day').fill('2026-03-31')
    await create.click()
    await page
      .getByRole('main')
      .getByText(/^Always 10\s?–\s?31 Mar 2026$/)
      .waitFor()
    const made = (await api.reports.list().toArray()).find(({ name }) => name === 'March')
    expect(made?.query).toEqual({ groupBy: 'campaign', from: '2026-03-10', to: '2026-03-31' })
  })
})

/** The mails of reports. The server also mails invitations and notices. */
function mailedReports(): { to: string[]; text: string }[] {
  const mails = smtp!.accepted.map(({ to, raw }) => {
    const read = readMail(raw)
    if (read.outcome !== 'read') throw new Error(read.outcome)
    return { to, text: textsOfType(read.mail, 'text/plain').join('') }
  })
  return mails.filter(({ text }) => text.includes('Open the report: '))
}

async function invite({ live, url }: ConsoleWorld, { email, name }: { email: string; name: string }): Promise<User> {
  const invitation = await live.invitations.create({ email, role: 'member' })
  const accepted = await fetch(`${url}/v2/auth/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: invitation.url?.split('#')[1], name, password: 'six tall ladders wait' }),
  })
  expect(accepted.ok).toBe(true)
  return (await live.users.list().toArray()).find((user) => user.email === email)!
}

/** A report with two recipients. One mail was sent, and the other one is tried again until it is given up. */
function runningReport(users: readonly User[], held: boolean): Report {
  const [ada, bob] = ['Ada Lovelace', 'Bob Miller'].map((name) => users.find((user) => user.name === name)!.id)
  const lastRun: ReportRun = {
    at: new Date().toISOString(),
    status: held ? 'running' : 'sent',
    from: '2026-10-26',
    to: '2026-11-01',
    deliveredTo: [ada!],
    skipped: held ? [] : [{ userId: bob!, reason: 'mail_failed' }],
    error: null,
  }
  return {
    id: 'rep_1',
    name: 'For two',
    active: true,
    query: { groupBy: 'campaign' },
    every: 'week',
    on: 1,
    at: '08:00',
    timezone: 'UTC',
    recipients: [ada!, bob!],
    nextRunAt: '2026-11-09T08:00:00.000Z',
    lastRun,
    createdAt: '2026-10-20T12:00:00.000Z',
  }
}
