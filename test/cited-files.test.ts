import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|tsx|md|sql|mjs|yaml)$/.test(path) && existsSync(join(root, path)))

interface Citation {
  from: string
  path: string
}

/** The files that a text names by their path from the root, and the targets of its Markdown links. */
function citations(from: string, text: string): Citation[] {
  const named = text.matchAll(
    /(?<![\w/.@-])((?:docs|packages|test|bench|examples)\/[\w./-]*\.(?:md|ts|tsx|sql|json|mjs))\b/g,
  )
  const linked = from.endsWith('.md') ? text.matchAll(/\]\((?!https?:|#|mailto:|\/)([^)#\s]+)(?:#[^)]*)?\)/g) : []
  return [
    ...Array.from(named, ([, path = '']) => ({ from, path })),
    ...Array.from(linked, ([, path = '']) => ({ from, path: join(dirname(from), path) })),
  ]
}

/** The sections of pages that a comment names: `docs/contract.md, "Leads"`. */
function sections(from: string, text: string): Citation[] {
  return Array.from(text.matchAll(/(docs\/[\w/-]+\.md), "([^"\n]+)"/g), ([, page = '', title = '']) => ({
    from,
    path: `${page}#${title}`,
  }))
}

const decisions = readdirSync(join(root, 'docs/decisions'))

/** The decisions that a text names by their numbers alone: `decision 0004`, in a decision also `(0004)` and `[0004]`. */
function numbers(from: string, text: string): Citation[] {
  const inDecision = from.startsWith('docs/decisions/') ? text.matchAll(/[[(](0\d{3})[\])]/g) : []
  return [...text.matchAll(/\bdecisions? (0\d{3})\b/gi), ...inDecision].map(([, number = '']) => {
    const file = decisions.find((name) => name.startsWith(`${number}-`)) ?? number
    return { from, path: `docs/decisions/${file}` }
  })
}

function isThere({ path }: Citation): boolean {
  const [page = '', title] = path.split('#')
  if (!existsSync(join(root, page))) return false
  return title === undefined || readFileSync(join(root, page), 'utf8').includes(`## ${title}`)
}

// Names of files that users create or that exist only in examples; they are not citations.
const invented = new Set([
  'test/cited-files.test.ts',
  'test/architecture.test.ts',
  'test/house/report/unit-tests.test.ts',
  'CHANGELOG.md',
])

const all = files
  .filter((path) => !invented.has(path))
  .flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...citations(path, text), ...sections(path, text), ...numbers(path, text)]
  })

test('every cited file and section exists', () => {
  expect(all.length).toBeGreaterThan(150)
  expect(all.filter((citation) => !isThere(citation))).toEqual([])
})

test.each([
  ['a page that does not exist', '// Source: docs/nowhere.md.'],
  ['a section that does not exist', '// Source: docs/contract.md, "Nothing".'],
  ['a file that does not exist', '// See packages/server/src/nowhere.ts.'],
  ['the number of a decision that does not exist', '// See decision 0999.'],
])('a planted citation is found: %s', (_name, text) => {
  const found = [...citations('x.ts', text), ...sections('x.ts', text), ...numbers('x.ts', text)]
  expect(found.some((citation) => !isThere(citation))).toBe(true)
})

test('no comment cites a document outside the repository', () => {
  const papers = /\b(?:contract|published) \d+(?:\.\d+)?\b|\bissue "|\(F\d+\)|'F\d+'/
  const citing = files
    .filter((path) => /^(packages|test|bench)\/.*\.(ts|sql)$/.test(path) && !invented.has(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .filter((line) => papers.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    )
  expect(citing).toEqual([])
})
