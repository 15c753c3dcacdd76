import { execFileSync } from 'node:child_process'
import { subjectProblem } from './subjects.ts'

/** Checks the subjects of the commits of a range, which is `origin/main..HEAD` unless another one is named. */
const [range = 'origin/main..HEAD'] = process.argv.slice(2)
const log = execFileSync('git', ['log', '--no-merges', '--format=%h %s', range], { encoding: 'utf8' })
for (const line of log.split('\n').filter((one) => one !== '')) {
  const subject = line.slice(line.indexOf(' ') + 1)
  const problem = subjectProblem(subject)
  if (problem === null) continue
  process.stderr.write(`${line}\n  ${problem}\n`)
  process.exitCode = 1
}
