import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { owner } from '@overture/testing/console/console.ts'
import { countClicks } from '@overture/testing/console/clicks.ts'
import { createWatchedContext, type WatchedPage } from '@overture/testing/console/watched-page.ts'
import { Overture } from '@overture/sdk'
import { launchChromium } from '@overture/testing/chromium.ts'

/** The product as `npm start` runs it, in an empty folder and its own process, with a user at its console. */
export interface Product {
  url: string
  setupLink: string
  api: Overture
  live: Overture
  /** Opens a page of a signed-in user. `clicks` counts the clicks on it. */
  open(path: string): Promise<{ page: WatchedPage; clicks: () => Promise<number> }>
  openSignedOut(): Promise<{ page: WatchedPage; clicks: () => Promise<number> }>
  stop(): Promise<void>
}

export async function startProduct(environment: Record<string, string>): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-bench-'))
  const server = spawn(process.execPath, ['--import', 'tsx', 'packages/server/src/composition/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = await firstLines(createInterface(server.stdout), ['test key: ', 'live key: ', 'console: '])
  const [testKey = '', liveKey = '', setupLink = ''] = lines
  const url = new URL(setupLink).origin
  const browser = await launchChromium()
  const newPage = async () => {
    const context = await createWatchedContext(browser, url, { viewport: { width: 1280, height: 860 } })
    const page = await context.newWatchedPage()
    return { page, clicks: await countClicks(page) }
  }
  return {
    url,
    setupLink,
    api: new Overture({ apiKey: testKey, baseUrl: url }),
    live: new Overture({ apiKey: liveKey, baseUrl: url }),
    openSignedOut: newPage,
    async open(path) {
      const opened = await newPage()
      const { email, password } = owner
      const answer = await opened.page.context().request.post(`${url}/v2/auth/login`, {
        data: { email, password },
        headers: { origin: url },
      })
      if (!answer.ok()) throw new Error(`No session: ${await answer.text()}`)
      await opened.page.goto(`${url}/app/${path}`)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    },
    async stop() {
      await browser.close()
      server.kill('SIGTERM')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the rest of the first line with each of these prefixes, once all were printed. */
async function firstLines(lines: AsyncIterable<string>, beginnings: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>()
  for await (const line of lines) {
    const beginning = beginnings.find((one) => line.startsWith(one))
    if (beginning !== undefined) found.set(beginning, line.slice(beginning.length))
    if (found.size === beginnings.length) return beginnings.map((one) => found.get(one)!)
  }
  throw new Error('The product ended before it had started.')
}
