import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../composition/operator.commands.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { variableIssues } from './preset.ts'
import { listPresets } from './presets.commands.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test.each(['live', 'test'] as const)('every account has the starter presets, in %s too', async (environment) => {
  const { db, clock } = createTestApp(database)
  const input = { name: 'One', plan: 'trial' as const, now: clock.now() }
  const { accountId } = await db.transaction((tx) => openAccount(tx, input))
  const { results } = await listPresets(db, { accountId, environment }, { limit: 25, listName: 'presets' })
  expect(new Set(results.map((preset) => preset.category))).toEqual(
    new Set(['opener', 'follow_up', 'breakup', 'reply', 'subject']),
  )
  expect(results).toHaveLength(5)
  expect(results.every((preset) => preset.version === 1 && preset.variables.includes('firstName'))).toBe(true)
})

test.each([
  'Hi {{ first name }}',
  'Hi {{ firstName',
  'Hi firstName }}',
  '{% if company %}Hi{% endif %}',
  '{{ {{ a }} }}',
])("a prompt with braces that aren't a variable is refused: %s", (prompt) =>
  expect(variableIssues(prompt, undefined)).toMatchObject([{ path: 'prompt', rule: 'template' }]),
)

test('a prompt with words, single braces and variables with defaults is accepted', () =>
  expect(
    variableIssues('Write {JSON} to {{ firstName | default: "you" }} at {{customVariables.x}}.', undefined),
  ).toEqual([]))
