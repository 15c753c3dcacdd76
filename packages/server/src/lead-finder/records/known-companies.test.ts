import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownCompanies } from './known-companies.ts'
import { parseRow, type CompanyRecord } from './records.ts'

const companyId = fc.constantFrom('acme', 'globex')
const companyFields = fc.record(
  {
    job_company_id: companyId,
    job_company_name: fc.constantFrom('Acme', 'Globex'),
    job_company_industry: fc.constantFrom('farming', 'Farming', ''),
    job_company_employee_count: fc.constantFrom(12, '12', 900),
    companyTechnologies: fc.constantFrom(['a'], ['a', 'b'], 'a;b'),
  },
  { requiredKeys: ['job_company_id'] },
)

test('rows read with earlier ones give the same people, and the newest data of each company', () => {
  fc.assert(
    fc.property(fc.array(companyFields, { maxLength: 30 }), (rows) => {
      const known = new KnownCompanies()
      const [told, expected] = [new Map<string, CompanyRecord>(), new Map<string, CompanyRecord>()]
      for (const [at, row] of rows.entries()) {
        const person = { id: `p${at}`, full_name: 'Ada Lovelace', ...row }
        const [alone, read] = [parseRow(person), parseRow(person, {}, known)]
        if (alone.kind !== 'person' || read.kind !== 'person') throw new Error('no person')
        expect(read.person).toEqual(alone.person)
        if (alone.company !== null) expected.set(alone.company.id, alone.company)
        if (read.company !== null) told.set(read.company.id, read.company)
        expect(told).toEqual(expected)
      }
    }),
  )
})

test('a repeated company is returned once', () => {
  const known = new KnownCompanies()
  const row = { id: 'p', full_name: 'Ada', job_company_id: 'acme', job_company_name: 'Acme' }
  const tellings = Array.from({ length: 5 }, () => parseRow(row, {}, known))
  expect(tellings.map((one) => one.kind === 'person' && one.company !== null)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('a date is accepted if its month has that day', () => {
  const part = fc.integer({ min: 0, max: 40 }).map((number) => String(number).padStart(2, '0'))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2400 }), part, part, (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${month}-${day}`
      const ms = Date.parse(text)
      const isDay = year !== 0 && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
      const read = parseRow({ id: 'p', full_name: 'Ada', job_start_date: text })
      expect(read.kind === 'person' && read.person.roleStarted).toBe(isDay ? text : null)
    }),
    { numRuns: 2_000 },
  )
})
