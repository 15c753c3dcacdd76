import { expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { countClicks } from '@overture/testing/console/clicks.ts'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the clicks of writing, repairing and answering', (world) => {
  const open = async (path: string): Promise<{ page: WatchedPage; clicks: () => Promise<number> }> => {
    const page = await world().page({ width: 1360 })
    const clicks = await countClicks(page)
    await page.goto(`${world().url}/app${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    return { page, clicks }
  }
  const person = async (campaignId: string, email: string) =>
    (await world().api.campaigns.leads.list(campaignId).toArray()).find((lead) => lead.email === email)!

  test('bold takes one click, a variable two', async () => {
    const { api } = world()
    const { id } = await makeDraft(api, { name: 'Bold', sendingAccountIds: [] })
    const { page, clicks } = await open(`/test/campaigns/${id}/steps`)
    await page.getByRole('textbox', { name: 'Body' }).focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('Now')
    expect(await clicks()).toBe(1)
    await page.getByRole('button', { name: 'Insert a variable' }).click()
    await page.getByRole('menuitem', { name: 'city' }).click()
    await holds(async () => (await api.campaigns.get(id)).steps[0]!.variants[0]!.body.includes('city'))
    expect(await clicks()).toBe(3)
  })

  test('a schedule from 9 to 5 in another zone takes one click', async () => {
    const { api } = world()
    const { id } = await makeDraft(api, { name: 'Hours', sendingAccountIds: [] })
    const { page, clicks } = await open(`/test/campaigns/${id}/schedule`)
    await page.getByLabel('Time zone', { exact: true }).fill('berlin')
    await page.getByLabel('From').first().fill('9')
    await page.getByLabel('To').first().fill('5 pm')
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await page.getByText('Schedule saved').waitFor()
    expect((await api.campaigns.get(id)).schedule.timezone).toBe('Europe/Berlin')
    expect(await clicks()).toBe(1)
  })

  test('a missing value takes three clicks from the list of leads', async () => {
    const { api } = world()
    const sender = await makeSender(api, 'missing@sender.test')
    const email = 'green@noname.test'
    const campaign = await makeRunning(api, {
      name: 'Missing',
      sendingAccountIds: [sender.id],
      leads: [{ email, company: 'Green' }],
    })
    await api.sandbox.clock.advance({ by: '1h' })
    const { page, clicks } = await open(`/test/campaigns/${campaign.id}/leads`)
    const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: email })
    await row.getByRole('link').last().click()
    await page.getByRole('link', { name: 'Add it' }).click()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByLabel('First name').fill('Green')
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await clicks()).toBe(3)
    await api.sandbox.clock.advance({ by: '1h' })
    await holds(async () => (await person(campaign.id, email)).status === 'active')
  })

  test('a list of people who must not be written to takes two clicks', async () => {
    const { page, clicks } = await open('/test/suppressions')
    await page.getByRole('button', { name: 'Import list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('CSV or Excel file').setInputFiles({
      name: 'opted-out.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email\na@example.com\nb@example.com\n'),
    })
    await dialog.getByRole('textbox', { name: 'List' }).fill('moved')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('2 added').waitFor()
    expect(await clicks()).toBe(2)
  })

  test('a person who is in another campaign takes three clicks and a question', async () => {
    const { api } = world()
    const sender = await makeSender(api, 'twice@sender.test')
    const anna = { email: 'anna@prospects.test', firstName: 'Anna', company: 'ACME' }
    await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: [anna] })
    const second = await makeDraft(api, { name: 'Second', sendingAccountIds: [sender.id] })
    const { page, clicks } = await open(`/test/campaigns/${second.id}/leads`)
    await page.getByRole('button', { name: 'Add a lead' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a lead' })
    await dialog.getByLabel('Email').fill(anna.email)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('button', { name: 'Add anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await clicks()).toBe(3)
  })

  test('a bold reply with a copy takes two clicks, and an opt-out of its recipient one', async () => {
    const { api } = world()
    const sender = await makeSender(api, 'answers@sender.test')
    const campaign = await makeRunning(api, {
      name: 'Answers',
      sendingAccountIds: [sender.id],
      leads: prospects(1, 'reply', 70),
    })
    await api.sandbox.clock.advance({ by: '2d' })
    const [conversation] = await api.conversations.list({ campaignId: campaign.id }).toArray()
    const { page, clicks } = await open(`/test/inbox/${conversation!.id}?view=all`)
    await page.getByRole('textbox', { name: 'Reply' }).focus()
    await page.keyboard.press('Control+b')
    await page.keyboard.type('Gladly')
    await page.getByRole('button', { name: 'Add Cc' }).click()
    await page.getByLabel('Cc').fill('colleague@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await holds(async () =>
      (await api.conversations.get(conversation!.id)).messages.some(({ kind }) => kind === 'manual'),
    )
    expect(await clicks()).toBe(2)

    const received = await api.sandbox.messages.list({ campaignId: campaign.id, direction: 'to_prospect' }).toArray()
    const { text } = await api.sandbox.messages.get(received.at(-1)!.id)
    const recipient = await world().page({ signedIn: false, width: 390 })
    recipient.expectProblem(/favicon/)
    const recipientClicks = await countClicks(recipient)
    await recipient.goto(/https?:\/\/\S+\/u\/\S+/.exec(text)![0])
    await recipient.getByRole('button', { name: 'Yes, unsubscribe' }).click()
    await holds(async () => (await api.suppressions.list({ q: 'person70' }).toArray()).length === 1)
    expect(await recipientClicks()).toBe(1)
  })

  test('another server of a mailbox takes two clicks on its page', async () => {
    const { live } = world()
    const account = await live.sendingAccounts.create({
      email: 'wrong@example.com',
      fromName: 'Wrong',
      provider: 'smtp',
      smtp: { host: '127.0.0.1', port: 1, security: 'none' },
    })
    const { page, clicks } = await open(`/live/sending-accounts/${account.id}`)
    await page.getByRole('button', { name: 'Change servers or password' }).click()
    await page.getByLabel('SMTP port').fill('2')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await holds(async () => (await live.sendingAccounts.get(account.id)).smtp?.port === 2)
    expect(await clicks()).toBe(2)
  })

  test('an invitation takes two clicks, and joining and a new password one each', async () => {
    const bob = { email: 'bob@example.com', name: 'Bob Miller', password: 'six tall ladders wait' }
    const { page, clicks } = await open('/live/settings/team')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Email').fill(bob.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByText('/app/accept#').innerText()
    expect(await clicks()).toBe(2)

    const joining = await world().page({ signedIn: false })
    const joiningClicks = await countClicks(joining)
    await joining.goto(link)
    await joining.getByText(`${owner.name} invited you`).waitFor()
    await joining.getByLabel('Name').fill(bob.name)
    await joining.getByLabel('Password').fill(bob.password)
    await joining.getByRole('button', { name: 'Create account' }).click()
    await joining.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    expect(await joiningClicks()).toBe(1)
    await joining.goto(`${world().url}/app/test/settings/profile`)
    await joining.getByLabel('Current password').fill(bob.password)
    await joining.getByLabel('New password').fill('four wet pianos argue')
    await joining.getByRole('button', { name: 'Change password' }).click()
    await joining.getByText('Password changed.').waitFor()
    expect(await joiningClicks()).toBe(2)
  })
})
