import type { Conversation } from '@overture/sdk'
import { beforeEach, expect, test } from 'vitest'
import { holds } from '@overture/testing/console/holds.ts'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { owner } from '@overture/testing/console/console.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('work in the inbox', (world) => {
  let page: WatchedPage
  let conversations: Conversation[]
  beforeEach(async () => {
    const { api } = world()
    if ((await api.conversations.list().toArray()).length === 0) {
      const sender = await makeSender(api)
      await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: prospects(6, 'reply') })
      await api.sandbox.clock.advance({ by: '2d' })
    }
    conversations = await api.conversations.list({ awaiting: true }).toArray()
    page = await world().page()
  })

  const open = async (id: string, view = 'awaiting'): Promise<void> => {
    await page.goto(`${world().url}/app/test/inbox/${id}?view=${view}`)
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
  }
  const listed = () => page.getByRole('list', { name: 'Conversations' }).locator('a')

  test('b opens the snooze menu; a snoozed conversation has its own view until the snooze ends', async () => {
    const { api } = world()
    const [one] = conversations
    await open(one!.id)
    await page.getByRole('group', { name: 'Messages' }).click()
    // A new page handles keys once its data is loaded. An open menu stays open.
    await holds(async () => {
      if ((await page.getByRole('menuitem').count()) === 0) await page.keyboard.press('b')
      return (await page.getByRole('menuitem').count()) > 0
    })
    await page.getByRole('menuitem', { name: /^Tomorrow: / }).click()
    await holds(async () => (await api.conversations.get(one!.id)).snoozedUntil !== null)
    await page.goto(`${world().url}/app/test/inbox?view=awaiting`)
    await holds(async () => (await listed().count()) === conversations.length - 1)
    await page.getByRole('link', { name: /^Snoozed 1$/ }).click()
    await holds(async () => (await listed().count()) === 1)
    await page.getByText(/^Snoozed until /).waitFor()

    await api.sandbox.clock.advance({ by: '2d' })
    await page.goto(`${world().url}/app/test/inbox?view=awaiting`)
    await holds(async () => (await listed().count()) === conversations.length)
  })

  test('a conversation is snoozed until a typed date, and the snooze is ended', async () => {
    const { api } = world()
    const [, one] = conversations
    await open(one!.id)
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Choose a date…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze until' })
    const { now } = await api.sandbox.clock.get()
    const day = new Date(Date.parse(now) + 5 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Date and time').fill(`${day}T10:30`)
    await dialog.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('button', { name: /^Snoozed until / }).click()
    await holds(async () => (await api.conversations.get(one!.id)).snoozedUntil?.startsWith(day) === true)
    await page.getByRole('menuitem', { name: 'End snooze' }).click()
    await holds(async () => (await api.conversations.get(one!.id)).snoozedUntil === null)
  })

  test('a conversation is assigned to a user, found by the owner, and unassigned', async () => {
    const { api, live, url } = world()
    const [, one] = conversations
    const [ada] = await live.users.list().toArray()
    await open(one!.id)
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('menuitem', { name: owner.name }).click()
    const assigned = page.getByRole('button', { name: `Assigned to ${owner.name}` })
    await assigned.waitFor()
    await holds(async () => (await api.conversations.get(one!.id)).ownerId === ada!.id)
    await page.goto(`${url}/app/test/inbox/${one!.id}?view=all`)
    await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: owner.name })
    await holds(async () => (await listed().count()) === 1)
    expect(await page.accessibility()).toEqual([])
    await assigned.click()
    await page.getByRole('menuitem', { name: 'No owner' }).click()
    await page.getByRole('button', { name: 'Assign', exact: true }).waitFor()
    await holds(async () => (await api.conversations.get(one!.id)).ownerId === null)
  })

  test('a note is shown between the messages as plain text, and deleted after a question', async () => {
    const { api } = world()
    const [, , one] = conversations
    await open(one!.id)
    await page.getByRole('button', { name: 'Add note' }).click()
    const hostile = '<img src=x onerror="document.title=1"> She prefers calls.'
    await page.getByLabel('Note', { exact: true }).fill(hostile)
    await page.getByRole('button', { name: 'Save note' }).click()
    const note = page.getByRole('article', { name: /^Note by / })
    await note.getByText(hostile).waitFor()
    expect(await note.locator('img').count()).toBe(0)
    expect((await api.conversations.get(one!.id)).notes).toMatchObject([{ text: hostile }])
    await note.getByRole('button', { name: 'Delete note' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete note' }).click()
    await holds(async () => (await api.conversations.get(one!.id)).notes.length === 0)
  })

  test('a reply is scheduled, held by a new message, and sent anyway', async () => {
    const { api } = world()
    const one = conversations.at(-1)!
    await open(one.id)
    await page.getByRole('textbox', { name: 'Reply' }).fill('Let us talk next week.')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: /^Next week: / }).click()
    await page
      .getByText(/^Scheduled for /)
      .first()
      .waitFor()
    const reply = async () => (await api.conversations.get(one.id)).messages.find(({ sendAt }) => sendAt !== null)
    await holds(async () => (await reply())?.status === 'queued')

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the reply' })
    await dialog.getByLabel('Text').fill('Let us talk on Monday.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await holds(async () => (await reply())?.text === 'Let us talk on Monday.')

    await api.sandbox.inbound({ leadId: one.leadId!, kind: 'reply' })
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=scheduled`)
    await page.getByText(/^On hold: /).waitFor()
    await listed().getByText('Reply on hold').waitFor()
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await holds(async () => (await reply())?.heldAt === null)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await holds(async () => (await reply()) === undefined)
  })

  test('a message is forwarded, and the conversation shows the recipient', async () => {
    const { api } = world()
    const one = conversations[3]!
    await open(one.id)
    await page.getByRole('button', { name: 'Forward', exact: true }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Forward this message' })
    await dialog.getByLabel('To').fill('ada@colleagues.test')
    await dialog.getByLabel('Text').fill('Can you answer this?')
    await dialog.getByRole('button', { name: 'Forward' }).click()
    await page.getByText(/ forwarded a message to ada@colleagues\.test$/).waitFor()
    const { forwards, awaiting, messages } = await api.conversations.get(one.id)
    expect(forwards).toMatchObject([{ to: ['ada@colleagues.test'], text: 'Can you answer this?' }])
    expect([awaiting, messages.at(-1)?.id]).toEqual([true, forwards[0]?.messageId])
  })

  test('a drafted reply is put into the editor, below what was typed, edited and sent by a person', async () => {
    const { api } = world()
    const sender = await makeSender(api, 'drafts@sender.test')
    const campaign = await makeRunning(api, {
      name: 'Drafts',
      sendingAccountIds: [sender.id],
      leads: prospects(1, 'drafts'),
    })
    await api.campaigns.update(campaign.id, {
      settings: { aiTriage: { modelId: 'builtin/drafter' }, replyDrafts: 'on' },
    })
    await api.sandbox.clock.advance({ by: '1d' })
    const [lead] = await api.campaigns.leads.list(campaign.id).toArray()
    const words = '<img src=x onerror="document.title=1"> Sounds good, tell me more. Go to https://evil.example.org'
    await api.sandbox.inbound({ leadId: lead!.id, kind: 'reply', text: words })
    const found = async () => (await api.conversations.list({ campaignId: campaign.id }).toArray())[0]
    const draft = async () => (await api.conversations.get((await found())!.id)).draft
    await holds(async () => {
      if ((await draft())?.status === 'ready') return true
      await api.sandbox.clock.advance({ by: '1m' })
      return false
    })
    const { id } = (await found())!
    await open(id)
    const shown = page.getByRole('region', { name: 'Drafted reply' })
    await shown.getByText('thank you for your reply').waitFor()
    expect(await shown.locator('img, a').count()).toBe(0)
    const editor = page.getByRole('textbox', { name: 'Reply' })
    await editor.fill('My own beginning.')
    await shown.getByRole('button', { name: 'Use draft' }).click()
    await holds(async () => {
      const written = await editor.innerText()
      return written.includes('My own beginning.') && written.includes('thank you for your reply')
    })
    expect((await draft())?.status).toBe('ready')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await holds(async () => (await draft())?.status === 'sent')
    const sent = (await api.conversations.get(id)).messages.at(-1)
    expect(sent).toMatchObject({ kind: 'manual', text: expect.stringContaining('My own beginning.') })
    await holds(async () => (await shown.count()) === 0)
  })

  test('a draft is dismissed, and asked for again', async () => {
    const { api } = world()
    const campaign = await api.campaigns.list().toArray()
    const of = campaign.find(({ name }) => name === 'Drafts')!
    const { id, leadId } = (await api.conversations.list({ campaignId: of.id }).toArray())[0]!
    await api.sandbox.inbound({ leadId: leadId!, kind: 'reply', text: 'And how much is it?' })
    const draft = async () => (await api.conversations.get(id)).draft
    const ready = () =>
      holds(async () => {
        if ((await draft())?.status === 'ready') return true
        await api.sandbox.clock.advance({ by: '1m' })
        return false
      })
    await ready()
    await open(id, 'all')
    const shown = page.getByRole('region', { name: 'Drafted reply' })
    await shown.getByRole('button', { name: 'Dismiss' }).click()
    await holds(async () => (await draft())?.status === 'dismissed')
    await shown.getByRole('button', { name: 'Draft a reply' }).click()
    await ready()
    await shown.getByRole('button', { name: 'Use draft' }).waitFor()
  })

  test('drafts are turned on in the settings of a campaign, with the model that reads replies', async () => {
    const { api, url } = world()
    const [campaign] = await api.campaigns.list().toArray()
    await api.campaigns.update(campaign!.id, { settings: { aiTriage: null, replyDrafts: 'off' } })
    await page.goto(`${url}/app/test/campaigns/${campaign!.id}/settings`)
    const drafts = page.getByLabel('Draft replies with AI')
    await drafts.waitFor()
    expect(await drafts.isDisabled()).toBe(true)
    await page.getByLabel('AI reading of replies').selectOption('builtin/drafter')
    await drafts.check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await holds(async () => (await api.campaigns.get(campaign!.id)).settings.replyDrafts === 'on')
    expect((await api.campaigns.get(campaign!.id)).settings.aiTriage).toEqual({ modelId: 'builtin/drafter' })
  })
})
