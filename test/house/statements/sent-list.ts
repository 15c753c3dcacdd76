import { fileURLToPath } from 'node:url'
import type { SentStatement } from './texts.ts'
import { parse } from './tree.ts'

export const statementsFile = fileURLToPath(
  new URL('../../../packages/server/statements/statements.json', import.meta.url),
)

/** Statements that PostgreSQL can prepare. */
const preparable = /^\s*(?:with|select|insert|update|delete|values|\()/i

/** Statements whose columns or tables the caller names, so that their recorded text is not valid. */
export const namedByCallers: readonly string[] = [
  'analytics/groups.sql.ts: listGroups',
  'composition/secrets.sql.ts: listSealedWithOtherKeysAcrossAccounts',
  'composition/secrets.sql.ts: updateSealed',
]

/** Statements that read the name of a table from a value. */
const tablesByValue: readonly string[] = ['composition/account-end.sql.ts: deleteRowsOfAccount']

export function isPreparable(text: string): boolean {
  return preparable.test(text) && parse(text).length === 1
}

/** Every statement that the product prepares, as JSON. */
export function writeStatements(statements: readonly SentStatement[]): string {
  const named = statements
    .filter(({ text }) => isPreparable(text))
    .map(({ name, text }) => ({ name: name.replace('packages/server/src/', ''), text }))
    .filter(({ name }) => !namedByCallers.includes(name) && !tablesByValue.includes(name))
  const sorted = named.toSorted((one, other) => (`${one.name} ${one.text}` < `${other.name} ${other.text}` ? -1 : 1))
  const texts = new Set<string>()
  const unique = sorted.filter(({ text }) => !texts.has(text) && texts.add(text))
  return `${JSON.stringify(unique, null, 2)}\n`
}
