import { expect, test } from 'vitest'
import { insertedName } from './variables.ts'

test.each([
  ['customVariables.Plan', 'Plan'],
  ['customVariables.first_name', 'customVariables.first_name'],
  ['customVariables.Sender', 'customVariables.Sender'],
  ['customVariables.seats left', 'customVariables.seats left'],
  ['firstName', 'firstName'],
])('%s is inserted as %s', (variable, inserted) => {
  expect(insertedName(variable)).toBe(inserted)
})
