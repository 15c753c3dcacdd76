import { expect, test } from 'vitest'
import { LeadIndex } from '@overture/people-index/lead-index.ts'
import { SegmentBuilder } from '@overture/people-index/records/columns.ts'
import { personFilters } from '@overture/people-index/records/filters.ts'
import { readmeExample } from '@overture/testing/docs/readme-example.ts'

test('the example in the README finds the vice president', () => {
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

test('this file contains the example from the README', () => {
  const { blocks, missing } = readmeExample(new URL('../README.md', import.meta.url), new URL(import.meta.url))
  expect(blocks.join('\n').split('\n').length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})
