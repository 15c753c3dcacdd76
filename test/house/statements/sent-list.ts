import { fileURLToPath } from 'node:url'
import type { SentStatement } from './texts.ts'
import { parse } from './tree.ts'

export const statementsFile = fileURLToPath(
  new URL('../../../packages/server/statements/statements.json', import.meta.url),
)

/** Statements that PostgreSQL can prepare. */
const preparable = /^\s*(?:with|select|insert|update|delete|values|\()/i

/** Statements whose columns or tables the caller names, so that only their texts of `by-hand.ts` are valid. */
export const namedByCallers: readonly string[] = [
  'analytics/groups.sql.ts: listGroups',
  'composition/secrets.sql.ts: listSealedWithOtherKeysAcrossAccounts',
  'composition/secrets.sql.ts: updateSealed',
]

/** Statements that read the name of a table from a value, so that only the values of `by-hand.ts` are valid. */
const tablesByValue: readonly string[] = ['composition/account-end.sql.ts: deleteRowsOfAccount']

/** Prepared statements whose text repeats a part as often as the caller asks. The list has them with few repetitions. */
export const repeated: readonly RegExp[] = [/^list_due_(?:test_)?jobs_\d+$/]

/** The text without differences of white space. */
const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * The prepared statements that were sent and are not in the list that `overture distribute --check` tries. Statements without a name
 * are not compared: their text may depend on filters and columns, and the list has them for some.
 */
export function unlistedAmong(statements: readonly SentStatement[], list: string): string[] {
  const listed = new Set((JSON.parse(list) as SentStatement[]).map(({ text }) => spaced(text)))
  return statements
    .filter(({ text, preparedAs }) => preparedAs !== undefined && !listed.has(spaced(text)) && isPreparable(text))
    .filter(({ preparedAs }) => !repeated.some((one) => one.test(preparedAs!)))
    .map(({ name, preparedAs }) => `${name}: ${preparedAs}`)
}

export function isPreparable(text: string): boolean {
  return preparable.test(text) && parse(text).length === 1
}

/** Every statement that the product prepares, as JSON. */
export function writeStatements(statements: readonly SentStatement[]): string {
  const named = statements
    .filter(({ text }) => isPreparable(text))
    .map((one) => ({ ...one, name: one.name.replace('packages/server/src/', '') }))
    .filter(({ name, isByHand }) => isByHand === true || ![...namedByCallers, ...tablesByValue].includes(name))
    .map(({ name, text, values }) => ({ name, text, values }))
  const sorted = named.toSorted((one, other) => (`${one.name} ${one.text}` < `${other.name} ${other.text}` ? -1 : 1))
  const texts = new Set<string>()
  const unique = sorted.filter(({ text }) => !texts.has(text) && texts.add(text))
  return `${JSON.stringify(unique, null, 2)}\n`
}
