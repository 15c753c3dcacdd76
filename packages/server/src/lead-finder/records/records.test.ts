import { describe, expect, test } from 'vitest'
import { maskEmail, maskMobile } from './mask.ts'
import { parseRow } from './records.ts'

describe('masks', () => {
  test.each([
    [maskEmail('maria@example.com'), 'm*****@example.com'],
    [maskEmail('a@b.example'), 'a*****@b.example'],
    [maskEmail(null), ''],
    [maskEmail('nothing'), ''],
    [maskMobile('+1 (555) 123-4542'), '+1 *** *** **42'],
    [maskMobile('+5511987654321'), '+55 *** *** **21'],
    [maskMobile('+351912345678'), '+351 *** *** **78'],
    [maskMobile(null), ''],
    [maskMobile('+1'), ''],
  ])('%s is %s', (actual, expected) => {
    expect(actual).toBe(expected)
  })
})

describe('rows of a file', () => {
  test.each([
    [{ first_name: 'x' }, 'neither an id nor a LinkedIn URL'],
    [{ id: '1', job_title: 'x' }, 'no name'],
    [{ id: '1', first_name: 'x', work_email: 'no' }, 'not an email address'],
    [{ id: '1', first_name: 'x', work_email: 'ada\u200b@example.com' }, 'not an email address'],
    [{}, 'no name'],
  ])('%j is invalid: %s', (row, reason) => {
    expect(parseRow(row)).toEqual({ kind: 'bad', reason })
  })
  test('reads a company of People Data Labs', () => {
    const parsed = parseRow({
      id: 'acme',
      name: 'acme',
      website: 'acme.example',
      size: '10001+',
      inferred_revenue: '$10M-$25M',
      latest_funding_stage: 'series_a',
      location: { locality: 'san francisco', country: 'united states' },
    })
    expect(parsed).toMatchObject({
      kind: 'company',
      company: {
        id: 'acme',
        employeeCount: 10_001,
        revenue: 10_000_000,
        fundingStage: 'series_a',
        city: 'San Francisco',
        country: 'United States',
      },
    })
  })
})
