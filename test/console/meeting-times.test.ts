import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('an invitation in a conversation', (world) => {
  test.each([
    ['time unknown', null],
    ['its time', '2031-05-05T06:00:00.000Z'],
  ])('shows %s', async (words, startAt) => {
    const { api, url } = world()
    if ((await api.conversations.list().toArray()).length === 0) {
      const sender = await makeSender(api)
      await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: prospects(1, 'reply') })
      await api.sandbox.clock.advance({ by: '2d' })
    }
    const [conversation] = await api.conversations.list().toArray()
    const page = await world().page()
    // Simulated prospects always name the time zone, so the test adds the calendar of another message to the response.
    await page.route(`**/v2/conversations/${conversation!.id}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      const body = (await response.json()) as { messages: { direction: string; classification: object | null }[] }
      const calendar = { method: 'request', startAt, endAt: startAt }
      for (const message of body.messages)
        if (message.direction === 'inbound') message.classification = { ...message.classification, calendar }
      await route.fulfill({ response, json: body })
    })
    await page.goto(`${url}/app/test/inbox/${conversation!.id}?view=all`)
    const line = page.getByText('Invitation: ')
    await line.waitFor()
    if (startAt === null) expect(await line.innerText()).toBe(`Invitation: ${words}`)
    else await line.locator(`time[datetime="${startAt}"]`).waitFor()
  })
})
