import { dayMs } from '@overture/ground/time/spans.ts'
import type { CompanySearchInput, PersonSearchInput } from '@overture/contract/lead-finder/lead-finder.ts'
import {
  canonicalDepartment,
  canonicalFundingStage,
  canonicalHeadcount,
  canonicalSeniority,
  departments,
  fundingStages,
  headcountRanges,
  revenueBound,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { industryKey, technologyKey } from './industries.ts'
import { parseLocation, type PlacePattern } from './location.ts'
import { companyWords, normalise, normaliseDomain, titleQuery } from './text.ts'

/** Both ends are inclusive and always present. */
export interface Range {
  min: number
  max: number
}

/** Filters on a company. An absent filter matches every company. Codes are positions in the vocabularies. */
export interface CompanyFilters {
  domain?: string
  /** The words of the name without its legal form. */
  companyName?: string[]
  industry?: string[]
  headcount?: number[]
  companyLocation?: PlacePattern[]
  technology?: string[]
  revenue?: Range
  funding?: number[]
  jobPostings?: Range
  /** The words of each title; one matching title is enough. */
  hiringFor?: string[][]
}

/** Filters in the form of the index: canonical, sorted and comparable as JSON. Days count from 1970-01-01. */
export interface PersonFilters extends CompanyFilters {
  title?: string[]
  seniority?: number[]
  department?: number[]
  personLocation?: PlacePattern[]
  years?: Range
  roleStart?: Range
  companyStart?: Range
}

const unboundedDay = 1_000_000

/** `now` is the date from which filters on days and months count back. */
export function personFilters(input: PersonSearchInput, now: Date): PersonFilters {
  const filters: PersonFilters = companyFilters({ ...input, location: input.companyLocation })
  const title = titleQuery(input.jobTitle ?? '')
  if (title.length > 0) filters.title = title.toSorted()
  assign(filters, 'seniority', codes(input.seniority, seniorities, canonicalSeniority))
  assign(filters, 'department', codes(input.department, departments, canonicalDepartment))
  assign(filters, 'personLocation', locations(input.personLocation))
  assign(filters, 'technology', keys(input.technology, technologyKey))
  assign(filters, 'funding', codes(input.fundingStages, fundingStages, canonicalFundingStage))
  assign(filters, 'years', range(input.minYearsExperience, input.maxYearsExperience))
  assign(filters, 'jobPostings', range(input.minJobPostings, input.maxJobPostings))
  assign(filters, 'revenue', revenueRange(input))
  assign(filters, 'companyStart', startRange(input.minTimeInCompany, input.maxTimeInCompany, now))
  assign(filters, 'roleStart', roleStart(input, now))
  if (input.hiringForTitles?.length)
    filters.hiringFor = input.hiringForTitles.map((text) => titleQuery(text).toSorted())
  return filters
}

export function companyFilters(
  input: Pick<CompanySearchInput, 'domain' | 'companyName' | 'industry' | 'headcountRange' | 'location'>,
): CompanyFilters {
  const filters: CompanyFilters = {}
  const domain = normaliseDomain(input.domain ?? '')
  if (domain !== '') filters.domain = domain
  const name = companyWords(input.companyName ?? '')
  if (name.length > 0) filters.companyName = name
  assign(filters, 'industry', keys(input.industry, industryKey))
  assign(filters, 'companyLocation', locations(input.location))
  if (input.headcountRange?.length) {
    const ranges = input.headcountRange.flatMap((text) => canonicalHeadcount(text) ?? [])
    filters.headcount = sorted(ranges.map((bucket) => headcountRanges.indexOf(bucket)))
  }
  return filters
}

/** The day `months` calendar months before `now`, as days since 1970. If that month is too short, its last day. */
export function dayBefore(now: Date, months: number): number {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
  const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return Math.floor(first.getTime() / dayMs) + Math.min(now.getUTCDate(), daysInMonth) - 1
}

function roleStart(input: PersonSearchInput, now: Date): Range | undefined {
  const inRole = startRange(input.minTimeInRole, input.maxTimeInRole, now)
  if (input.jobChangeRecent === undefined || input.jobChangeRecent === false) return inRole
  const days = input.jobChangeRecent === true ? 90 : input.jobChangeRecent
  const since = Math.floor(now.getTime() / dayMs) - days
  return { min: Math.max(since, inRole?.min ?? since), max: inRole?.max ?? unboundedDay }
}

// Up to the day before `max + 1` months are full, no more than `max` full months have passed.
function startRange(min: number | undefined, max: number | undefined, now: Date): Range | undefined {
  if (min === undefined && max === undefined) return undefined
  return {
    min: max === undefined ? -unboundedDay : dayBefore(now, max + 1) + 1,
    max: min === undefined ? unboundedDay : dayBefore(now, min),
  }
}

function revenueRange(input: PersonSearchInput): Range | undefined {
  if (input.minRevenue === undefined && input.maxRevenue === undefined) return undefined
  return {
    min: input.minRevenue === undefined ? 0 : (revenueBound(input.minRevenue)?.from ?? 0),
    max: Math.min(Number.MAX_SAFE_INTEGER, revenueBound(input.maxRevenue ?? Infinity)?.to ?? 0),
  }
}

function range(min: number | undefined, max: number | undefined): Range | undefined {
  if (min === undefined && max === undefined) return undefined
  return { min: min ?? 0, max: max ?? Number.MAX_SAFE_INTEGER }
}

function codes<Value extends string>(
  values: readonly string[] | undefined,
  vocabulary: readonly Value[],
  canonical: (text: string) => Value | null,
): number[] | undefined {
  if (!values?.length) return undefined
  return sorted(values.flatMap((text) => vocabulary.indexOf(canonical(text) as Value)).filter((code) => code >= 0))
}

function keys(values: readonly string[] | undefined, getKey: (value: string) => string): string[] | undefined {
  const plain = [...new Set((values ?? []).map(getKey))].filter((name) => name !== '')
  return plain.length === 0 ? undefined : plain.toSorted()
}

function locations(values: readonly string[] | undefined): PlacePattern[] | undefined {
  const written = (values ?? []).filter((text) => normalise(text) !== '')
  return written.length === 0 ? undefined : written.toSorted().flatMap(parseLocation)
}

function sorted(values: number[]): number[] {
  return [...new Set(values)].toSorted((left, right) => left - right)
}

function assign<Filters, Name extends keyof Filters>(
  filters: Filters,
  name: Name,
  value: Filters[Name] | undefined,
): void {
  if (value !== undefined) filters[name] = value
}
