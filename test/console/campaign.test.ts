import { readFile } from 'node:fs/promises'
import type { Campaign } from '@overture/sdk'
import { expect, test } from 'vitest'
import { holds } from '@overture/testing/console/holds.ts'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole(
  "a campaign's pages",
  (world) => {
    test('an exported campaign is imported from its file, and what was left out is listed', async () => {
      const { api, url } = world()
      const model = { aiTriage: { modelId: 'no-such-model' } }
      const { id } = await makeDraft(api, { name: 'To move', sendingAccountIds: [] })
      const page = await world().page()
      await page.goto(`${url}/app/test/campaigns/${id}/settings`)
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe('To-move.json')
      const document = JSON.parse(await readFile(await download.path(), 'utf8'))
      Object.assign(document, { name: 'Moved', settings: { ...document.settings, ...model } })
      await page.goto(`${url}/app/test/campaigns`)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      const dialog = page.getByRole('dialog')
      const choose = (content: string) =>
        dialog
          .getByLabel('Campaign file')
          .setInputFiles({ name: 'moved.json', mimeType: 'application/json', buffer: Buffer.from(content) })
      await choose('no JSON')
      await dialog.getByText('This file can’t be read.').waitFor()
      await choose(JSON.stringify(document))
      await dialog.getByRole('button', { name: 'Import campaign' }).click()
      await dialog.getByText('The model no-such-model does not exist here').waitFor()
      await dialog.getByRole('link', { name: 'Open Moved' }).click()
      await page.getByRole('heading', { name: 'Moved' }).waitFor()
      const [moved] = (await api.campaigns.list({ q: 'Moved' })).results
      expect(moved).toMatchObject({ status: 'draft', steps: [{ key: 'step-1' }, { key: 'step-2' }] })
    })

    test('blockers link to their fix, the calendar shows the forecast, and one click launches', async () => {
      const { api, url } = world()
      // The clock is set to a morning, so that the forecast for this day stays valid for hours.
      await api.sandbox.clock.advance({ to: '2027-01-04T09:00:00.000Z' })
      const campaign = await makeDraft(api, { name: 'Launch', sendingAccountIds: [], leads: prospects(3, '', 20) })
      const page = await world().page()
      await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
      await page.getByRole('heading', { name: 'Before you can launch' }).waitFor()
      await page.getByRole('list', { name: 'Blockers' }).getByRole('link').first().click()
      await page.waitForURL(/\/senders$/)

      const sender = await makeSender(api, 'launch@sender.test')
      await api.campaigns.update(campaign.id, { sendingAccountIds: [sender.id] })
      await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
      await page.getByRole('button', { name: 'Show as table' }).click()
      const forecast = await api.campaigns.forecast(campaign.id)
      const table = page.getByRole('table', { name: 'Sending calendar' })
      const cells = (await table.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\t/).slice(1).map(Number))
      expect(cells).toEqual(forecast.days.map(({ first, followUp }) => [first, followUp, first + followUp]))

      await page.getByRole('button', { name: 'Launch to 3' }).click()
      await page.locator('header').getByText('Active', { exact: true }).waitFor()
      expect((await api.campaigns.get(campaign.id)).status).toBe('active')
    })

    test('a copy is a draft with the same settings, with or without the leads', async () => {
      const { api, url } = world()
      const sender = await makeSender(api, 'copied@sender.test')
      const from = await makeDraft(api, { name: 'First', sendingAccountIds: [sender.id], leads: prospects(3, '', 60) })
      const page = await world().page()
      page.expectProblem(/status of 400/)
      const copy = async (name: string, withLeads: boolean): Promise<Campaign> => {
        await page.goto(`${url}/app/test/campaigns/${from.id}/settings`)
        await page.getByRole('button', { name: 'Copy', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Copy this campaign?' })
        await dialog.getByLabel('Name').fill('')
        await dialog.getByRole('button', { name: 'Copy campaign' }).click()
        await holds(async () => (await dialog.getByLabel('Name').getAttribute('aria-invalid')) === 'true')
        await dialog.getByLabel('Name').fill(name)
        if (withLeads) await dialog.getByLabel('Copy the leads').click()
        await dialog.getByRole('button', { name: 'Copy campaign' }).click()
        await page.getByRole('heading', { name, level: 1 }).waitFor()
        const [made] = await api.campaigns.list({ q: name }).toArray()
        return made!
      }
      const alone = await copy('Second, for others', false)
      const whole = await copy('Third, for the same', true)
      const kept = ({ schedule, settings, sendingAccountIds, status }: Campaign) => ({
        schedule,
        settings,
        sendingAccountIds,
        status,
      })
      expect([kept(alone), kept(whole)]).toEqual([kept(from), kept(from)])
      expect([alone.leadCount, whole.leadCount]).toEqual([0, 3])
      const emails = async (id: string) => (await api.campaigns.leads.list(id).toArray()).map(({ email }) => email)
      expect((await emails(whole.id)).toSorted()).toEqual((await emails(from.id)).toSorted())
    })

    test('a live launch asks first with the number of leads, and Cancel has the focus', async () => {
      const { live, url } = world()
      await live.account.update({ postalAddress: '1 High Street, London' })
      const sender = await live.sendingAccounts.create({
        email: 'live@example.com',
        fromName: 'Live',
        provider: 'smtp',
        smtp: { host: '127.0.0.1', port: 2525, security: 'none' },
      })
      const campaign = await makeDraft(live, {
        name: 'Live one',
        sendingAccountIds: [sender.id],
        leads: [{ email: 'someone@example.com', firstName: 'Someone' }],
      })
      const page = await world().page()
      await page.goto(`${url}/app/live/campaigns/${campaign.id}/review`)
      await page.getByRole('button', { name: 'Launch to 1' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.waitFor()
      const dialogText = await dialog.innerText()
      expect(dialogText).toContain('live')
      expect(dialogText).toContain('1')
      await holds(() =>
        dialog
          .getByRole('button', { name: 'Cancel' })
          .evaluate((button) => button === button.ownerDocument.activeElement),
      )
      await page.keyboard.press('Escape')
      expect((await live.campaigns.get(campaign.id)).status).toBe('draft')
    })
  },
  // Links in messages point to this machine, which no recipient reaches. Outside of tests, live requires a public address.
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } },
)
