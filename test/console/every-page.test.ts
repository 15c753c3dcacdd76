import { beforeAll, expect, test } from 'vitest'
import type { ConsoleWorld } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { everyPath, makeEverything } from '@overture/testing/console/every-path.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('every page', (world) => {
  let paths: string[]
  beforeAll(async () => {
    paths = everyPath(await makeEverything(world()))
  })

  const sizes = [
    { width: 1280, height: 860, dark: false, locale: 'en' },
    // The test language has words a third longer, as in other languages: no text may be cut off.
    { width: 390, height: 844, dark: true, locale: 'en-XA' },
  ]

  test.each(sizes)(
    'at $width px, in $locale, in both themes: one heading, own title, accessible, no sideways scrolling',
    async (options) => {
      const page = await world().page(options)
      await page.addInitScript(`localStorage.setItem('overture.locale', '${options.locale}')`)
      // The test opens pages faster than users do. The console retries a 429 after the requested time, and the browser logs the 429.
      page.expectProblem(/status of 429/)
      await page.goto(`${world().url}/app/test/templates`)
      const titles = new Map<string, string>()
      const problems: string[] = []
      for (const path of paths) {
        await goTo(page, `/app/test/${path}`)
        const before = [...titles.keys()].at(-1) ?? ''
        await holds(async () => (await page.title()) !== before && (await page.locator('h1').count()) > 0)
        await settled(page)
        // Names within other texts are not lengthened by the test language, so axe reports a mismatch that isn't real.
        const found = await page.accessibility()
        problems.push(...found.filter((one) => options.locale === 'en' || !/label-content-name-mismatch/.test(one)))
        // The other theme differs only in colors.
        await page.emulateMedia({ colorScheme: options.dark ? 'light' : 'dark' })
        await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) !== themeOf(options))
        problems.push(...(await page.accessibility(['color-contrast'])))
        await page.emulateMedia({ colorScheme: themeOf(options) })
        await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) === themeOf(options))
        const headings = await page.getByRole('heading', { level: 1 }).count()
        if (headings !== 1) problems.push(`${path}: ${headings} main headings`)
        const title = await page.title()
        if (titles.has(title)) problems.push(`${path} and ${titles.get(title)} are both called ${title}`)
        titles.set(title, path)
        if (options.locale === 'en-XA' && !/\[.*·\]/.test(await page.locator('main').innerText()))
          problems.push(`${path} says nothing in the language that was chosen`)
        const over = await sideways(page)
        if (over > 0) problems.push(`${path}: ${over} px wider than the screen`)
      }
      expect(problems).toEqual([])
    },
    eachPageTimeoutMs,
  )

  test.each(['sign-in', 'forgot', 'setup#not-a-token', 'connect', 'connect?problem=redirect'])(
    'before sign-in, %s passes the same checks',
    async (path) => {
      for (const { width, height } of sizes) {
        const page = await world().page({ width, height, signedIn: false })
        await page.goto(`${world().url}/app/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await holds(async () => (await page.evaluate('document.documentElement.dataset.theme')) === colorScheme)
          expect(await page.accessibility()).toEqual([])
          expect(await sideways(page)).toBe(0)
        }
      }
    },
  )
})

type PageOf = Awaited<ReturnType<ConsoleWorld['page']>>

function sideways(page: PageOf): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

function themeOf({ dark }: { dark: boolean }): 'dark' | 'light' {
  return dark ? 'dark' : 'light'
}

/** The test visits dozens of pages twice, also on a busy machine. */
const eachPageTimeoutMs = 30 * 60_000

/** Navigates like a link, so that the console is loaded only once. */
async function goTo(page: PageOf, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

/** Waits until the page has loaded its data: no skeleton and nothing busy. */
async function settled(page: PageOf): Promise<void> {
  await holds(async () => (await page.locator('main [role=status][aria-label=Loading]').count()) === 0)
}
