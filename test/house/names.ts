import { readImports, type Module } from './source.ts'

const spans = 'packages/ground/src/time/spans.ts'

const declaredType = /^(?:export )?(?:interface|type|class|enum) ([A-Z]\w*)/gm
const mood = /^[A-Z][a-z]*(?:ed|ing)$/

/** Irregular participles, which the pattern doesn't match. */
const irregular = [
  'Begun',
  'Bound',
  'Brought',
  'Built',
  'Caught',
  'Chosen',
  'Drawn',
  'Found',
  'Given',
  'Gone',
  'Held',
  'Kept',
  'Known',
  'Led',
  'Left',
  'Lost',
  'Made',
  'Met',
  'Paid',
  'Said',
  'Seen',
  'Sent',
  'Shown',
  'Spent',
  'Taken',
  'Told',
  'Understood',
  'Withheld',
  'Worn',
  'Written',
]

/** Nouns that end like a participle. */
const things = ['Booking', 'Encoding', 'Feed', 'Meeting', 'Setting', 'String', 'Wording']

/** Finds types named by a participle instead of a noun: a reader has to open them to know what they contain. */
export function moodsAsTypes({ path, text }: Module): string[] {
  return Array.from(text.matchAll(declaredType), ([, name = '']) => name)
    .filter((name) => irregular.includes(name) || (mood.test(name) && !things.includes(name)))
    .map((name) => `${path}: ${name} is no noun`)
}

const exportedOf = /^export (?:async )?(?:function\*? ?|const )(\w*[a-z\d]Of)\b/gm

/** Names that only make sense with their argument: `anyOf(words)` is a pattern, `listOf(lead)` is a schema. */
const combinators = ['anyOf', 'listOf']

/** Finds exports named `…Of`: the name doesn't say whether the result is read, built or parsed (`parseSpan`, `stepName`). */
export function vagueExports({ path, text }: Module): string[] {
  return Array.from(text.matchAll(exportedOf), ([, name = '']) => name)
    .filter((name) => !combinators.includes(name))
    .map((name) => `${path}: ${name}`)
}

const span = /(?<![\d_])(?:60_000|3_600_000|86_400_000)\b/

/** Finds minutes, hours and days written as numbers instead of the names in `packages/ground/src/time/spans.ts`. */
export function unnamedSpans({ path, text }: Module): string[] {
  if (path === spans) return []
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  return lines.filter(({ line }) => span.test(line)).map(({ number }) => `${path}:${number}: a span without its name`)
}

/** Whether a module uses `it`: tests use `test` everywhere, as most files do. */
export function callsItsTestsIt(module: Module): boolean {
  return readImports(module).some(({ specifier, names }) => specifier === 'vitest' && names.includes('it'))
}

/** A test that measures time or memory fails on a busy machine: such measurements belong in `bench/`. */
export function measuresTheMachine({ path, text }: Module): boolean {
  return (
    path.endsWith('.test.ts') &&
    /\b(?:process\.(?:cpuUsage|resourceUsage|memoryUsage|hrtime)|performance\.now)\b/.test(text)
  )
}

const privateKeyword = /^\s+private\s/

/** Finds class members declared with `private`: members are private by `#`, which holds at run time, too. */
export function privateByKeyword({ path, text }: Module): string[] {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  return lines.filter(({ line }) => privateKeyword.test(line)).map(({ number }) => `${path}:${number}: private`)
}

/** Finds time limits of a whole test file without a comment in the line above that says why. */
export function limitsWithoutReason({ path, text }: Module): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) =>
    /^\s*vi\.setConfig\(/.test(line) && !/^\s*\/\/ \w/.test(lines[index - 1] ?? '')
      ? [`${path}:${index + 1}: no reason`]
      : [],
  )
}
