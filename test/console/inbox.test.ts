import type { Conversation } from '@overture/sdk'
import { beforeEach, expect, test } from 'vitest'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the inbox', (world) => {
  let page: WatchedPage
  let conversations: Conversation[]
  beforeEach(async () => {
    const { api, url } = world()
    if ((await api.conversations.list().toArray()).length === 0) {
      const sender = await makeSender(api)
      await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: prospects(6, 'reply') })
      await api.templates.create({ name: 'Thanks', body: 'Thank you, {{ firstName }}!', tags: ['snippet'] })
      await api.sandbox.clock.advance({ by: '2d' })
    }
    conversations = await api.conversations.list().toArray()
    page = await world().page()
    await page.goto(`${url}/app/test/inbox?view=all`)
    await items(page).first().waitFor()
  })

  test('works by keyboard: j and k move, e archives, z undoes, i labels', async () => {
    const { api } = world()
    expect(await current(page)).toBe(-1)
    await page.keyboard.press('j')
    await expectCurrent(page, 0)
    await page.keyboard.press('j')
    await expectCurrent(page, 1)
    await page.keyboard.press('k')
    await expectCurrent(page, 0)
    const [first] = conversations
    await page.keyboard.press('e')
    await holds(async () => (await api.conversations.get(first!.id)).archived)
    await page.keyboard.press('z')
    await holds(async () => !(await api.conversations.get(first!.id)).archived)
    await page.goto(`${world().url}/app/test/inbox/${first!.id}?view=all`)
    await page.getByRole('textbox', { name: 'Reply' }).waitFor()
    // A new page handles keys once its data is loaded, so the key is pressed again. Labeling twice changes nothing.
    await holds(async () => {
      await page.keyboard.press('i')
      return (await api.conversations.get(first!.id)).interest === 'interested'
    })
  })

  test('r focuses the reply, where shortcuts are off; they can be turned off everywhere', async () => {
    await page.keyboard.press('j')
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.waitFor()
    await page.keyboard.press('r')
    await holds(async () => reply.evaluate((field) => field === field.ownerDocument.activeElement))
    await page.keyboard.type('just')
    expect(await reply.innerText()).toBe('just')
    await expectCurrent(page, 0)

    await turnKeys('off')
    await page.goto(`${world().url}/app/test/inbox?view=all`)
    await items(page).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await current(page)).toBe(-1)
    // The setting also applies before the page has loaded the user's preferences.
    await page.route('**/v2/me', () => {})
    await page.reload()
    await items(page).first().waitFor()
    await page.keyboard.press('j')
    expect(await current(page)).toBe(-1)
    await page.unroute('**/v2/me')
    await turnKeys('on')
  })

  async function turnKeys(to: 'on' | 'off'): Promise<void> {
    await page.goto(`${world().url}/app/test/settings/profile`)
    await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).click()
    await holds(async () => {
      const { origins } = await page.context().storageState()
      return origins.some((origin) =>
        origin.localStorage.some(({ name, value }) => name === 'overture.keys' && value === to),
      )
    })
  }

  test("a slash shows the snippets, and Enter inserts one with the lead's values", async () => {
    const one = conversations.find(({ lead }) => lead !== null)!
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=all`)
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.click()
    await reply.fill('')
    await page.keyboard.type('/')
    await page.getByRole('listbox', { name: 'Snippets' }).getByRole('option', { name: 'Thanks' }).waitFor()
    await page.keyboard.press('Enter')
    await holds(async () => (await reply.innerText()) === `Thank you, ${one.lead!.firstName}!`)
  })

  test('a reply shows its sender, can be withdrawn, and is sent again in its thread', async () => {
    const { api } = world()
    const one = conversations.at(-1)!
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=all`)
    const { email } = await api.sendingAccounts.get(one.sendingAccountId)
    await page.getByText(`Reply from ${email}`).first().waitFor()
    const reply = page.getByRole('textbox', { name: 'Reply' })
    await reply.fill('Let us talk on Tuesday.')
    const written = async () => (await api.conversations.get(one.id)).messages.filter(({ kind }) => kind === 'manual')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await holds(async () => (await reply.innerText()) === 'Let us talk on Tuesday.')
    await holds(async () => (await written()).length === 0)

    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await holds(async () => (await written()).length === 1)
    const [message] = await written()
    const answered = (await api.conversations.get(one.id)).messages
      .filter(({ direction }) => direction === 'inbound')
      .at(-1)
    expect(message!.from?.email).toBe(email)
    expect(message!.inReplyTo).toBe(answered!.messageId)
  })

  test('a message shows its copies, and who did not get it with the reason', async () => {
    const { api } = world()
    const one = conversations[3]!
    await api.suppressions.create({ email: 'gone@example.com' })
    await api.conversations.reply(one.id, { text: 'Two copies.', cc: ['copy@example.com', 'gone@example.com'] })
    await api.sandbox.clock.advance({ by: '1h' })
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=all`)
    await page.getByText('copies to copy@example.com').waitFor()
    await page.getByText('Not sent to gone@example.com: The address is suppressed.').waitFor()
  })

  test('a reply is formatted, and both of its parts are sent', async () => {
    const { api } = world()
    const one = conversations[2]!
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=all`)
    await page.getByRole('textbox', { name: 'Reply' }).focus()
    await page.keyboard.type('See ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('this')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Enter')
    await page.keyboard.type('at https://example.com/x.')
    await page.keyboard.press('Control+Enter')
    await holds(async () => (await api.conversations.get(one.id)).messages.some(({ kind }) => kind === 'manual'))
    const sent = (await api.conversations.get(one.id)).messages.find(({ kind }) => kind === 'manual')
    const own = '<p>See <b>this</b><br>\nat <a href="https://example.com/x">https://example.com/x</a>.</p>\n<p>On '
    expect(sent!.html).toContain(own)
    expect(sent!.html).toContain('</blockquote>')
    expect(sent!.text).toMatch(/^See this\nat https:\/\/example\.com\/x\.\n\nOn .* wrote:\n\n> /)
  })

  test('a reply is sent with Cc, files, the signature and the quoted message, and withdrawn with all of it', async () => {
    const { api, url } = world()
    const one = conversations[1]!
    await api.sendingAccounts.update(one.sendingAccountId, { signature: 'Ada Lovelace\nAnalytical Engines' })
    await page.goto(`${url}/app/test/inbox/${one.id}?view=all`)
    await page.getByRole('textbox', { name: 'Reply' }).fill('Here is the agenda.')
    await page.getByText('Analytical Engines').waitFor()
    await page.getByText('Quoted message, sent with your reply').click()
    await page.locator('details blockquote').waitFor()
    await page.getByRole('button', { name: 'Add Cc' }).click()
    await page.getByLabel('Cc').fill('colleague')
    await page.getByText('“colleague” is not an email address.').first().waitFor()
    await page.getByLabel('Cc').fill('colleague@example.com')
    const files = ['plan.txt', 'wrong.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }))
    await page.getByLabel('Attach files').setInputFiles(files)
    await page.getByRole('button', { name: 'Remove wrong.txt' }).click()
    const manual = async () => (await api.conversations.get(one.id)).messages.filter(({ kind }) => kind === 'manual')
    const before = (await manual()).length
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 8 s.').waitFor()
    const [undo, send] = [
      page.getByRole('button', { name: 'Undo' }),
      page.getByRole('button', { name: 'Send', exact: true }),
    ]
    const [covering, covered] = await Promise.all([undo.locator('..').boundingBox(), send.boundingBox()])
    expect(covering!.x + covering!.width <= covered!.x || covering!.y + covering!.height <= covered!.y).toBe(true)
    await undo.click()
    await page.getByRole('list', { name: 'Attached files' }).getByText('plan.txt').waitFor()
    await send.click()
    await holds(async () => (await manual()).length === before + 1)
    const sent = (await manual()).at(-1)
    expect(sent!.cc.map(({ email }) => email)).toEqual(['colleague@example.com'])
    expect(sent!.attachments.map(({ filename, size }) => [filename, size])).toEqual([['plan.txt', 8]])
    expect(sent!.text).toMatch(/^Here is the agenda\.\n\nAda Lovelace\nAnalytical Engines\n\nOn .* wrote:\n>[^]*$/)
    await api.sendingAccounts.update(one.sendingAccountId, { signature: null })
    await page.goto(`${url}/app/test/inbox?view=all&q=agenda`)
    await items(page).first().waitFor()
    await page.goto(`${url}/app/test/inbox?view=all&q=wombat`)
    await page.getByText('No conversation has “wombat”.').waitFor()
  })

  test('an opened mail stays in Unread until the view is left, so that e and k work', async () => {
    const { api, url } = world()
    // No message may be sent or arrive meanwhile, because its conversation would come first in the list.
    await api.sandbox.clock.set({ frozen: true })
    await api.sandbox.clock.advance({ by: '1m' })
    conversations = await api.conversations.list().toArray()
    for (const one of conversations.slice(0, 3))
      await api.conversations.update(one.id, { read: false, archived: false })
    await page.goto(`${url}/app/test/inbox?view=unread`)
    await items(page).first().waitFor()
    const unread = await items(page).count()
    await page.keyboard.press('j')
    await expectCurrent(page, 0)
    await page.waitForURL('**/inbox/thr_*')
    const { pathname } = new URL(page.url())
    const openedId = pathname.split('/').at(-1)!
    await holds(async () => !(await api.conversations.get(openedId)).unread)
    await page.keyboard.press('j')
    await expectCurrent(page, 1)
    await page.keyboard.press('k')
    await expectCurrent(page, 0)
    expect(await items(page).count()).toBe(unread)
    await page.keyboard.press('l')
    await page.getByRole('menu').waitFor()
    await page.keyboard.type('Mee')
    await page.getByRole('menuitem', { name: 'Meeting booked' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect((await api.conversations.get(openedId)).interest).toBe(
      conversations.find(({ id }) => id === openedId)!.interest,
    )
    await page.keyboard.press('e')
    await holds(async () => (await api.conversations.get(openedId)).archived)
    await holds(async () => (await items(page).count()) < unread)
    await page.keyboard.press('?')
    const help = page.getByRole('dialog')
    await help.waitFor()
    expect(await help.evaluate((dialog) => dialog.scrollTop)).toBe(0)
    await page.keyboard.press('Escape')
    await api.conversations.update(openedId, { archived: false })
    await api.sandbox.clock.set({ frozen: false })
  })

  test('a conversation that is read before its messages arrive stays in Unread', async () => {
    const { api, url } = world()
    // No message may be sent or arrive meanwhile, because its conversation would come first in the list.
    await api.sandbox.clock.set({ frozen: true })
    await api.sandbox.clock.advance({ by: '1m' })
    for (const one of conversations.slice(0, 3)) await api.conversations.update(one.id, { read: false })
    await page.goto(`${url}/app/test/inbox?view=unread`)
    await items(page).first().waitFor()
    const unread = await items(page).count()
    await page.route('**/v2/conversations/thr_*', (route) =>
      route.request().method() === 'GET' ? undefined : route.fallback(),
    )
    for (const index of [0, 1]) {
      const left = page.waitForResponse(async (response) => {
        if (!response.url().includes('/v2/conversations?')) return false
        const { results } = (await response.json()) as { results: Conversation[] }
        return results.length === unread - index - 1
      })
      await page.keyboard.press('j')
      await left
      await expectCurrent(page, index)
    }
    await page.keyboard.press('k')
    await expectCurrent(page, 0)
    expect(await items(page).count()).toBe(unread)
    await api.sandbox.clock.set({ frozen: false })
  })

  test.each([1280, 390])('a conversation opens at its newest message at a width of %i', async (width) => {
    const { api, url } = world()
    const long = conversations[0]!
    await api.conversations.reply(long.id, { text: 'One line.\n'.repeat(60) })
    await api.sandbox.clock.advance({ by: '1h' })
    await api.conversations.reply(long.id, { text: 'The newest words.' })
    const wide = await world().page({ width, height: 844 })
    await wide.goto(`${url}/app/test/inbox/${long.id}?view=all`)
    const newest = wide.getByText('The newest words.').last()
    await newest.waitFor()
    await holds(async () => {
      const box = await newest.boundingBox()
      return box !== null && box.y >= 0 && box.y < 844
    })
    if (width < 1280) return
    // At the width of a desktop only the columns scroll, also on a low screen. The page itself keeps the navigation in view.
    await wide.setViewportSize({ width, height: 400 })
    expect(await wide.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
  })

  test('an unfinished reply is restored after a reload', async () => {
    const one = conversations[1]!
    await page.goto(`${world().url}/app/test/inbox/${one.id}?view=all`)
    await page.getByRole('textbox', { name: 'Reply' }).fill('Half a sentence')
    await page.reload()
    await holds(async () => (await page.getByRole('textbox', { name: 'Reply' }).innerText()) === 'Half a sentence')
  })
})

function items(page: WatchedPage) {
  return page.getByRole('list', { name: 'Conversations' }).getByRole('link')
}

async function current(page: WatchedPage): Promise<number> {
  const marks = await items(page).evaluateAll((links) => links.map((link) => link.getAttribute('aria-current')))
  return marks.indexOf('true')
}

async function expectCurrent(page: WatchedPage, index: number): Promise<void> {
  await holds(async () => (await current(page)) === index)
}
