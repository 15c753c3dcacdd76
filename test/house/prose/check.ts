import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countsOf, grown, proseProblems } from './count.ts'

/**
 * Fails if a folder has more breaches of docs/writing.md than `remaining.json` allows. `--write` stores the present counts,
 * which may only fall; `--list FOLDER` prints the breaches of a folder.
 */
const path = join(import.meta.dirname, 'remaining.json')
const allowed = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>
const problems = proseProblems()
const [command, folder = ''] = process.argv.slice(2)

if (command === '--list') {
  for (const { path: file, line, rule, found } of problems)
    if (file.startsWith(folder)) process.stdout.write(`${file}:${line}: ${found}: ${rule}\n`)
} else {
  const lines = grown(problems, allowed)
  if (lines.length > 0) {
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = 1
  } else if (command === '--write') writeFileSync(path, `${JSON.stringify(countsOf(problems), null, 2)}\n`)
}
