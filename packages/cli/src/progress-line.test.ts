import { expect, test } from 'vitest'
import { ProgressLine } from './progress-line.ts'

function terminal() {
  const written: string[] = []
  return { written, write: (text: string) => written.push(text) }
}

test('a line is written once per percent over itself, and ended once', () => {
  const screen = terminal()
  const line = new ProgressLine(screen)
  for (let done = 0; done <= 10_000; done++) line.show(done, 10_000)
  line.end()
  line.end()
  expect(screen.written).toHaveLength(102)
  expect(screen.written.slice(0, 101).every((text, percent) => text.endsWith(` ${percent} %`))).toBe(true)
  expect(new Set(screen.written.slice(0, 101).map((text) => text.length)).size).toBe(1)
  expect(screen.written.slice(0, 101).every((text) => text.startsWith('\r'))).toBe(true)
  expect(screen.written.at(-1)).toBe('\n')
})

test('a progress over the total shows 100 %, and one that never started writes nothing', () => {
  const screen = terminal()
  const line = new ProgressLine(screen)
  line.end()
  line.show(0, 0)
  line.show(30, 20)
  expect(screen.written).toEqual([expect.stringContaining(' 100 %')])
})
