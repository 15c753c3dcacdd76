import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core'

/** A page that records every console error, policy violation and request to another origin as a failure. */
export interface WatchedPage extends Page {
  /** Accepts a console error that the test causes on purpose, such as the browser's message about a 4xx response. */
  expectProblem(pattern: RegExp): void
  /** The violations that axe finds on the page now, by all rules or by the given ones. */
  accessibility(rules?: readonly string[]): Promise<string[]>
  /** Closes the page and returns all recorded problems. */
  finish(): Promise<string[]>
}

type WatchedContext = BrowserContext & { newWatchedPage(): Promise<WatchedPage> }

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Ends a hanging action. It is long, since actions are slow on a busy machine. */
const actionTimeoutMs = 300_000
/** Delays each request to the API or its response by up to this time, to find tests and pages that do not wait for a response. */
const slowRequestsMs = Number(process.env['SLOW_REQUESTS'] ?? 0)

export async function createWatchedContext(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<WatchedContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  if (slowRequestsMs > 0) {
    let isOffline = false
    const setOffline = context.setOffline.bind(context)
    context.setOffline = (offline) => {
      isOffline = offline
      return setOffline(offline)
    }
    // The page may be closed by now.
    await context.route('**/v2/**', (route) => delayed(route, () => isOffline).catch(() => undefined))
  }
  return Object.assign(context, {
    async newWatchedPage() {
      return watch(await context.newPage(), url)
    },
  })
}

/** Delays the request or its response. Events about a change arrive before a response that is delayed. */
async function delayed(route: Route, isOffline: () => boolean): Promise<void> {
  const delayMs = Math.random() * slowRequestsMs
  const isPlain = route.request().resourceType() === 'fetch' && !isStream(route.request())
  // Playwright itself would send the request of a page that is offline.
  if (!isPlain || isOffline() || Math.random() < 0.5) {
    await sleep(delayMs)
    return route.fallback()
  }
  const response = await route.fetch({ timeout: actionTimeoutMs })
  await sleep(delayMs)
  return route.fulfill({ response })
}

function isStream(request: Request): boolean {
  return request.headers()['accept']?.includes('text/event-stream') ?? false
}

function watch(page: Page, url: string): WatchedPage {
  page.setDefaultTimeout(actionTimeoutMs)
  const problems: string[] = []
  const expected: RegExp[] = []
  const { origin } = new URL(url)
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.protocol.startsWith('http') && target.origin !== origin) problems.push(`foreign request: ${target.href}`)
  })
  return Object.assign(page, {
    expectProblem: (pattern: RegExp) => void expected.push(pattern),
    accessibility: (rules?: readonly string[]) => findings(page, rules),
    async finish() {
      const found = page.isClosed() || !page.url().startsWith(url) ? [] : await findingsFromTop(page)
      await page.context().close()
      return [...problems.filter((one) => !expected.some((pattern) => pattern.test(one))), ...found]
    },
  })
}

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** A scrolled page has targets that are half below its sticky bar, which axe reports as too small. */
async function findingsFromTop(page: Page): Promise<string[]> {
  await page.evaluate('scrollTo(0, 0)')
  return findings(page)
}

// Evaluates axe instead of adding a script tag, which the content security policy blocks.
async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A table is dimmed until its new rows are here. Dimmed text that can't be used has no contrast requirement (WCAG 2.2, 1.4.3).
  await page.locator('table[aria-busy="true"]').first().waitFor({ state: 'detached' })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      return axe.run(options)
    },
    // No rule of these reads style sheets or media, which axe would load again for each check.
    { runOnly, iframes: false, preload: false, resultTypes: ['violations'] },
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      (node) =>
        `axe ${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''} at ${new URL(page.url()).pathname}`,
    ),
  )
}
