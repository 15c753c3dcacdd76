import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const hostile = [
  '"><img src=x onerror=alert(1)>.pdf',
  '../../etc/passwd',
  'invoice\u202Efdp.exe',
  `${'long'.repeat(60)}.txt`,
  '<script>alert(1)<∕script>.html',
  '=HYPERLINK("https:∕∕evil.example").csv',
]

describeConsole('attachments of a message', (world) => {
  let conversationId: string
  const contents = hostile.map((_name, at) => randomBytes(1_000 * (at + 1)))
  beforeAll(async () => {
    const { api } = world()
    const sender = await makeSender(api)
    await makeRunning(api, { name: 'Files', sendingAccountIds: [sender.id], leads: prospects(1, 'reply') })
    await api.sandbox.clock.advance({ by: '2d' })
    const [conversation] = await api.conversations.list().toArray()
    conversationId = conversation!.id
    await api.conversations.reply(conversationId, {
      text: 'Here they are.',
      attachments: hostile.map((filename, at) => ({
        filename,
        contentType: 'text/html',
        content: contents[at]!.toString('base64'),
      })),
    })
  })

  test('are listed with name, type and size, downloaded byte for byte, and their names are harmless', async () => {
    const { api, url } = world()
    const { messages } = await api.conversations.get(conversationId)
    const attached = messages.find(({ attachments }) => attachments.length > 0)!.attachments
    expect(attached).toHaveLength(hostile.length)
    for (const options of [{}, { width: 390, height: 844, dark: true }]) {
      const page = await world().page(options)
      await page.goto(`${url}/app/test/inbox/${conversationId}?view=all`)
      const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
      await files.first().waitFor()
      expect(await files.count()).toBe(hostile.length)
      for (const [at, { filename, size }] of attached.entries()) {
        expect(await files.nth(at).locator('bdi').innerText()).toBe(filename)
        expect(await files.nth(at).innerText()).toContain(`text/html · ${size! / 1_000} kB`)
        const downloading = page.waitForEvent('download')
        await files.nth(at).getByRole('button').click()
        const download = await downloading
        expect(await readFile(await download.path())).toEqual(contents[at])
        expect(download.suggestedFilename()).not.toMatch(/[/\\\u202E]/)
      }
      expect(await files.locator('img, script, a').count()).toBe(0)
      expect(new URL(page.url()).pathname).toBe(`/app/test/inbox/${conversationId}`)
      const over = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(over).toBe(0)
    }
  })
})
