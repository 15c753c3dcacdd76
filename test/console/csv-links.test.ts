import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeDraft, makeSender } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const leads = ['Ada', '=1+1', 'Adam', 'Bob'].map((firstName, index) => ({ email: `p${index}@example.com`, firstName }))

describeConsole('the CSV link of a list', (world) => {
  test("downloads the API's CSV for the shown list with its filters", async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const { id } = await makeDraft(api, { name: '=Named', sendingAccountIds: [sender.id], leads })
    await api.suppressions.create({ email: 'never@example.com' })
    await api.templates.create({ name: 'First', subject: 'Hi', body: 'Hello' })
    const { key } = await api.account.apiKeys.create({ name: 'Files', scopes: ['read'] })
    const page = await world().page()
    for (const [place, path, rows] of [
      ['campaigns', '/v2/campaigns?', 1],
      [`campaigns/${id}/leads`, `/v2/campaigns/${id}/leads?`, 4],
      [`campaigns/${id}/leads?q=ada`, `/v2/campaigns/${id}/leads?q=ada&`, 2],
      ['sending-accounts', '/v2/sending-accounts?', 1],
      ['suppressions', '/v2/suppressions?', 1],
      ['suppressions?source=manual', '/v2/suppressions?source=manual&', 1],
      ['templates', '/v2/templates?', null],
      ['people', '/v2/leads?', 4],
      ['developers/events', '/v2/events?order=desc&', null],
    ] as const) {
      await page.goto(`${url}/app/test/${place}`)
      const coming = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download CSV' }).click()
      const file = await coming
      const text = await readFile(await file.path(), 'utf8')
      const answer = await fetch(`${url}${path}format=csv`, { headers: { authorization: `Bearer ${key}` } })
      expect([place, text]).toEqual([place, Buffer.from(await answer.arrayBuffer()).toString()])
      expect(answer.headers.get('content-disposition')).toContain(file.suggestedFilename())
      const lines = text.trim().split('\n').length - 1
      if (rows === null) expect([place, lines > 0]).toEqual([place, true])
      else expect([place, lines]).toEqual([place, rows])
    }
  })
})
