import {
  departments,
  fundingStages,
  toHeadcountRange,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { CompanyDoc, PersonDoc } from '@overture/people-index/records/columns.ts'
import { industryKey, technologyKey } from '@overture/people-index/records/industries.ts'
import { normalisePlace, printPlace, type Place } from '@overture/people-index/records/location.ts'
import {
  companyNameParts,
  fuzzyLengthMin,
  normalise,
  normaliseDomain,
  titleTokens,
} from '@overture/people-index/records/text.ts'

/** The version of the document format. Indices with another format are rebuilt. */
export const documentForm = 3

/** Separates a shown value from its normalised form. It sorts before every letter, so keys sort as values do. */
export const suggestSeparator = '\u0001'

const keyword = { type: 'keyword' }
const number = { type: 'long' }
const companyFields = {
  domain: keyword,
  companyWord: keyword,
  companyLongWord: keyword,
  companyLongForm: keyword,
  companyJoined: keyword,
  companyWordCount: { type: 'integer' },
  industry: keyword,
  headcount: { type: 'byte' },
  technology: keyword,
  funding: { type: 'byte' },
  revenue: { type: 'double' },
  jobPostings: number,
  companyCity: keyword,
  companyState: keyword,
  companyCountry: keyword,
  hiring: { type: 'nested', properties: { word: keyword } },
  suggestIndustry: keyword,
  suggestTechnology: keyword,
  suggestCompanyName: keyword,
}
const personFields = {
  title: keyword,
  seniority: { type: 'byte' },
  department: { type: 'byte' },
  personCity: keyword,
  personState: keyword,
  personCountry: keyword,
  years: { type: 'integer' },
  roleDay: { type: 'integer' },
  companyDay: { type: 'integer' },
  suggestJobTitle: keyword,
  suggestLocation: keyword,
}

/** The definition of an index: sorted on disk in result order, and deep enough for page 1000. */
export function indexDefinition(kind: 'people' | 'companies', shards: number) {
  const own = kind === 'people' ? personFields : {}
  return {
    settings: {
      index: {
        number_of_shards: shards,
        max_result_window: 25_000,
        // The writer refreshes the index itself when all its changes are written.
        refresh_interval: '-1',
        'sort.field': ['rank', 'number'],
        'sort.order': ['desc', 'asc'],
      },
    },
    mappings: { dynamic: 'strict', properties: { rank: number, number, ...companyFields, ...own } },
  }
}

type SearchDocument = Record<string, unknown>

/** A person together with its company's data. The index contains no name, address or phone number of a person. */
export function personDocument(person: PersonDoc, company: CompanyDoc | null): SearchDocument {
  return {
    ...(company && companyValues(company)),
    number: person.number,
    rank: Math.min(0xfffff, Math.max(0, person.rank)),
    title: titleTokens(person.title ?? ''),
    seniority: codeIn(seniorities, person.seniority),
    department: codeIn(departments, person.department),
    ...placeValues('person', person.place),
    years: person.years === null ? null : Math.min(254, Math.max(0, Math.floor(person.years))),
    roleDay: person.roleDay,
    companyDay: person.companyDay,
    suggestJobTitle: suggested(person.title),
    suggestLocation: levels(person.place),
  }
}

export function companyDocument(company: CompanyDoc): SearchDocument {
  return {
    ...companyValues(company),
    number: company.number,
    rank: company.employees ?? 0,
    suggestIndustry: suggested(company.industry),
    suggestTechnology: [...new Set(company.technologies)].flatMap((name) => suggested(name) ?? []),
    suggestCompanyName: suggested(company.name),
  }
}

function companyValues(company: CompanyDoc): SearchDocument {
  const { words, longForms } = companyNameParts(company.name)
  const domain = normaliseDomain(company.domain ?? '')
  return {
    domain: domain === '' ? null : domain,
    companyWord: words,
    companyLongWord: words.filter((word) => word.length >= fuzzyLengthMin),
    companyLongForm: longForms,
    companyJoined: words.join(''),
    companyWordCount: words.length,
    industry: industryKey(company.industry ?? ''),
    headcount: company.employees === null ? null : headcountRanges.indexOf(toHeadcountRange(company.employees)),
    technology: company.technologies.map(technologyKey),
    funding: codeIn(fundingStages, company.funding),
    revenue: company.revenue,
    jobPostings: company.jobPostings,
    ...placeValues('company', company.place),
    hiring: company.hiringTitles.map((title) => ({ word: titleTokens(title) })),
  }
}

function placeValues(prefix: 'person' | 'company', place: Place): SearchDocument {
  const { city, state, country } = normalisePlace(place)
  return { [`${prefix}City`]: city, [`${prefix}State`]: state, [`${prefix}Country`]: country }
}

function suggested(value: string | null, subject = value): string | null {
  return value === null || value === '' ? null : `${value}${suggestSeparator}${normalise(subject ?? '')}`
}

/** The searchable levels of a place: the place itself, its state and its country, each found by its own name. */
function levels({ city, state, country }: Place): string[] {
  const all = [
    [printPlace(city, state, country), city || state || country],
    [printPlace(state, country), state || country],
    [country, country],
  ] as const
  return [...new Set(all.flatMap(([value, subject]) => suggested(value, subject) ?? []))]
}

function codeIn(vocabulary: readonly string[], value: string | null): number | null {
  const code = value === null ? -1 : vocabulary.indexOf(value)
  return code < 0 ? null : code
}
