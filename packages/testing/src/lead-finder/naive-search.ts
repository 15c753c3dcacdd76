import {
  departments,
  fundingStages,
  toHeadcountRange,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { CompanyDoc, PersonDoc } from '@overture/people-index/records/columns.ts'
import type { CompanyFilters, PersonFilters } from '@overture/people-index/records/filters.ts'
import { industryKey, technologyKey } from '@overture/people-index/records/industries.ts'
import { matchesPlace, normalisePlace } from '@overture/people-index/records/location.ts'
import { companyNameParts, isOneEdit, titleTokens } from '@overture/people-index/records/text.ts'

/** A small store with which the results of an index are compared. */
export interface World {
  companies: CompanyDoc[]
  people: PersonDoc[]
}

/** The expected result of a people search, computed from every row. */
export function naivePeople(world: World, filters: PersonFilters): number[] {
  const companies = new Map(world.companies.map((entry) => [entry.number, entry]))
  const rows = world.people.filter((entry) => passesPerson(entry, companies.get(entry.companyNumber ?? 0), filters))
  const tier = (entry: PersonDoc) =>
    filters.companyName ? closeness(companies.get(entry.companyNumber!)!.name, filters.companyName)! : 0
  return rows
    .toSorted((a, b) => tier(a) - tier(b) || b.rank - a.rank || a.number - b.number)
    .map((entry) => entry.number)
}

/** The expected result of a company search, computed from every row. */
export function naiveCompanies(world: World, filters: CompanyFilters): number[] {
  const rows = world.companies.filter((entry) => passesCompany(entry, filters))
  const tier = (entry: CompanyDoc) => (filters.companyName ? closeness(entry.name, filters.companyName)! : 0)
  return rows
    .toSorted((a, b) => tier(a) - tier(b) || (b.employees ?? 0) - (a.employees ?? 0) || a.number - b.number)
    .map((entry) => entry.number)
}

function passesPerson(entry: PersonDoc, employer: CompanyDoc | undefined, filters: PersonFilters): boolean {
  const asksCompany = [
    'domain',
    'companyName',
    'industry',
    'headcount',
    'companyLocation',
    'technology',
    'revenue',
    'funding',
    'jobPostings',
    'hiringFor',
  ].some((name) => filters[name as keyof PersonFilters] !== undefined)
  if (asksCompany && (!employer || !passesCompany(employer, filters))) return false
  const within = (value: number | null, range?: { min: number; max: number }) =>
    !range || (value !== null && value >= range.min && value <= range.max)
  return (
    (!filters.title || filters.title.every((word) => titleTokens(entry.title ?? '').includes(word))) &&
    (!filters.seniority || filters.seniority.some((code) => seniorities[code] === entry.seniority)) &&
    (!filters.department || filters.department.some((code) => departments[code] === entry.department)) &&
    (!filters.personLocation ||
      filters.personLocation.some((pattern) => matchesPlace(normalisePlace(entry.place), pattern))) &&
    within(entry.years, filters.years) &&
    within(entry.roleDay, filters.roleStart) &&
    within(entry.companyDay, filters.companyStart)
  )
}

function passesCompany(entry: CompanyDoc, filters: CompanyFilters): boolean {
  const within = (value: number | null, range?: { min: number; max: number }) =>
    !range || (value !== null && value >= range.min && value <= range.max)
  return (
    (filters.domain === undefined || entry.domain === filters.domain) &&
    (!filters.companyName || closeness(entry.name, filters.companyName) !== null) &&
    (!filters.industry || filters.industry.includes(industryKey(entry.industry ?? ''))) &&
    (!filters.headcount ||
      (entry.employees !== null &&
        filters.headcount.some((code) => headcountRanges[code] === toHeadcountRange(entry.employees!)))) &&
    (!filters.companyLocation ||
      filters.companyLocation.some((pattern) => matchesPlace(normalisePlace(entry.place), pattern))) &&
    (!filters.technology || entry.technologies.some((name) => filters.technology!.includes(technologyKey(name)))) &&
    (!filters.funding || filters.funding.some((code) => fundingStages[code] === entry.funding)) &&
    within(entry.revenue, filters.revenue) &&
    within(entry.jobPostings, filters.jobPostings) &&
    (!filters.hiringFor ||
      filters.hiringFor.some((title) =>
        entry.hiringTitles.some((offer) => title.every((word) => titleTokens(offer).includes(word))),
      ))
  )
}

/**
 * Rates how close a company name is to the query: 0 is closest, null is no match. Every word must occur, at most one of them with one
 * edit or as the legal form.
 */
function closeness(name: string, query: string[]): number | null {
  const { words, longForms } = companyNameParts(name)
  if (words.join('') === query.join('')) return 0
  const edits = query.map((word) => {
    if (words.includes(word)) return 0
    return words.some((candidate) => candidate.length >= 4 && isOneEdit(word, candidate)) ? 1 : 99
  })
  const sum = edits.reduce<number>((total, edit) => total + edit, 0)
  if (sum <= 1) return (words.length === query.length ? 0 : 2) + sum
  const isForm = (word: string) => longForms.some((form) => form === word || isOneEdit(word, form))
  const mistypedForm = query.some(
    (word, index) => isForm(word) && query.every((other, place) => place === index || words.includes(other)),
  )
  return mistypedForm && query.length > 1 ? (words.length === query.length - 1 ? 1 : 3) : null
}
