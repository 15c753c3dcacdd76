import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LeadIndex } from '@overture/people-index/lead-index.ts'
import { SegmentBuilder } from '@overture/people-index/records/columns.ts'
import { personFilters } from '@overture/people-index/records/filters.ts'

test('the example of the README finds the vice president', () => {
  const place = { city: 'Berlin', state: 'Berlin', country: 'Germany' }
  const unknown = { seniority: null, department: null, companyNumber: null }
  const undated = { years: null, roleDay: null, companyDay: null }
  const builder = new SegmentBuilder()
  builder.addPerson({ ...unknown, ...undated, number: 1, rank: 9, title: 'VP of Sales', place })
  builder.addPerson({ ...unknown, ...undated, number: 2, rank: 5, title: 'CTO', place })
  const index = new LeadIndex(builder.finish())
  const wanted = { jobTitle: 'vice president', personLocation: ['Germany'], page: 1 }
  const filters = personFilters(wanted, new Date('2026-01-01'))
  const answer = index.search({ kind: 'people', filters, page: 1 })
  // { numbers: [1], totalCount: 1 }
  expect(answer).toEqual({ numbers: [1], totalCount: 1 })
})

test('this file contains the example of the README, line by line', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const lines = /```ts\n([^]*?)```/
    .exec(readme)![1]!
    .split('\n')
    .filter((line) => line !== '')
  const own = readFileSync(import.meta.filename, 'utf8')
    .split('\n')
    .map((line) => line.trim())
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => !own.includes(line))).toEqual([])
})
