import type { Page } from 'playwright-core'

/** Counts clicks: each press of a mouse button, and each choice in a native select list. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0
  await page.exposeFunction('oneMoreClick', () => clicks++)
  await page.addInitScript(`
    addEventListener('pointerdown', () => oneMoreClick(), true)
    addEventListener('change', ({ target }) => target.tagName === 'SELECT' && oneMoreClick(), true)
  `)
  // A call of the exposed function is counted once the page has received its result.
  return async () => {
    await page.evaluate('Promise.resolve()')
    return clicks
  }
}
