import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest'
import { lacks } from '../tools.ts'
import { hasChromium } from '../chromium.ts'
import { openConsole, type ConsoleWorld } from './console.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The text of the pages that a failed test left open. The report of the run prints it. */
    said?: string
  }
}

/** Runs console tests in a browser, with one server and one browser per file. Fails if any page recorded a problem. */
export function describeConsole(
  name: string,
  tests: (world: () => ConsoleWorld) => void,
  options: Parameters<typeof openConsole>[0] = {},
): void {
  // A test takes many steps in a real browser.
  vi.setConfig({ testTimeout: 300_000 })
  describe.skipIf(lacks('Chromium', hasChromium))(name, () => {
    let world: ConsoleWorld
    beforeAll(async () => {
      world = await openConsole(options)
    })
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') task.meta.said = await world.said()
      expect(await world.finish()).toEqual([])
    })
    afterAll(() => world?.stop())
    tests(() => world)
  })
}
