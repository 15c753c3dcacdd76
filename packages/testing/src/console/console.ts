import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtFolder, inputsDigest, readBuilt } from '@overture/console/digest.ts'
import { Overture } from '@overture/sdk'
import { parseConfig } from '@overture/server/platform/config.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { startOverture } from '@overture/server/composition/start.ts'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../chromium.ts'
import { createTestDatabase } from '../database.ts'
import { liftLimits, roomySessions } from '../server/limits.ts'
import { prepared } from '../time-spent.ts'
import { createWatchedContext, type WatchedPage } from './watched-page.ts'

export const owner = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'nine quiet lanterns drift' }

export interface PageOptions {
  width?: number
  height?: number
  dark?: boolean
  /** False if no user is signed in. */
  signedIn?: boolean
}

/** The product with its console in a browser, and a client of its API. */
export interface ConsoleWorld {
  url: string
  /** The setup link that the server printed. Opening it creates the first account. */
  setupLink: string
  api: Overture
  live: Overture
  databaseUrl: string
  page(options?: PageOptions): Promise<WatchedPage>
  /** Stops the server and starts it again at the same address. `meanwhile` runs while the server is down. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  /** The text of the open pages, for the report of a failed test. */
  said(): Promise<string>
  /** Closes the open pages and returns the problems found on them. */
  finish(): Promise<string[]>
  stop(): Promise<void>
}

/** Moving the clock takes long on a busy machine, and a repeated request would be refused. */
const answerTimeoutMs = 10 * 60_000

export async function openConsole({
  environment = {},
  setUp = true,
}: { environment?: Record<string, string>; setUp?: boolean } = {}): Promise<ConsoleWorld> {
  await prepared('console build', buildConsole)
  const [database, folder, browser] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'overture-console-')),
    prepared('browser', launchChromium),
  ])
  const start = startIn(folder, { DATABASE_URL: database.url, ...environment })
  let { server, lines } = await prepared('server', () => start('0'))
  await liftLimits(database.url)
  const printedKey = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? ''
  const { url } = server
  const world: ConsoleWorld = {
    url,
    databaseUrl: database.url,
    setupLink: printedKey('console: '),
    api: new Overture({ apiKey: printedKey('test key: '), baseUrl: url, timeoutMs: answerTimeoutMs }),
    live: new Overture({ apiKey: printedKey('live key: '), baseUrl: url, timeoutMs: answerTimeoutMs }),
    ...openPages(browser, url),
    async restart(meanwhile) {
      await server.stop()
      await meanwhile?.()
      server = (await start(new URL(url).port)).server
    },
    async stop() {
      await browser.close()
      await server.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  if (setUp) await setUpOwner(world)
  return world
}

function startIn(folder: string, environment: Record<string, string>) {
  return async (port: string): Promise<{ server: Awaited<ReturnType<typeof startOverture>>; lines: string[] }> => {
    const config = parseConfig({ OVERTURE_DATA_DIR: folder, PORT: port, LOG_LEVEL: 'error', ...environment }, folder)
    const lines: string[] = []
    const server = await startOverture({
      config,
      log: createLogger('error'),
      print: (line) => lines.push(line),
      sessionRates: roomySessions,
    })
    return { server, lines }
  }
}

const saidMax = 4_000

function openPages(browser: Browser, url: string): Pick<ConsoleWorld, 'page' | 'said' | 'finish'> {
  const open: WatchedPage[] = []
  return {
    async page({ width = 1280, height = 860, dark = false, signedIn = true } = {}) {
      const context = await createWatchedContext(browser, url, {
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
      })
      if (signedIn) {
        const { email, password } = owner
        const answer = await context.request.post(`${url}/v2/auth/login`, {
          data: { email, password },
          headers: { origin: url },
        })
        if (!answer.ok()) throw new Error(`No session: ${await answer.text()}`)
      }
      const page = await context.newWatchedPage()
      open.push(page)
      return page
    },
    async said() {
      const texts = open.map(async (page) =>
        `${page.url()}\n${await page.locator('body').innerText()}`.slice(0, saidMax),
      )
      return (await Promise.all(texts.map((text) => text.catch(String)))).join('\n')
    },
    async finish() {
      const found = await Promise.all(open.splice(0).map((page) => page.finish()))
      return found.flat()
    },
  }
}

async function setUpOwner({ url, setupLink }: ConsoleWorld): Promise<void> {
  const answer = await fetch(`${url}/v2/auth/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: setupLink.split('#')[1], ...owner }),
  })
  if (!answer.ok) throw new Error(`No owner: ${await answer.text()}`)
}

const buildTriesMax = 3

/**
 * Builds the console as `npm install` does, unless the build is current. Retries, since another test file may build it at the same
 * time.
 */
export async function buildConsole(): Promise<void> {
  const loader = createRequire(import.meta.url).resolve('tsx')
  for (let tries = 1; ; tries++) {
    const [digest, built] = await Promise.all([inputsDigest(), readBuilt()])
    if (built?.digest === digest) return
    const failure = await promisify(execFile)(process.execPath, [
      '--import',
      loader,
      join(builtFolder, '../build.ts'),
    ]).then(
      () => null,
      (error: Error) => error,
    )
    if (failure !== null && tries === buildTriesMax) throw failure
  }
}
