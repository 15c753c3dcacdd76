import type { WatchedPage } from './watched-page.ts'

const triesMax = 20

/** Stops the page's clock, so that only the test moves it. Call `install` on the clock first. */
export async function holdTime(page: WatchedPage): Promise<void> {
  for (let tries = 1; ; tries++) {
    const now = await page.evaluate<number>('Date.now()')
    try {
      // On a busy machine this moment may have passed before the page receives it.
      await page.clock.pauseAt(now + 1_000)
      return
    } catch (error) {
      if (tries === triesMax) throw error
    }
  }
}
