import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../platform/app.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { bookingPages, meetingRoutes, type MeetingTools, type MeetingMail } from '../index.ts'
import { pageLanguages } from '@overture/ground/text/page-language.ts'
import { bookingWords } from './booking-words.ts'
import { hasChromium, launchChromium } from '@overture/testing/chromium.ts'
import { lacks } from '@overture/testing/tools.ts'

/** Set this to a folder to keep screenshots of the pages. */
const pictures = process.env.SCREENSHOTS
let mails: MeetingMail[] = []
const depsOf = (app: App): MeetingTools => ({
  app,
  queueMail: (_tx, _tenant, mail) => Promise.resolve(mails.push(mail)),
})

describe.skipIf(lacks('Chromium', hasChromium))('the booking page in a browser', () => {
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
    const { accountId, environment } = server.tenant
    await server.app.db.execute(
      `insert into sending_accounts (account_id, environment, id, email, from_name, provider, status, daily_limit, min_gap_seconds,
         max_gap_seconds, timezone, created_at, updated_at)
       values ($1, $2, 'snd_1', 'sender@example.com', 'Ann Host', 'smtp', 'active', 50, 0, 0, 'UTC', now(), now())`,
      [accountId, environment],
    )
    url = `${server.url}/book/ann-host`
    browser = await launchChromium()
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
  /** Opens the link in the newest mail and confirms on its page. */
  const confirm = async (page: Page) => {
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Confirm your email address')
    expect(await violations(page)).toEqual([])
    await picture(page, 'booking-one-more-step')
    const link = new URL(/https?:\/\/\S+\/b\/\S+/.exec(mails.at(-1)!.text)![0])
    await page.goto(server.url + link.pathname)
    expect(await violations(page)).toEqual([])
    await picture(page, 'booking-confirm')
    await page.getByRole('button', { name: 'Book this time' }).click()
  }
  const picture = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: name === 'booking-page' })
  }

  test('works on a phone without JavaScript, using only labels', async () => {
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
    expect(await violations(page)).toEqual([])
    const height = (await page.locator('.slots label').first().boundingBox())!.height
    expect(height).toBeGreaterThanOrEqual(44)
    await slot.check()
    await page.getByLabel('Your name').fill('Zoë Visitor')
    await page.getByLabel('Your email address').fill('zoe@example.com')
    await page.getByRole('button', { name: 'Book this time' }).click()
    await confirm(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are booked')
    await picture(page, 'booking-confirmed-mobile')
    expect(await violations(page)).toEqual([])
    expect(await page.locator('.card').textContent()).toContain('with Ann Host')
    const file = await fetch(
      new URL((await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href'))!, page.url()),
    )
    expect(file.headers.get('content-type')).toContain('text/calendar')
    expect(await file.text()).toMatch(/METHOD:PUBLISH[^]*SUMMARY:Intro call[^]*Move or cancel/)
    await page.getByRole('button', { name: 'Move or cancel' }).click()
    await page.getByRole('button', { name: 'Cancel the meeting' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This meeting was canceled')
    expect(problems).toEqual([])
  })

  test("selects the visitor's own zone with JavaScript, under the content security policy", async () => {
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
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('can be used by keyboard, and reports a time that was booked meanwhile', async () => {
    const { page } = await open({ timezoneId: 'America/St_Johns', viewport: { width: 1100, height: 800 } })
    await page.waitForURL(/timezone=America%2FSt_Johns/)
    // The first time may become too soon while the test runs.
    await page.getByRole('radio').nth(1).focus()
    await page.keyboard.press('Space')
    const startAt = await page.locator('input:checked').getAttribute('value')
    // The folded days and the link to later ones come before the name field.
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('name') ?? ''")
    for (let stops = 0; stops < 12 && (await focused()) !== 'name'; stops++) await page.keyboard.press('Tab')
    await page.keyboard.type('Kay Board')
    await page.keyboard.press('Tab')
    await page.keyboard.type('kay@example.com')
    // Another visitor books this time first.
    const body = new URLSearchParams({ startAt: startAt!, timezone: 'UTC', name: 'Fast', email: 'fast@example.com' })
    expect((await fetch(url, { method: 'POST', body })).status).toBe(202)
    const link = new URL(/https?:\/\/\S+\/b\/\S+/.exec(mails.at(-1)!.text)![0])
    const other = await fetch(server.url + link.pathname, { method: 'POST', redirect: 'manual' })
    expect(other.status).toBe(303)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('just taken')
    expect(
      await page
        .getByRole('alert')
        .evaluate((alert: { matches(selector: string): boolean }) => alert.matches(':focus')),
    ).toBe(true)
    // The form keeps what was typed.
    expect(await page.getByLabel('Your name').inputValue()).toBe('Kay Board')
    expect(await page.getByLabel('Times are shown in').inputValue()).toBe('America/St_Johns')
    expect(await page.locator(`input[value="${startAt}"]`).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await picture(page, 'booking-taken')
    await page.getByRole('radio').nth(1).check()
    await page.getByRole('button', { name: 'Book this time' }).click()
    await confirm(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You are booked')
    await picture(page, 'booking-confirmed')
    await page.getByRole('button', { name: 'Move or cancel' }).click()
    await picture(page, 'booking-move')
    expect(await violations(page)).toEqual([])
  })

  test.each(pageLanguages)('is in %s for a browser that wants it', async (language) => {
    const words = bookingWords[language]
    const { page, problems } = await open({ locale: language, viewport: { width: 390, height: 844 } })
    await page.waitForURL(/timezone=/)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    for (const label of [words.zone, words.name, words.email]) expect(await page.getByLabel(label).count()).toBe(1)
    expect(await page.getByRole('button', { name: words.book }).count()).toBe(1)
    expect(await page.locator('main').innerHTML()).not.toMatch(/[{}]/)
    await picture(page, `booking-page-${language}`)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test.each(['de', 'pl'] as const)('books in %s', async (language) => {
    const words = bookingWords[language]
    const { page, problems } = await open({ locale: language, viewport: { width: 390, height: 844 } })
    await page.waitForURL(/timezone=/)
    await page.getByRole('radio').nth(1).check()
    await page.getByLabel(words.name).fill('Zoë Visitor')
    await page.getByLabel(words.email).fill(`zoe-${language}@example.com`)
    await page.getByRole('button', { name: words.book }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(words.confirmTitle)
    expect(await page.locator('main').textContent()).toContain(`zoe-${language}@example.com`)
    const link = new URL(/https?:\/\/\S+\/b\/\S+/.exec(mails.at(-1)!.text)![0])
    await page.goto(server.url + link.pathname)
    await page.getByRole('button', { name: words.book }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(words.booked)
    await picture(page, `booking-confirmed-${language}`)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is readable in dark mode, and at double size without horizontal scrolling', async () => {
    const { page, problems } = await open({ colorScheme: 'dark', viewport: { width: 320, height: 640 } })
    await page.waitForURL(/timezone=/)
    expect(await violations(page)).toEqual([])
    await picture(page, 'booking-page-dark')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    expect(problems).toEqual([])
  })
})

/** Accessibility problems of the page (WCAG 2.2 AA, as far as a script can find them). */
async function violations(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = []
    const name = (element) => element.tagName.toLowerCase() + (element.className ? '.' + element.className : '')
    const visible = (element) => element.getClientRects().length > 0
    if (!document.documentElement.lang) found.push('no language')
    if (!document.title) found.push('no title')
    if (document.querySelectorAll('main').length !== 1) found.push('not one main')
    if (document.querySelectorAll('h1').length !== 1) found.push('not one h1')
    if (/user-scalable=no|maximum-scale/.test(document.querySelector('meta[name=viewport]')?.content ?? '')) found.push('no zoom')
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id)
    if (new Set(ids).size !== ids.length) found.push('an id twice')
    for (const field of document.querySelectorAll('input:not([type=hidden]), select')) {
      if (!field.labels?.length || !field.labels[0].textContent.trim()) found.push('no label: ' + name(field))
    }
    for (const button of document.querySelectorAll('button, a')) if (!button.innerText.trim()) found.push('no text: ' + name(button))
    for (const group of document.querySelectorAll('fieldset')) {
      if (!group.querySelector('legend')?.textContent.trim()) found.push('no legend')
    }
    for (const target of document.querySelectorAll('button, select, .slots label, input[type=text], input[type=email]')) {
      if (visible(target) && target.getBoundingClientRect().height < 44) found.push('small target: ' + name(target))
    }
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const layers = (color) => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
      return [r, g, b, a / 255]
    }
    const over = (top, under) => [0, 1, 2].map((index) => top[index] * top[3] + under[index] * (1 - top[3])).concat(1)
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const behind = (element) => {
      const chain = []
      for (let one = element; one; one = one.parentElement) chain.unshift(layers(getComputedStyle(one).backgroundColor))
      return chain.reduce((under, top) => over(top, under), dark ? [18, 18, 18, 1] : [255, 255, 255, 1])
    }
    const luminance = ([r, g, b]) => {
      const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      const [x, y, z] = [r, g, b].map((value) => linear(value / 255))
      return 0.2126 * x + 0.7152 * y + 0.0722 * z
    }
    const contrast = (a, b) => {
      const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
      return (high + 0.05) / (low + 0.05)
    }
    for (const element of document.querySelectorAll('main *')) {
      const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
      if (!text || !visible(element) || element.tagName === 'OPTION') continue
      const under = behind(element)
      if (contrast(over(layers(getComputedStyle(element).color), under), under) < 4.5) found.push('low contrast: ' + name(element))
    }
    for (const field of document.querySelectorAll('input[type=text], input[type=email], select, .slots label')) {
      const outside = behind(field.parentElement)
      const border = over(layers(getComputedStyle(field).borderTopColor), outside)
      if (visible(field) && contrast(border, outside) < 3) found.push('faint border: ' + name(field))
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways')
    return [...new Set(found)]
  })()`)
}
