import { expect, test } from 'vitest'
import { customVariables } from '@overture/contract/campaigns/lead-fields.ts'
import { readHeader, rowToLead } from './import-columns.ts'

const long = 'What would have to be true for you to change your provider within the next twelve months'

test('every titled column is kept under a valid and unique variable name', () => {
  const header = [
    'E-mail',
    'Città',
    'Plan',
    'Город',
    '',
    'Имя (RU)',
    'Фамилия (RU)',
    'plan',
    'Plan',
    '2nd',
    long,
    `${long}?`,
  ]
  const names = readHeader(header).map((column) => column?.name)
  expect(names.slice(0, 10)).toEqual([
    'email',
    'Citta',
    'Plan',
    'column4',
    undefined,
    'RU',
    'RU2',
    'plan',
    'Plan2',
    '_2nd',
  ])
  const lead = rowToLead(readHeader(header), header.map(String))
  expect(Object.keys(lead['customVariables'] as object)).toHaveLength(header.length - 2)
  expect(customVariables.safeParse(lead['customVariables'])).toMatchObject({ success: true })
})
