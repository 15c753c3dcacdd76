import { expect, test } from 'vitest'
import { CompanyNames } from './company-names.ts'
import { companyWords } from './records/text.ts'

const names = ['Hahn & Carroll Group', 'Hahn', 'Boyle Group', 'Boyle Foods GmbH & Co. KG', 'Boyle Corn', 'Boyle Corp']
const index = new CompanyNames(names)
const find = (query: string) =>
  index.find(companyWords(query)).map((tier) => [...tier].map((company) => names[company] ?? ''))

test.each([
  ['Hahn & Carroll Gruop', [[], ['Hahn & Carroll Group'], [], []]],
  ['Boyle Foods Gmhb & Co KG', [[], ['Boyle Foods GmbH & Co. KG'], [], []]],
  ['Boyle Gmbhh', [[], [], [], ['Boyle Foods GmbH & Co. KG']]],
  ['Hahn Carrol Gruop', [[], [], [], []]],
  ['Boyle Corn', [['Boyle Corn'], ['Boyle Corp'], [], []]],
  ['Gruop', [[], [], [], []]],
])('a typing error in the legal form counts like any other: %s', (query, tiers) => {
  expect(find(query)).toEqual(tiers)
})
