import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { readBuilt, type BuiltSite } from '@overture/site/digest.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { hasChromium, launchChromium } from '@overture/testing/chromium.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const root = resolve(import.meta.dirname, '..')
const pageMs = 120_000

let server: TestServer
let site: BuiltSite
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '-s', 'docs'], { cwd: root })
  site = (await readBuilt())!
  server = await startWholeServer()
})
afterAll(() => server.stop())

const pages = () => site.files.map(({ path }) => path).filter((path) => path.endsWith('.html') && path !== '404.html')
const addressOf = (path: string) => `${server.url}/docs/${path.replace(/(?:^index)?\.html$/, '')}`

test('every page is served with a policy that allows only its own inline scripts', async () => {
  expect(pages().length).toBeGreaterThan(80)
  for (const path of pages()) {
    const answer = await fetch(addressOf(path))
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('content-security-policy')!
    const [, scripts = ''] = /script-src ([^;]+)/.exec(policy)!
    expect(scripts).not.toContain('unsafe')
    expect(scripts.split(' ').length).toBe(site.scriptHashes.length + 1)
    expect(policy).toContain("default-src 'none'")
  }
  expect((await fetch(`${server.url}/docs/nothing`)).status).toBe(404)
  expect((await fetch(`${server.url}/docs/../README.md`)).status).toBe(404)
})

test('each link on a page leads to an existing page and section', async () => {
  const html = new Map<string, string>()
  for (const path of pages()) html.set(new URL(addressOf(path)).pathname, await (await fetch(addressOf(path))).text())
  const lost: string[] = []
  for (const [path, text] of html) {
    const main = text.slice(text.indexOf('id="VPContent"'))
    for (const [, href] of main.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href!.replaceAll('&amp;', '&'), `${server.url}${path}`)
      if (origin !== server.url || !pathname.startsWith('/docs') || pathname === '/docs/api') continue
      const page = html.get(pathname.replace(/\.html$/, ''))
      const place = decodeURIComponent(hash.slice(1))
      if (page === undefined || (place !== '' && !page.includes(`id="${place}"`))) lost.push(`${path} → ${href}`)
    }
  }
  expect(lost).toEqual([])
})

test('the reference has each operation with all ways to call it', async () => {
  const texts: string[] = []
  for (const path of pages().filter((one) => one.startsWith('reference/')))
    texts.push(await (await fetch(`${server.url}/docs/${path.replace(/html$/, 'md')}`)).text())
  const lines = new Set(texts.join('\n').split('\n'))
  const wanted = allEndpoints.flatMap(({ call, method, path, summary, open, outputType, ...endpoint }) => {
    const ids = [...path.matchAll(/:\w+/g)].length
    const place = [`## ${summary} {#${call.replaceAll('.', '-').toLowerCase()}}`]
    place.push(`\`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``)
    if (open || outputType === 'text/event-stream') return place
    const plain = ids === 0 && endpoint.body === undefined && endpoint.bodyType === undefined
    return plain && !['suggest', 'grouped', 'adminConsent', 'holidays.get'].some((word) => call.includes(word))
      ? [...place, `const answer = await overture.${call}()`, `npx overture api ${call}`]
      : place
  })
  expect(wanted.filter((line) => !lines.has(line))).toEqual([])
})

test('a client without compression gets uncompressed pages', async () => {
  const plain = await fetch(`${server.url}/docs/delivery`, { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, expect.stringContaining('<html')])
})

describe.skipIf(lacks('Chromium', hasChromium))('in a browser without internet', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  /** Opens a page that can reach only this server, and records its problems. */
  async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext(options)
    const problems: string[] = []
    await context.route('**/*', (route) => {
      const url = new URL(route.request().url())
      if (url.origin === server.url || !url.protocol.startsWith('http')) return route.continue()
      problems.push(`asked ${url.origin}`)
      return route.abort()
    })
    const page = await context.newPage()
    page.setDefaultTimeout(pageMs)
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    return { page, problems }
  }

  test('the search finds pages and reference sections and opens them', async () => {
    const { page, problems } = await open()
    await page.goto(`${server.url}/docs`)
    for (const [word, place] of [
      ['greylisting', '/docs/delivery'],
      ['launch a campaign', '/docs/reference/campaigns#campaigns-launch'],
    ] as const) {
      await page.locator('#local-search button, .DocSearch-Button').first().click()
      await page.locator('#localsearch-input').fill(word)
      const found = page.locator(`#localsearch-list a[href^="${place}"]`).first()
      await found.click()
      await page.waitForURL(`**${place.split('#')[0]}**`)
    }
    expect(problems).toEqual([])
  })

  test('tabs show the same call in each language', async () => {
    const { page, problems } = await open()
    await page.goto(`${server.url}/docs/reference/campaigns`)
    const group = page.locator('.vp-code-group').first()
    for (const tab of ['curl', 'TypeScript', 'CLI']) {
      await group.locator('.tabs label', { hasText: tab }).click()
      const start = tab === 'curl' ? 'curl -sS' : tab === 'CLI' ? 'npx overture api' : 'await overture.'
      await until(
        () => group.locator('div[class*="language-"].active').innerText(),
        (text) => text.includes(start),
      )
    }
    expect(problems).toEqual([])
  })

  test.each([
    ['light', 1280],
    ['light', 390],
    ['dark', 1280],
    ['dark', 390],
  ] as const)(
    'in the %s theme at %i pixels pages fit, and no other server is contacted',
    async (colorScheme, width) => {
      const { page, problems } = await open({ colorScheme, viewport: { width, height: 844 } })
      for (const path of ['', 'delivery', 'contract', 'metrics', 'reference/campaigns', 'cli']) {
        await page.goto(`${server.url}/docs/${path}`)
        await page.locator('.VPContent').waitFor()
        const html = page.locator('html')
        const dark = await html.evaluate((element) => element.classList.contains('dark'))
        const wider = await html.evaluate((element) => element.scrollWidth - element.clientWidth)
        expect([path, dark, wider]).toEqual([path, colorScheme === 'dark', 0])
        const folder = process.env['DOCS_SCREENSHOTS']
        if (folder)
          await page.screenshot({
            path: `${folder}/${path.replaceAll('/', '-') || 'home'}-${colorScheme}-${width}.png`,
          })
      }
      expect(problems).toEqual([])
    },
  )
})
