import { describe, expect, test } from 'vitest'
import {
  canonicalDepartment,
  canonicalFundingStage,
  canonicalHeadcount,
  canonicalSeniority,
  toHeadcountRange,
  revenueBound,
  toRevenuePrinted,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { dayBefore, personFilters } from './filters.ts'
import { matchesPlace, normalisePlace, parseLocation } from './location.ts'
import { companyWords, isOneEdit, normaliseDomain, titleQuery, titleTokens } from './text.ts'

describe('job titles', () => {
  test.each([
    ['vp sales', 'Vice President of Sales', true],
    ['vice president sales', 'VP, Sales', true],
    ['svp', 'Senior Vice President Marketing', true],
    ['vp', 'SVP Marketing', true],
    ['ceo', 'Founder & Chief Executive Officer', true],
    ['chief technology officer', 'CTO', true],
    ['hr manager', 'Human Resources Manager', true],
    ['engineers', 'Software Engineer', true],
    ['founder', 'Co-Founder', true],
    ['sales vp', 'VP Sales', true],
    ['vp sales', 'VP Marketing', false],
    ['cto', 'CFO', false],
    ['directeur général', 'Directeur General', true],
  ])('%s / %s: %s', (query, title, expected) => {
    const tokens = titleTokens(title)
    expect(titleQuery(query).every((word) => tokens.includes(word))).toBe(expected)
  })
})

describe('company names', () => {
  test.each([
    ['Acme, Inc.', ['acme']],
    ['ACME S.A.', ['acme']],
    ['Café Noir GmbH & Co. KG', ['cafe', 'noir']],
    ['Group', ['group']],
    ["McDonald's Corporation", ['mcdonalds']],
    ['Müller AG', ['muller']],
  ])('%s', (name, expected) => {
    expect(companyWords(name)).toEqual(expected)
  })
  test.each([
    ['acme', 'amce', true],
    ['acme', 'acm', true],
    ['acme', 'acmee', true],
    ['acme', 'axme', true],
    ['acme', 'acme', false],
    ['acme', 'amec', false],
    ['acme', 'ecma', false],
    ['acme', 'ac', false],
    ['globex', 'gloebx', true],
    ['globex', 'gxobel', false],
  ])('one edit: %s %s %s', (left, right, expected) => {
    expect([isOneEdit(left, right), isOneEdit(right, left)]).toEqual([expected, expected])
  })
  test.each([
    ['https://www.Acme.example/about?x', 'acme.example'],
    ['acme.example.', 'acme.example'],
    ['', ''],
  ])('domain %s', (text, domain) => {
    expect(normaliseDomain(text)).toBe(domain)
  })
})

describe('locations', () => {
  const austin = normalisePlace({ city: 'Austin', state: 'Texas', country: 'United States' })
  const newYork = normalisePlace({ city: 'New York City', state: 'New York', country: 'United States' })
  test.each([
    ['Austin', austin, true],
    ['texas', austin, true],
    ['TX', austin, true],
    ['USA', austin, true],
    ['us', austin, true],
    ['Austin, TX', austin, true],
    ['Austin, Texas, United States', austin, true],
    ['Texas, US', austin, true],
    ['Austin, US', austin, true],
    ['Austin, Germany', austin, false],
    ['NYC', newYork, true],
    ['New York', newYork, true],
    ['Dallas', austin, false],
    ['', austin, false],
  ])('%s', (text, place, expected) => {
    expect(parseLocation(text).some((pattern) => matchesPlace(place, pattern))).toBe(expected)
  })
  test('reads accents and two-letter countries', () => {
    const place = normalisePlace({ city: 'São Paulo', state: '', country: 'Brazil' })
    for (const text of ['sao paulo', 'São Paulo, Brasil', 'BR']) {
      expect(parseLocation(text).some((pattern) => matchesPlace(place, pattern))).toBe(true)
    }
  })
})

describe('vocabularies', () => {
  test.each([
    [canonicalSeniority('C-Suite'), 'c_suite'],
    [canonicalSeniority('Founder/Owner'), 'founder_owner'],
    [canonicalSeniority('Vice President'), 'vp'],
    [canonicalSeniority('boss'), null],
    [canonicalDepartment('Engineering & Technical'), 'engineering_technical'],
    [canonicalDepartment('HR'), 'human_resources'],
    [canonicalFundingStage('Series A'), 'series_a'],
    [canonicalFundingStage('Series F'), 'series_e_j'],
    [canonicalFundingStage('pre-seed'), 'pre_seed'],
    [canonicalHeadcount('11-50'), ['11-20', '21-50']],
    [canonicalHeadcount('10,001+'), ['10000+']],
    [canonicalHeadcount('1001 – 5000'), ['1001-2000', '2001-5000']],
    [canonicalHeadcount('51-200'), ['51-100', '101-200']],
    [canonicalHeadcount('3-7'), null],
    [toHeadcountRange(10_001), '10000+'],
    [toHeadcountRange(20), '11-20'],
    [toRevenuePrinted(7_000_000), '5M'],
    [toRevenuePrinted(0), '<100K'],
    [toRevenuePrinted(2e10), '10B+'],
    [revenueBound('<100K')?.from, 0],
    [revenueBound('10B+'), { from: 1e10, to: Infinity }],
    [revenueBound('$1M')?.from, 1e6],
    [revenueBound(-1), null],
    [revenueBound('many'), null],
  ])('%j is %j', (actual, expected) => {
    expect(actual).toEqual(expected)
  })
})

describe('dates counted backwards', () => {
  const now = new Date('2026-03-31T10:00:00.000Z')
  const dayOf = (date: string) => Date.parse(date) / 86_400_000
  test.each([
    [1, '2026-02-28'],
    [2, '2026-01-31'],
    [13, '2025-02-28'],
  ])('%i months', (months, date) => {
    expect(dayBefore(now, months)).toBe(dayOf(date))
  })
  test('full months in a role are within the bounds', () => {
    const { roleStart } = personFilters({ page: 1, minTimeInRole: 6, maxTimeInRole: 12 }, now)
    const within = (date: string) => dayOf(date) >= roleStart!.min && dayOf(date) <= roleStart!.max
    expect(['2025-09-30', '2025-10-01', '2025-03-01', '2025-02-28'].map(within)).toEqual([true, false, true, false])
  })
  test('a recent job change is within 90 days by default', () => {
    expect(personFilters({ page: 1, jobChangeRecent: true }, now).roleStart?.min).toBe(dayOf('2025-12-31'))
    expect(personFilters({ page: 1, jobChangeRecent: 30 }, now).roleStart?.min).toBe(dayOf('2026-03-01'))
    expect(personFilters({ page: 1, jobChangeRecent: false }, now).roleStart).toBeUndefined()
  })
})
