import type { Locator, Page } from 'playwright-core'

const stopsMax = 150

/** Presses Tab until the target has the focus, like a user without a mouse. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = () => target.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let stops = 0; stops < stopsMax; stops++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No ${stopsMax} times Tab lead to ${String(target)}.`)
}

/** Focuses the target by Tab and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

/** Focuses the target by Tab and replaces its text. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
