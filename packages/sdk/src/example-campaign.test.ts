import { expect, test } from 'vitest'
import { exampleCampaign, exampleLeads } from './example-campaign.ts'

const thousand = exampleLeads(Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? [] : ['open', 'reply'])))

test('a thousand example leads are all different', () => {
  const people = thousand.map(({ firstName, lastName, company }) => `${firstName} ${lastName}, ${company}`)
  expect(new Set(people).size).toBe(1_000)
  expect(new Set(thousand.map(({ email }) => email)).size).toBe(1_000)
})

test('the address of an example lead contains its behaviors', () =>
  expect(thousand.slice(0, 2).map(({ email }) => email)).toEqual([
    'ada.albers.0@prospects.test',
    'ben.brandt.1+open+reply@prospects.test',
  ]))

test('example leads have every field that the example campaign uses', () => {
  const texts = exampleCampaign.steps.flatMap(({ variants = [] }) => variants.map((one) => JSON.stringify(one)))
  const fields = texts.flatMap((text) => Array.from(text.matchAll(/\{\{ (\w+) \}\}/g), ([, field]) => field))
  expect(new Set(fields)).toEqual(new Set(['firstName', 'company']))
  for (const lead of thousand) expect(Object.values(lead).every((value) => value !== '')).toBe(true)
})

test('the example campaign has four steps, each with a text', () => {
  expect(exampleCampaign.steps).toHaveLength(4)
  for (const { variants = [] } of exampleCampaign.steps) expect(variants.length).toBeGreaterThan(0)
})
