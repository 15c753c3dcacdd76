import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../platform/app.ts'
import { startTestServer, type TestServer } from '../platform/testing/server.ts'
import { bookingPages, meetingRoutes, type MeetingDeps } from './index.ts'

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Set to a folder to keep pictures of the pages. */
const pictures = process.env.SCREENSHOTS
const depsOf = (app: App): MeetingDeps => ({ app, queueMail: () => Promise.resolve() })

describe.skipIf(!existsSync(executablePath))('the booking page in a browser', () => {
  let server: TestServer
  let browser: Browser
  let url: string

  beforeAll(async () => {
    server = await startTestServer({
      routes: ({ app }) => meetingRoutes(depsOf(app)),
      publicRoutes: ({ app }) => bookingPages(depsOf(app)),
    })
    const body = { title: 'Intro call', hostName: 'Ann Host', timezone: 'Europe/Berlin', slug: 'ann-host' }
    await server.call('PUT', '/v2/meetings/availability', { key: server.keys.live, body })
    url = `${server.url}/book/ann-host`
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await server.stop()
  })

  async function open(options: BrowserContextOptions): Promise<{ page: Page; problems: string[] }> {
    const page = await (await browser.newContext(options)).newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(url)
    return { page, problems }
  }
  const picture = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
  }

  it('works on a telephone without JavaScript, by its labels alone', async () => {
    const { page, problems } = await open({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
      deviceScaleFactor: 2,
    })
    const box = await page.locator('main').boundingBox()
    expect(box!.width).toBeLessThanOrEqual(360)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.getByLabel('Times are shown in').selectOption('America/New_York')
    await page.getByRole('button', { name: 'Change zone' }).click()
    expect(new URL(page.url()).searchParams.get('timezone')).toBe('America/New_York')
    await picture(page, 'booking-page-mobile')
    const slot = page.getByRole('group').first().getByRole('radio').nth(1)
    const height = (await page.locator('.slots label').first().boundingBox())!.height
    expect(height).toBeGreaterThanOrEqual(44)
    await slot.check()
    await page.getByLabel('Your name').fill('Zoë Visitor')
    await page.getByLabel('Your e-mail address').fill('zoe@example.com')
    await page.getByRole('button', { name: 'Book this time' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are booked')
    await picture(page, 'booking-confirmed-mobile')
    await page.getByRole('button', { name: 'Move or cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the meeting' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This meeting was canceled')
    expect(problems).toEqual([])
  })

  it("finds the visitor's own zone where JavaScript runs, under its own content policy", async () => {
    const { page, problems } = await open({ timezoneId: 'Asia/Tokyo', viewport: { width: 1100, height: 800 } })
    await page.waitForURL(/timezone=Asia%2FTokyo/)
    expect(await page.getByLabel('Times are shown in').inputValue()).toBe('Asia/Tokyo')
    const value = await page.getByRole('radio').first().getAttribute('value')
    const shown = await page.locator('.slots label').first().textContent()
    const local = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' }).format(
      new Date(value!),
    )
    expect(shown!.trim()).toBe(local)
    await picture(page, 'booking-page')
    expect(problems).toEqual([])
  })
})
