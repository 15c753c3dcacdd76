import { proseProblems } from './problems.ts'

/** Fails if the repository breaks a rule of docs/writing.md, and prints each breach with its line: `npm run prose`. */
const problems = proseProblems()
for (const { path, line, rule, found } of problems) process.stderr.write(`${path}:${line}: ${found}: ${rule}\n`)
if (problems.length > 0) process.exitCode = 1
