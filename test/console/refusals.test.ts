import type { Campaign, SendingAccount } from '@overture/sdk'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

interface Refused {
  requestId: string
  error: { message: string; details: { issues?: { path: string; message: string }[] } }
}

/** A form, invalid values for its fields, and the button that submits it. */
interface BadForm {
  name: string
  path: () => string
  /** The button that opens the form, if it is in a dialog. */
  opens?: string
  fields: Readonly<Record<string, string>>
  send: string
}

describeConsole('a refusal by the API', (world) => {
  let campaign: Campaign
  let sender: SendingAccount
  beforeAll(async () => {
    sender = await makeSender(world().api)
    campaign = await makeDraft(world().api, {
      name: 'Refused',
      sendingAccountIds: [sender.id],
      leads: prospects(1, ''),
    })
  })
  const long = 'x'.repeat(1_500)
  const forms: BadForm[] = [
    { name: 'a campaign', path: () => 'campaigns?new=1', fields: { Name: long }, send: 'Create campaign' },
    {
      name: 'a copy',
      path: () => `campaigns/${campaign.id}/settings`,
      opens: 'Copy',
      fields: { Name: long },
      send: 'Copy campaign',
    },
    {
      name: 'the settings of a campaign',
      path: () => `campaigns/${campaign.id}/settings`,
      fields: { Name: long, 'Messages per day': '-5' },
      send: 'Save settings',
    },
    {
      name: 'a schedule',
      path: () => `campaigns/${campaign.id}/schedule`,
      fields: { 'Time zone': 'Mars/Olympus', From: '25:00' },
      send: 'Save schedule',
    },
    {
      name: 'a template',
      path: () => 'templates',
      opens: 'New template',
      fields: { Name: 'Half', Text: 'Hello {{ firstName' },
      send: 'Save',
    },
    {
      name: 'a suppression',
      path: () => 'suppressions',
      opens: 'Suppress',
      fields: { 'Email address or domain': 'no@body@twice' },
      send: 'Suppress',
    },
    {
      name: 'a webhook',
      path: () => 'developers/webhooks',
      opens: 'Add a webhook',
      fields: { URL: 'ftp://example.com' },
      send: 'Add webhook',
    },
    { name: 'a key', path: () => 'developers/keys', opens: 'Create key', fields: { Name: long }, send: 'Create key' },
    {
      name: 'an invitation',
      path: () => 'settings/team',
      opens: 'Invite',
      fields: { Email: 'nobody' },
      send: 'Create link',
    },
    { name: 'the account', path: () => 'settings/account', fields: { 'Time zone': 'Mars/Olympus' }, send: 'Save' },
    {
      name: 'a sender',
      path: () => `sending-accounts/${sender.id}`,
      fields: { 'Messages per day': '-1', 'Time zone': 'Mars/Olympus' },
      send: 'Save',
    },
    {
      name: 'what can be booked',
      path: () => 'meetings/availability',
      fields: { 'Time zone': 'Mars/Olympus', 'Host email': 'nobody' },
      send: 'Save availability',
    },
  ]

  test.each(forms)('of $name is shown in its form with the request id, and the input stays', async (form) => {
    const page = await world().page()
    page.expectProblem(/status of 4\d\d/)
    await page.goto(`${world().url}/app/test/${form.path()}`)
    const main = page.locator('main')
    if (form.opens !== undefined) await main.getByRole('button', { name: form.opens, exact: true }).first().click()
    const inDialog = form.opens !== undefined || form.path().includes('new=1')
    const place = inDialog ? page.getByRole('dialog') : main
    const fields = place.locator('input, textarea, select, [contenteditable=true]')
    const fieldOf = (label: string) => place.getByLabel(label).and(fields).first()
    for (const [label, value] of Object.entries(form.fields)) await fieldOf(label).fill(value)
    const { error, requestId } = await toRefusal(page, place.getByRole('button', { name: form.send, exact: true }))
    const messages = error.details.issues?.map(({ message }) => message) ?? [error.message]
    expect(messages.length).toBeGreaterThan(0)
    for (const message of messages) await place.getByText(message).first().waitFor()
    await place.getByRole('alert').getByText('Details', { exact: true }).click()
    await place.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(requestId)
    for (const [label, value] of Object.entries(form.fields)) expect(await shownIn(fieldOf(label))).toBe(value)
  })

  test('of a launch is shown as a list of blockers, also if they changed after the page was opened', async () => {
    const { api, url } = world()
    const page = await world().page()
    page.expectProblem(/status of 4(09|00)/)
    // While `silent` is true, reads get no response, so that the page doesn't learn of the change.
    let silent = false
    await page.route(/\/v2\/campaigns\/[^/]+(\/preflight)?$/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      if (silent) return
      const response = await route.fetch()
      if (!silent) await route.fulfill({ response })
    })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
    const launch = page.getByRole('button', { name: 'Launch to 1' })
    await launch.and(page.locator(':not([aria-disabled])')).waitFor()
    silent = true
    await api.campaigns.update(campaign.id, { sendingAccountIds: [] })
    const { requestId } = await toRefusal(page, launch)
    await page.getByRole('list', { name: 'Blockers' }).getByRole('link').first().waitFor()
    await page.getByText('Details', { exact: true }).first().click()
    await page.getByRole('button', { name: 'Copy request ID' }).first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(requestId)
  })
})

/** The value of a field, or the text of an editor. */
function shownIn(field: Locator): Promise<string> {
  return field.evaluate((element: { value?: string; innerText: string }) => element.value ?? element.innerText)
}

async function toRefusal(page: WatchedPage, button: Locator): Promise<Refused> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/v2/') && response.request().method() !== 'GET' && response.status() >= 400,
  )
  await button.click()
  const response = await answered
  const { error } = (await response.json()) as Pick<Refused, 'error'>
  return { error, requestId: response.headers()['x-request-id'] ?? '' }
}
