import { readFile } from 'node:fs/promises'
import PostalMime from 'postal-mime'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { receiveMessage } from '@overture/server/inbox/index.ts'
import { beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

/** The names that a stranger gave to files, and the names that people see. */
const names = [
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\Windows\\run me.exe', 'run me.exe'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  [`${'long name '.repeat(30)}.txt`, `${'long name '.repeat(19)}long n.txt`],
  ['a\u0000\u0007\u001B[2Jb\u007F\u0085.csv', 'a[2Jb….csv'],
  ['<img src=x onerror="document.title=1">.html', '_img src=x onerror=_document.title=1__.html'],
  ['"; filename=evil.exe; x="', '_; filename=evil.exe; x=_'],
  ['%2e%2e%2fsecret.pdf', '%2e%2e%2fsecret.pdf'],
  ['{{ constructor }}.svg', '{{ constructor }}.svg'],
] as const
const contentOf = (at: number) => Buffer.from(`<script>document.title = 'file ${at}'</script>`)

describeConsole('files that a stranger named', (world) => {
  let conversationId: string
  beforeAll(async () => {
    const { api } = world()
    const sender = await makeSender(api)
    const campaign = await makeRunning(api, { name: 'Files', sendingAccountIds: [sender.id], leads: prospects(1, '') })
    await api.sandbox.clock.advance({ by: '2d' })
    const [lead] = (await api.campaigns.leads.list(campaign.id).page()).results
    const { messages } = await api.campaigns.leads.thread(campaign.id, lead!.id)
    await receive([
      `From: Bo <${lead!.email}>`,
      `To: ${sender.email}`,
      'Subject: Re: Hello',
      'Message-ID: <hostile-files@prospects.test>',
      `In-Reply-To: ${messages[0]!.messageId}`,
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b\r\nContent-Type: text/plain\r\n\r\nPlease see my files.\r\n',
      ...names.map(
        ([name], at) =>
          `--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment;\r\n filename*=UTF-8''${encodeURIComponent(name)}\r\n` +
          `Content-Transfer-Encoding: base64\r\n\r\n${contentOf(at).toString('base64')}\r\n`,
      ),
      '--b--',
    ])
    const [conversation] = await api.conversations.list().toArray()
    conversationId = conversation!.id
  })

  async function inDatabase<Result>(run: (db: PoolDatabase) => Promise<Result>): Promise<Result> {
    const db = createDatabase({ url: world().databaseUrl, log: createLogger('error'), connectionsMax: 2 })
    try {
      return await run(db)
    } finally {
      await db.close()
    }
  }

  /** A mail arrives in the mailbox of the sending account. */
  async function receive(lines: readonly string[]): Promise<void> {
    const now = new Date((await world().api.sandbox.clock.get()).now)
    const raw = Buffer.from(lines.join('\r\n'))
    await inDatabase(async (db) => {
      const [place] = await db.query<{ accountId: string; sendingAccountId: string }>(
        `select account_id, id as sending_account_id from sending_accounts where environment = 'test'`,
      )
      const { accountId, sendingAccountId } = place!
      const app = createTestApp({ db, url: world().databaseUrl })
      const at = { sendingAccountId, folder: 'INBOX', junk: false, uid: 1, receivedAt: now, now }
      await receiveMessage(app, { accountId, environment: 'test' }, { ...at, raw })
    })
  }

  test('are shown as plain text in the inbox, and downloaded byte for byte under a safe name', async () => {
    const { url } = world()
    for (const options of [{}, { width: 390, height: 844, dark: true }]) {
      const page = await world().page(options)
      await page.goto(`${url}/app/test/inbox/${conversationId}?view=all`)
      const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
      await files.first().waitFor()
      expect(await files.count()).toBe(names.length)
      const title = 'Hello Person 0 · Inbox · Overture'
      await expect.poll(() => page.title(), { timeout: 60_000 }).toBe(title)
      for (const [at, [, shown]] of names.entries()) {
        const name = await files.nth(at).locator('bdi').innerText()
        expect(name).toBe(shown)
        const downloading = page.waitForEvent('download')
        await files.nth(at).getByRole('button').click()
        const download = await downloading
        expect(await readFile(await download.path())).toEqual(contentOf(at))
        expect(download.suggestedFilename()).not.toMatch(/[/\\<>"\p{Cc}\p{Cf}]|^\./u)
      }
      expect(await files.locator('img, script, a, svg.evil').count()).toBe(0)
      expect(await page.title()).toBe(title)
      expect(new URL(page.url()).pathname).toBe(`/app/test/inbox/${conversationId}`)
      const over = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(over).toBe(0)
    }
  })

  test('are named in the dialog of a forward as text, and forwarded under the same safe names', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/inbox/${conversationId}?view=all`)
    await page.getByRole('button', { name: 'Forward', exact: true }).last().click()
    const title = await page.title()
    const dialog = page.getByRole('dialog', { name: 'Forward this message' })
    await dialog.getByLabel('To').fill('ada@colleagues.test')
    expect(await dialog.locator('img, script').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Forward' }).click()
    await page.getByText(/ forwarded a message to ada@colleagues\.test$/).waitFor()
    expect(await page.title()).toBe(title)

    const { messages, forwards } = await api.conversations.get(conversationId)
    const [forwarded] = await inDatabase((db) =>
      db.query<{ raw: Buffer }>('select raw from message_contents where message_id = $1', [forwards[0]!.id]),
    )
    const { attachments } = await PostalMime.parse(forwarded!.raw)
    const received = messages.find((message) => message.attachments.length > 0)
    expect(attachments.map(({ filename }) => filename)).toEqual(
      received!.attachments.map(({ filename }) => filename.replaceAll('"', '_')),
    )
    for (const [at, { content }] of attachments.entries())
      expect(Buffer.from(content as ArrayBuffer)).toEqual(contentOf(at))
  })
})
