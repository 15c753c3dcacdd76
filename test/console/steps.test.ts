import { expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('writing steps', (world) => {
  test('input is saved automatically, kept after a reload, and not lost offline', async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, {
      name: 'Saved',
      sendingAccountIds: [(await makeSender(api)).id],
      leads: prospects(2, ''),
    })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByLabel('Subject').fill('A new subject')
    await page.getByText(/^Saved \d/).waitFor()
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.subject === 'A new subject')
    await page.reload()
    await holds(async () => (await page.getByLabel('Subject').inputValue()) === 'A new subject')

    page.expectProblem(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await page.getByLabel('Subject').fill('Written in a tunnel')
    await page.getByRole('status').getByText('Not saved', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await holds(
      async () => (await api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.subject === 'Written in a tunnel',
    )
  })

  test('replies choose the variant if the user wants it, and no fixed share is shown', async () => {
    const { api, url } = world()
    const variants = [
      { subject: 'One', body: 'Hello' },
      { subject: 'Two', body: 'Hello' },
    ]
    const campaign = await api.campaigns.create({ name: 'Compared', steps: [{ variants }] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('button', { name: 'Variant A 50%', exact: true }).waitFor()
    await page.getByLabel('Send the variant with more replies more often').check()
    await page.getByRole('button', { name: 'Variant A', exact: true }).waitFor()
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[0]!.variantSelection === 'auto')
    expect(await page.accessibility()).toEqual([])
    if (process.env['LOOK'] !== undefined) await page.screenshot({ path: `${process.env['LOOK']}/variants.png` })
  })

  test('a variant is switched off and on', async () => {
    const { api, url } = world()
    const variants = ['One', 'Two'].map((subject) => ({ subject, body: 'Hello' }))
    const campaign = await api.campaigns.create({ name: 'Switched', steps: [{ variants }] })
    const enabled = async () => (await api.campaigns.get(campaign.id)).steps[0]!.variants!.map((one) => one.enabled)
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('button', { name: 'Variant B 50%', exact: true }).click()
    await page.getByLabel('Send variant B').uncheck()
    await page.getByRole('button', { name: 'Variant B off', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Variant A 100%', exact: true }).waitFor()
    await holds(async () => String(await enabled()) === 'true,false')
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps?view=picture`)
    await page.getByText('B is off · Two').first().waitFor()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('button', { name: 'Variant B off', exact: true }).click()
    await page.getByLabel('Send variant B').check()
    await holds(async () => String(await enabled()) === 'true,true')
  })

  test("a second writer sees the first one's change, and no text is lost", async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, { name: 'Two tabs', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByLabel('Subject').waitFor()
    const { steps } = await api.campaigns.get(campaign.id)
    const theirs = steps.map((step, index) =>
      index === 0 ? { ...step, variants: [{ ...step.variants[0]!, subject: 'Of the first tab' }] } : step,
    )
    await api.campaigns.update(campaign.id, { steps: theirs })
    page.expectProblem(/status of 4(00|09)/)
    await page.getByLabel('Subject').fill('Of the second tab')
    const dialog = page.getByRole('dialog', { name: 'Changed by someone else' })
    await dialog.waitFor()
    expect(await dialog.innerText()).toContain('Of the first tab')
    expect(await dialog.innerText()).toContain('Of the second tab')
    await dialog.getByRole('button', { name: 'Keep yours' }).click()
    await holds(
      async () => (await api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.subject === 'Of the second tab',
    )
  })

  test('the preview finds a lead beyond the first twenty by a search', async () => {
    const { api, url } = world()
    const leads = prospects(25, '', 100)
    const campaign = await makeDraft(api, { name: 'Many', sendingAccountIds: [], leads })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    const choice = page.getByLabel('Preview as')
    await holds(async () => (await choice.locator('option').count()) === 20)
    const shown = await choice.locator('option').allInnerTexts()
    const hidden = leads.find(({ firstName }) => !shown.includes(firstName))!
    await page.getByLabel('Find a lead for the preview').fill(hidden.email)
    await page.getByText(`Hello ${hidden.firstName}`, { exact: true }).waitFor()
    expect(await choice.locator('option').allInnerTexts()).toEqual([hidden.firstName])
    await page.getByLabel('Find a lead for the preview').fill('no-such-name')
    await page.getByText('No leads match.').waitFor()
    await page.getByText(`Hello ${hidden.firstName}`, { exact: true }).waitFor({ state: 'detached' })
  })

  test("a test message is sent only to the user, with the previewed lead's values", async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'testing@sender.test')
    const campaign = await makeDraft(api, { name: 'Test', sendingAccountIds: [sender.id], leads: prospects(1, '', 70) })
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('button', { name: 'Test message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a test message' })
    const to = dialog.getByLabel('To')
    await holds(async () => (await to.inputValue()) === owner.email)
    await to.fill('somebody@example.com')
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await dialog.getByText('Use the address of a user').first().waitFor()
    expect(await to.inputValue()).toBe('somebody@example.com')
    await to.fill(owner.email)
    await dialog.getByRole('button', { name: 'Send test' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const [message] = await api.campaigns.testMessages(campaign.id).toArray()
    expect(message).toMatchObject({ to: owner.email, subject: 'Hello Person 70' })
    await api.sandbox.clock.advance({ by: '1h' })
    await holds(async () => (await api.campaigns.testMessages(campaign.id).toArray())[0]!.status === 'sent')
    expect((await api.campaigns.stats(campaign.id)).sent).toBe(0)
  })

  test('the preview follows the input, problems are shown at their place, and hints block nothing', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'preview@sender.test')
    const campaign = await makeDraft(api, {
      name: 'Preview',
      sendingAccountIds: [sender.id],
      leads: prospects(2, '', 40),
    })
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('Hello Person 40').waitFor()
    const [lead] = await api.campaigns.leads.list(campaign.id, { email: 'person40@prospects.test' }).toArray()
    const apiPreview = await api.campaigns.preview(campaign.id, { leadId: lead!.id })
    // Each preview has its own opt-out link.
    const withoutLinks = (text: string) => text.trim().replaceAll(/https?:\S+/g, 'LINK')
    await page.getByLabel('Preview as').selectOption({ label: 'Person 40' })
    expect(withoutLinks(await preview.locator('p').nth(0).innerText())).toBe(apiPreview.subject)
    expect(withoutLinks(await preview.locator('p').nth(1).innerText())).toBe(withoutLinks(apiPreview.text))
    const body = page.getByRole('textbox', { name: 'Body' })
    const write = async (text: string): Promise<void> => {
      await body.click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    }
    await write('Good morning, {{ firstName }} {{ nope }}')
    await preview.getByText('no value for nope').waitFor()
    await preview.getByText('2 of 2 leads have no nope').waitFor()
    await write(['a', 'b', 'c', 'd'].map((name) => `https://${name}.example.com/page`).join(' '))
    await page.getByRole('list', { name: 'Hints' }).getByRole('listitem').first().waitFor()
    await page.getByRole('link', { name: 'Review 2 leads' }).waitFor()
    await write('Hello {{ firstName')
    await holds(async () => (await body.getAttribute('aria-invalid')) === 'true')
    await page
      .getByText(/line 1, column \d+/)
      .first()
      .waitFor()
    const review = page.getByRole('button', { name: 'Review 2 leads' })
    expect(await review.getAttribute('aria-disabled')).toBe('true')
    await page.getByText('Fix the errors in the texts first.').waitFor()
  })
})
