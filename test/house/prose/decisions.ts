import type { ProseProblem } from './rules.ts'

const linesMax = 60
const headings = ['Context', 'Decision', 'Consequences']

/** What is wrong with the form of a decision. */
export function decisionProblems(text: string): ProseProblem[] {
  const lines = text.trimEnd().split('\n')
  const problems: ProseProblem[] = []
  const add = (rule: string, found: string) => problems.push({ line: 1, rule, found })
  if (lines.length > linesMax) add(`a decision has ${linesMax} lines at most`, `${lines.length} lines`)
  if (!/^# [A-Z]/.test(text)) add('a decision begins with its title, without a number', lines[0] ?? '')
  const given = lines.flatMap((line) => /^## (.*)$/.exec(line)?.[1] ?? [])
  const missing = headings.filter((heading) => !given.includes(heading))
  for (const heading of missing) add('a decision has this heading', heading)
  if (missing.length === 0 && given.join() !== headings.join())
    add(`the headings of a decision are ${headings.join(', ')}`, given.join(', '))
  return problems
}

export interface NumberProblem extends ProseProblem {
  path: string
}

/** The first decision whose number does not follow that of the file before. The numbers begin with 0001. */
export function numberProblems(paths: readonly string[]): NumberProblem[] {
  const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const sorted = paths.toSorted((a, b) => (fileName(a) < fileName(b) ? -1 : 1))
  const numbers = sorted.map((_, index) => String(index + 1).padStart(4, '0'))
  const first = sorted.findIndex((path, index) => !fileName(path).startsWith(`${numbers[index]}-`))
  if (first === -1) return []
  const rule = `the number of this decision is ${numbers[first]}: they begin with 0001 and have no gaps`
  return [{ path: sorted[first]!, line: 1, rule, found: fileName(sorted[first]!).slice(0, 4) }]
}
