import { expect, test } from 'vitest'
import { z } from 'zod'
import { issueMessage } from './issue-messages.ts'

const messages = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error!.issues.map(issueMessage)

test.each([
  [z.string().min(12), 'short', 'Must have at least 12 characters.'],
  [z.string().min(1), '', 'Must not be empty.'],
  [z.string().max(1), 'ab', 'Must have at most 1 character.'],
  [z.array(z.string()).max(10), Array.from({ length: 11 }, String), 'Must have at most 10 items.'],
  [z.array(z.string()).min(1), [], 'Must not be empty.'],
  [z.number().min(2), 1, 'Must be at least 2.'],
  [z.number().int().max(5), 6, 'Must be at most 5.'],
  [z.number().positive(), 0, 'Must be greater than 0.'],
  [z.number().int(), 1.5, 'Must be a whole number.'],
  [z.string(), 7, 'Must be a text.'],
  [z.boolean(), 'yes', 'Must be true or false.'],
  [z.array(z.string()), {}, 'Must be a list.'],
  [z.enum(['add', 'replace']), 'drop', 'Must be one of "add", "replace".'],
  [z.literal('leads'), 'lists', 'Must be "leads".'],
  [z.number().multipleOf(5), 7, 'Must be a multiple of 5.'],
  [z.iso.datetime(), 'today', 'Must be a time such as 2026-11-27T09:00:00Z.'],
])('%# says in plain words what a value must be', (schema, value, message) => {
  expect(messages(schema, value)).toEqual([message])
})

test('a message of the schema itself stays', () => {
  expect(messages(z.string().min(3, 'Choose a longer name.'), 'a')).toEqual(['Choose a longer name.'])
  expect(messages(z.string({ error: 'Say it in words.' }), 7)).toEqual(['Say it in words.'])
})
