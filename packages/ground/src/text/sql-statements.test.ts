import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { statementsIn } from './sql-statements.ts'

const folder = join(import.meta.dirname, '../../../server/migrations')

beforeAll(() => loadModule())

/** The number of statements by PostgreSQL's own grammar. */
const count = (text: string): number => (parseSync(text) as { stmts?: unknown[] }).stmts?.length ?? 0

test.each(readdirSync(folder).filter((name) => name.endsWith('.sql')))(
  '%s has the statements of the grammar',
  (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const statements = statementsIn(text)
    expect(statements).toHaveLength(count(text))
    for (const statement of statements) expect([statement, count(statement)]).toEqual([statement, 1])
  },
)

test.each([
  ['texts', `select ';'; select 'it''s; one'`, 2],
  ['names', `select 1 as "a;b"; select 2`, 2],
  ['comments', `-- one; two\nselect 1; /* three; four */ select 2; -- the end;`, 2],
  ['bodies', `do $$ begin perform 1; perform 2; end $$; do $f$ begin perform '$$;'; end $f$`, 2],
  ['nothing', ` ; -- empty;\n ;`, 0],
])('semicolons in %s end no statement', (_where, text, statements) => {
  expect(statementsIn(text)).toHaveLength(statements)
  expect(count(text)).toBe(statements)
})
