import type { Locator, Page } from 'playwright-core'

const stopsMax = 150

/** Tab by Tab until it has the focus, as somebody without a mouse gets there. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = () => target.evaluate((element) => element === element.ownerDocument.activeElement)
  for (let stops = 0; stops < stopsMax; stops++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No ${stopsMax} times Tab lead to ${String(target)}.`)
}

/** Goes there and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

/** Goes there and writes, instead of what stood there. */
export async function write(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}
