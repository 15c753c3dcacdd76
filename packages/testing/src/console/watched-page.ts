import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A page on which every error of its console, violation of a policy and request to elsewhere is a failure. */
export interface WatchedPage extends Page {
  /** Errors that a test causes on purpose: what the browser says of an answer that refuses. */
  expectProblem(pattern: RegExp): void
  /** What axe finds on the page as it is now, by all of its rules or by some. */
  accessibility(rules?: readonly string[]): Promise<string[]>
  /** Everything that was found; closes the page. */
  finish(): Promise<string[]>
}

type WatchedContext = BrowserContext & { newWatchedPage(): Promise<WatchedPage> }

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Ends what hangs; a machine that does much else takes its time. */
const actionTimeoutMs = 300_000

export async function createWatchedContext(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<WatchedContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  return Object.assign(context, {
    async newWatchedPage() {
      return watch(await context.newPage(), url)
    },
  })
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
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.origin !== origin) problems.push(`foreign request: ${asked.href}`)
  })
  return Object.assign(page, {
    expectProblem: (pattern: RegExp) => void expected.push(pattern),
    accessibility: (rules?: readonly string[]) => findings(page, rules),
    async finish() {
      const found = page.isClosed() || !page.url().startsWith(url) ? [] : await findings(page)
      await page.context().close()
      return [...problems.filter((one) => !expected.some((pattern) => pattern.test(one))), ...found]
    },
  })
}

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

// A script tag would be stopped by the policy, which is right; what the tools evaluate is not.
async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axeSource)
  const runOnly = rules ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      return axe.run(options)
    },
    { runOnly, iframes: false },
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      (node) =>
        `axe ${id}: ${help}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''} at ${new URL(page.url()).pathname}`,
    ),
  )
}
