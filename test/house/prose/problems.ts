import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { decisionProblems, numberProblems } from './decisions.ts'
import { readProse } from './read.ts'
import { findProblems, type ProseProblem } from './rules.ts'

const root = resolve(import.meta.dirname, '../../..')
/** Programs, pages, statements, styles, and the files of operators and of CI. */
const hasProse =
  /\.(?:tsx?|[mc]?js|sql|md|css|ya?ml|service|example)$|(?:^|\/)(?:Dockerfile|Caddyfile|\.ci\/[\w-]+|citus\/run|install-n8n)$/
/** Files that quote what others wrote, are generated, or hold the words of the rules. */
const leftOut = [
  /^CHANGELOG\.md$/,
  /(?:^|\/)LICENSE\.md$/,
  /^packages\/sdk\/src\/generated\//,
  /^packages\/server\/schema\.sql$/,
  /^test\/house\/prose\//,
  /\/samples\//,
]

export interface FileProblem extends ProseProblem {
  path: string
}

/** Every breach of the rules of writing in the files of the repository, in the order of the files. */
export function proseProblems(): FileProblem[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  const paths = listed
    .split('\n')
    .filter((path) => hasProse.test(path) && !leftOut.some((one) => one.test(path)))
    .filter((path) => existsSync(join(root, path)))
  const isDecision = (path: string) => path.startsWith('docs/decisions/')
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const form = isDecision(path) ? decisionProblems(text) : []
    return [...readProse(path, text).flatMap(findProblems), ...form].map((problem) => ({ path, ...problem }))
  })
  return [...found, ...numberProblems(paths.filter(isDecision))]
}
