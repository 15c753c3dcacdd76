import { describe, expect, test } from 'vitest'
import { decisionProblems, numberProblems } from './decisions.ts'
import { readProse } from './read.ts'
import { findProblems } from './rules.ts'

const found = (path: string, text: string) =>
  readProse(path, text)
    .flatMap(findProblems)
    .map((problem) => `${problem.line}: ${problem.found}`)

const inProduct = 'packages/a'
const inCli = 'packages/cli'
const inConsole = 'packages/console'
const long = Array.from({ length: 36 }, () => 'word').join(' ')

describe('planted breaches', () => {
  test.each([
    ['a listed word in a comment', 'a.ts', 'const a = 1\n// Waits for whoever asks.\n', ['2: whoever']],
    ['a hidden subject', 'a.ts', '/** Those that wait. */\nconst a = 1\n', ['1: Those that wait.']],
    ['a long sentence over two lines', 'a.ts', `// ${long}\n// ${long}.\n`, [`1: ${long.slice(0, 40)}…`]],
    ['a listed word in SQL', 'a.sql', 'select 1;\n-- Kept for good.\n', ['2: for good']],
    ['a listed word in a setting of operators', 'a.yaml', 'a: 1 # b\n  # Kept for good.\n', ['2: for good']],
    ['a listed word in a script', '.ci/run', '#!/bin/sh\n# It goes on.\n', ['2: goes on']],
    ['a listed word in a style', 'a.css', 'a { }\n/* For nobody\n here. */\n', ['2: nobody']],
    ['a listed word in a page', 'a.md', '# A\n\n- A row that\n  nobody reads.\n', ['3: nobody']],
    ['a listed word in the name of a test', 'a.test.ts', "test.each([1])('nobody waits', () => {})\n", ['1: nobody']],
    [
      'a listed word in a text',
      `${inProduct}/b.ts`,
      'export const a = { b: `The lead ${c} goes on` }\n',
      ['1: goes on'],
    ],
    ['a listed word in a log line', `${inProduct}/b.ts`, "log({ reason: 'The poll goes on here' })\n", ['1: goes on']],
    ['a listed word in a help text', `${inCli}/a.ts`, "c.description('makes a file anew')\n", ['1: anew']],
    [
      'a listed word in the console',
      `${inConsole}/a.messages.ts`,
      "const a = { b: 'Nobody waits here' }\n",
      ['1: Nobody'],
    ],
    ['a listed word in a docstring', 'a.ts', '/**\n * Mended at the start.\n */\nconst a = 1\n', ['1: Mended']],
    ['a listed word in an error', `${inProduct}/b.ts`, "throw new Error('Nobody has read it.')\n", ['1: Nobody']],
  ])('%s is found', (_name, path, text, problems) => expect(found(path, text)).toEqual(problems))

  test.each([
    'whoever',
    'whom',
    'nobody',
    'somebody',
    'anybody',
    'whomever',
    'anew',
    'for good',
    'mends',
    'goes on',
    'of our own',
  ])('the word "%s" is found', (word) => expect(found('a.ts', `// It has ${word} in it.\n`)).toEqual([`1: ${word}`]))

  test.each(['Of', 'What', 'Who', 'Whom', 'Whoever', 'Whose', 'Those', 'One that', 'Behind', 'Whatever'])(
    'a comment that begins with "%s" is found',
    (start) =>
      expect(found('a.ts', `/** ${start} is here. */\n`)).toContain(
        `1: ${`${start} is here.`.split(' ', 3).join(' ')}`,
      ),
  )

  test.each([
    ['a string of code', `${inProduct}/b.ts`, "const a = 'nobody'\n"],
    ['a name in backticks', 'a.ts', '// Sets `nobody` in the row.\n'],
    ['an address', 'a.md', 'See https://example.com/nobody for it.\n'],
    ['a block of code in a page', 'a.md', '```\nnobody\n```\n'],
    ['a directive of the linter', 'a.ts', '// oxlint-disable-next-line no-empty -- nobody reads it\n'],
  ])('%s is not prose', (_name, path, text) => expect(found(path, text)).toEqual([]))

  const decision = '# Claim jobs per account\n\n## Context\n\nA.\n\n## Decision\n\nB.\n\n## Consequences\n\nC.\n'

  test('a decision with title and headings is correct', () => expect(decisionProblems(decision)).toEqual([]))

  test.each([
    ['without a heading', decision.replace('## Decision\n', ''), 'Decision'],
    [
      'with headings in another order',
      decision.replace('Context', 'x').replace('Decision', 'Context').replace('x', 'Decision'),
      'Decision, Context, Consequences',
    ],
    ['with a fourth heading', `${decision}\n## Notes\n`, 'Context, Decision, Consequences, Notes'],
    ['with a number in its title', decision.replace('# Claim', '# 0010 Claim'), '# 0010 Claim jobs per account'],
    ['with more than 60 lines', `${decision}${'x\n'.repeat(60)}`, '73 lines'],
  ])('a decision %s is found', (_name, text, problem) =>
    expect(decisionProblems(text).map((one) => one.found)).toEqual([problem]),
  )

  test.each([
    ['without gaps', ['0001-a.md', '0002-b.md'], []],
    ['that begin with another number', ['0002-a.md', '0003-b.md'], ['0002-a.md']],
    ['with a gap', ['0001-a.md', '0004-c.md', '0003-b.md'], ['0003-b.md']],
    ['with a number twice', ['0001-a.md', '0002-b.md', '0002-c.md'], ['0002-c.md']],
    ['with a file without a number', ['0001-a.md', 'index.md'], ['index.md']],
  ])('decisions %s', (_name, paths, problems) => expect(numberProblems(paths).map((one) => one.path)).toEqual(problems))
})
