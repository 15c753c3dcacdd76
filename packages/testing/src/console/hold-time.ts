import type { WatchedPage } from './watched-page.ts'

const triesMax = 20

/** From here on the page's time passes by the test alone; `install` its clock before. */
export async function holdTime(page: WatchedPage): Promise<void> {
  for (let tries = 1; ; tries++) {
    const now = await page.evaluate<number>('Date.now()')
    try {
      // On a busy machine that moment is over before it is asked for.
      await page.clock.pauseAt(now + 1_000)
      return
    } catch (error) {
      if (tries === triesMax) throw error
    }
  }
}
