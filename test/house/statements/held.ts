import { readCatalogue } from './catalogue.ts'
import { exceptions } from './exceptions.ts'
import { findBreaches, type Breach, type Rule } from './rules.ts'
import type { SentStatement } from './texts.ts'

const catalogue = readCatalogue()
const sources = 'packages/server/src/'

/** Every exception as `rule: file: function`. */
export function excepted(): string[] {
  return exceptions.flatMap(({ statements }) =>
    Object.entries(statements).flatMap(([rule, names]) => names.map((name) => `${rule}: ${name}`)),
  )
}

/** The breaches in the statements, once for each statement and rule. */
export function breachesIn(statements: readonly SentStatement[]): Map<string, Breach> {
  const found = statements.flatMap((statement) => findBreaches(statement, catalogue))
  return new Map(found.map((breach) => [breachKey(breach.rule, breach.statement), breach]))
}

function breachKey(rule: Rule, statement: string): string {
  return `${rule}: ${statement.replace(sources, '')}`
}

/** Breaches without an exception, and exceptions without a breach. */
export function unplannedBreaches(statements: readonly SentStatement[]): string[] {
  const [breaches, allowed] = [breachesIn(statements), excepted()]
  const unplanned = [...breaches].filter(([key]) => !allowed.includes(key)).map(([key, { what }]) => `${key}: ${what}`)
  return [...unplanned, ...allowed.filter((key) => !breaches.has(key)).map((key) => `${key}: no exception is needed`)]
}
