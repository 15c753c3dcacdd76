import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleWorld } from '@overture/testing/console/console.ts'
import { until } from '@overture/testing/server/until.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

let host: Server
beforeAll(async () => {
  const days = Array.from({ length: 3 }, (_none, index) => new Date(Date.now() + (index + 1) * 86_400_000))
  const events = days.map((day) => {
    const date = day.toISOString().slice(0, 10).replaceAll('-', '')
    return `BEGIN:VEVENT\r\nUID:${date}\r\nDTSTART:${date}T100000Z\r\nDURATION:PT1H\r\nEND:VEVENT`
  })
  host = createServer((_request, response) =>
    response.end(['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR'].join('\r\n')),
  )
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
})
afterAll(() => host.close())

describeConsole('the calendar of the booking page', useCalendar, {
  environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
})

function useCalendar(world: () => ConsoleWorld): void {
  test('is connected by its address, read, and disconnected, and the address is not shown again', async () => {
    const { live, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/live/meetings/availability`)
    await page.getByLabel('Meeting title').fill('Intro call')
    await page.getByText('Where do I find this address?').click()
    await page.getByText('Secret address in iCal format').waitFor()
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/private-abc/basic.ics`
    await page.getByLabel('Calendar address').fill(address)
    await page.getByRole('button', { name: 'Connect calendar' }).click()
    await page.getByText('Connected to 127.0.0.1').waitFor()
    expect(await page.getByLabel('Meeting title').inputValue()).toBe('Intro call')
    await until(
      () => live.meetings.availability.get(),
      ({ busyCalendar }) => busyCalendar.busyTimes === 3,
    )
    await page.getByRole('button', { name: 'Save availability' }).click()
    await page.getByText('Availability saved').waitFor()
    await page.reload()
    await page.getByText('3 busy times').waitFor()
    expect(await page.content()).not.toContain('private-abc')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByLabel('Calendar address').waitFor()
    expect((await live.meetings.availability.get()).busyCalendar.configured).toBe(false)
  })
}
