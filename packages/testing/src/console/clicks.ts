import type { Page } from 'playwright-core'

/** Counts what a hand does: each press of a button of the mouse, and each choice in a list that the browser opens. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0
  await page.exposeFunction('oneMoreClick', () => clicks++)
  await page.addInitScript(`
    addEventListener('pointerdown', () => oneMoreClick(), true)
    addEventListener('change', ({ target }) => target.tagName === 'SELECT' && oneMoreClick(), true)
  `)
  // What the page called is counted here once it has been answered.
  return async () => {
    await page.evaluate('Promise.resolve()')
    return clicks
  }
}
