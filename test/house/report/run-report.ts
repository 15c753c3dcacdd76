import { relative } from 'node:path'
import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type {} from '../../../packages/testing/src/console/world.ts'
import { lackingPrefix } from '../../../packages/testing/src/tools.ts'

export interface TimeSpent {
  /** CPU time of the process that ran the file, including its threads, in milliseconds. */
  cpuMs: number
  /** Time by preparation, in milliseconds. */
  preparations: Readonly<Record<string, number>>
}

export interface FileTimes {
  path: string
  /** Time of hooks and tests, in milliseconds. */
  testsMs: number
  /** Time to load the file and its imports, in milliseconds. */
  importMs: number
  spent: TimeSpent
}

const slowestMax = 30
const skipsMax = 200
const pagesMax = 5

/** Prints what the pages of failed tests showed, the slowest files of a run, the number of skipped tests, and what to install for them. */
export class RunReport implements Reporter {
  readonly #root: string
  readonly #print: (text: string) => void
  readonly #lacking = new Set<string>()

  constructor(root: string, print = (text: string) => void process.stdout.write(text)) {
    this.#root = root
    this.#print = print
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const line of content.split('\n')) if (line.startsWith(lackingPrefix)) this.#lacking.add(line)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')])
    const pages = failed.map((test) => ({ name: test.name, said: test.meta().said ?? '' }))
    const lines = [...pageLines(pages), ...skipLines(skipped.map(describeSkip), this.#lacking), '']
    if (modules.length > 1) lines.push(...buildTable(modules.map((module) => readTimes(this.#root, module))))
    this.#print(`${lines.join('\n')}\n`)
  }
}

function readTimes(root: string, module: TestModule): FileTimes {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  const spent = module.meta().timeSpent ?? { cpuMs: 0, preparations: {} }
  return { path: relative(root, module.moduleId), testsMs: duration, importMs: collectDuration + setupDuration, spent }
}

function describeSkip(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return `${test.module.relativeModuleId}: ${test.name}${note === undefined ? '' : ` (${note})`}`
}

/** Lines with the texts of the pages that failed tests left open. A test that waited too long is explained by nothing else. */
export function pageLines(pages: readonly { name: string; said: string }[]): string[] {
  const shown = pages.filter(({ said }) => said !== '').slice(0, pagesMax)
  return shown.flatMap(({ name, said }) => [
    '',
    `The pages of the failed test “${name}”:`,
    said.replaceAll(/\s*\n\s*/g, ' | '),
  ])
}

/** Lines with the number of skipped tests, the missing programs and the tests. Empty if no test was skipped. */
export function skipLines(skips: readonly string[], lacking: ReadonlySet<string>): string[] {
  if (skips.length === 0) return []
  const shown = skips.toSorted().slice(0, skipsMax)
  const hidden = skips.length - shown.length
  const more = hidden > 0 ? [`  and ${hidden} more`] : []
  return [
    '',
    `Skipped tests: ${skips.length}`,
    ...[...lacking].toSorted(),
    ...shown.map((line) => `  ${line}`),
    ...more,
  ]
}

/** A table of the slowest files with their seconds, CPU time and preparations. */
export function buildTable(files: readonly FileTimes[]): string[] {
  const totalMs = (times: FileTimes) => times.testsMs + times.importMs
  const slowest = files.toSorted((a, b) => totalMs(b) - totalMs(a)).slice(0, slowestMax)
  const sum = (part: (times: FileTimes) => number) => seconds(files.reduce((all, times) => all + part(times), 0))
  const head = `  ${'tests'.padStart(7)} ${'import'.padStart(7)} ${'CPU'.padStart(7)}  file, and the seconds that it prepared`
  const rows = slowest.map(({ path, testsMs, importMs, spent }) => {
    const parts = Object.entries(spent.preparations).filter(([, ms]) => ms >= 500)
    const prepared = parts.map(([what, ms]) => `${what} ${seconds(ms)}`).join(', ')
    return `  ${column(testsMs)} ${column(importMs)} ${column(spent.cpuMs)}  ${path}${prepared === '' ? '' : ` (${prepared})`}`
  })
  const all = `All ${files.length} files: tests ${sum((one) => one.testsMs)} s, import ${sum((one) => one.importMs)} s`
  return ['Slowest files, in seconds:', head, ...rows, `${all}, CPU ${sum((one) => one.spent.cpuMs)} s`]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

function column(ms: number): string {
  return seconds(ms).padStart(7)
}
