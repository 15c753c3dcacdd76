import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { lacks } from '../tools.ts'
import { hasChromium, openConsole, type ConsoleWorld } from './console.ts'

/** Tests of the console in a browser: one server and one browser per file, and no page of theirs may have had a problem. */
export function describeConsole(
  name: string,
  tests: (world: () => ConsoleWorld) => void,
  options: Parameters<typeof openConsole>[0] = {},
): void {
  describe.skipIf(lacks('Chromium', hasChromium))(name, () => {
    let world: ConsoleWorld
    beforeAll(async () => {
      world = await openConsole(options)
    })
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') process.stderr.write(`${task.name}: ${await world.said()}\n`)
      expect(await world.finish()).toEqual([])
    })
    afterAll(() => world?.stop())
    tests(() => world)
  })
}
