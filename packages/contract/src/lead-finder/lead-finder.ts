import { z } from 'zod'
import { id, namedObject, pagination } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  canonicalDepartment,
  canonicalFundingStage,
  canonicalHeadcount,
  canonicalSeniority,
  departments,
  fundingStages,
  headcountRanges,
  jobChangeDays,
  revenueBound,
  revenuePrintedValues,
  seniorities,
} from './lead-finder-vocabulary.ts'

export const searchPageSize = 25
export const searchPagesMax = 1000

const text = z.string().max(200)
const texts = z.array(text).max(20)
const count = z.number().int().min(0)
const months = count.max(600)
const page = z.number().int().min(1).max(searchPagesMax).default(1)

/** Matches without regard to case, spaces and punctuation. An unknown value is refused with the list of known values. */
function oneOf(values: readonly string[], isKnown: (value: string) => boolean) {
  return z
    .array(text.refine(isKnown, { message: `Use one of: ${values.join(', ')}.` }))
    .max(20)
    .meta({ description: `Closed vocabulary: ${values.join(', ')}.` })
}

const headcount = oneOf(headcountRanges, (value) => canonicalHeadcount(value) !== null)
const revenue = z
  .union([z.number().min(0), text])
  .refine((value) => revenueBound(value) !== null, {
    message: `Use a number of US dollars or one of: ${revenuePrintedValues.join(', ')}.`,
  })
  .meta({ description: `US dollars, or one of: ${revenuePrintedValues.join(', ')}.` })

/** Bounds and vocabularies of the people search. Values within a field are joined with OR, fields with AND. */
export const personSearchInput = withOrderedBounds(
  z.strictObject({
    domain: text.optional(),
    companyName: text.optional(),
    jobTitle: text.optional(),
    seniority: oneOf(seniorities, (value) => canonicalSeniority(value) !== null).optional(),
    department: oneOf(departments, (value) => canonicalDepartment(value) !== null).optional(),
    personLocation: texts.optional(),
    industry: texts.optional(),
    headcountRange: headcount.optional(),
    companyLocation: texts.optional(),
    technology: texts.optional(),
    minYearsExperience: z.number().min(0).max(60).optional(),
    maxYearsExperience: z.number().min(0).max(60).optional(),
    minRevenue: revenue.optional(),
    maxRevenue: revenue.optional(),
    fundingStages: oneOf(fundingStages, (value) => canonicalFundingStage(value) !== null).optional(),
    jobChangeRecent: z.union([z.boolean(), z.literal(jobChangeDays)]).optional(),
    hiringForTitles: z.array(z.string().min(1).max(200)).max(20).optional(),
    minJobPostings: count.max(5000).optional(),
    maxJobPostings: count.max(5000).optional(),
    minTimeInRole: months.optional(),
    maxTimeInRole: months.optional(),
    minTimeInCompany: months.optional(),
    maxTimeInCompany: months.optional(),
    page,
  }),
).meta({ id: 'SearchPeopleInput' })
export type PersonSearchInput = z.output<typeof personSearchInput>

/** Source: the published interface, 4.4. */
export const companySearchInput = namedObject('SearchCompaniesInput', {
  domain: text.optional(),
  companyName: text.optional(),
  industry: texts.optional(),
  headcountRange: headcount.optional(),
  location: texts.optional(),
  page,
})
export type CompanySearchInput = z.output<typeof companySearchInput>

/** Source: the published interface, 2.1. Its types are strings, so a missing value is the empty string. */
export const personSearchResult = namedObject('PersonSearchResult', {
  personId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  jobTitle: z.string(),
  seniority: z.string(),
  linkedinUrl: z.string(),
  country: z.string(),
  city: z.string(),
  company: z.string(),
  companyInfo: namedObject('CompanyInfo', {
    name: z.string(),
    domain: z.string(),
    website: z.string(),
    logoUrl: z.string().nullable(),
    industry: z.string(),
    employeeCount: z.number(),
    employeeRange: z.string(),
    country: z.string(),
    city: z.string(),
  }),
  emailMasked: z.string(),
  mobileMasked: z.string(),
})
export type PersonSearchResult = z.infer<typeof personSearchResult>

/** Source: the published interface, 2.2. `founded` is 0 if the year is not known. */
export const companySearchResult = namedObject('CompanySearchResult', {
  companyId: z.string(),
  name: z.string(),
  domain: z.string(),
  website: z.string(),
  logoUrl: z.string().nullable(),
  industry: z.string(),
  employeeCount: z.number(),
  employeeRange: z.string(),
  location: z.string(),
  linkedinUrl: z.string(),
  founded: z.number(),
  revenuePrinted: z.string(),
  type: z.string(),
})
export type CompanySearchResult = z.infer<typeof companySearchResult>

export const revealField = z.enum(['email', 'mobile']).meta({ id: 'RevealableField' })
export type RevealField = z.infer<typeof revealField>

export const suggestFields = ['industry', 'technology', 'jobTitle', 'location', 'companyName'] as const
export const suggestField = z.enum(suggestFields).meta({ id: 'SuggestField' })
export type SuggestField = z.infer<typeof suggestField>

const tag = 'Lead finder'
const creditHeaders =
  'Every 200 has the headers `X-Credits-Charged` and `X-Credits-Remaining`. A page that is not empty costs 1 credit. The ' +
  'same search and page is free for 24 hours. If the service searches its own database, `X-Search-State` is the ' +
  'same on all pages that were read from the same state of it.'

export const leadFinderEndpoints = {
  searchPeople: endpoint({
    operationId: 'searchPeople',
    call: 'leadFinder.searchPeople',
    method: 'POST',
    path: '/v2/campaigns/lead-finder/search',
    environment: 'both',
    scope: 'write',
    summary: 'Search people',
    description: `Searches the licensed people database; e-mail and mobile values are masked. ${creditHeaders}`,
    tag,
    body: personSearchInput,
    success: [200],
    output: namedObject('PersonSearchResultPage', { results: z.array(personSearchResult), pagination }),
    errors: ['INSUFFICIENT_CREDITS', 'SERVICE_UNAVAILABLE'],
    examples: { body: { jobTitle: 'vp sales', seniority: ['vp'], personLocation: ['Germany'], page: 1 } },
  }),
  searchCompanies: endpoint({
    operationId: 'searchCompanies',
    call: 'leadFinder.searchCompanies',
    method: 'POST',
    path: '/v2/campaigns/lead-finder/search-company',
    environment: 'both',
    scope: 'write',
    summary: 'Search companies',
    description: creditHeaders,
    tag,
    body: companySearchInput,
    success: [200],
    output: namedObject('CompanySearchResultPage', { results: z.array(companySearchResult), pagination }),
    errors: ['INSUFFICIENT_CREDITS', 'SERVICE_UNAVAILABLE'],
    examples: { body: { companyName: 'acme', location: ['Berlin'], page: 1 } },
  }),
  revealField: endpoint({
    operationId: 'revealField',
    call: 'leadFinder.reveal',
    method: 'POST',
    path: '/v2/campaigns/lead-finder/reveal',
    environment: 'both',
    scope: 'write',
    summary: 'Reveal a field',
    description:
      'Unmasks one value of one person. An email address costs 1 credit, a mobile number 10. A value that does not ' +
      'exist or was revealed before is free.',
    tag,
    body: namedObject('RevealFieldInput', { personId: id, field: revealField }),
    success: [200],
    output: namedObject('RevealedField', {
      personId: z.string(),
      field: revealField,
      found: z.boolean(),
      value: z.string().nullable(),
      creditsCharged: z.number().int(),
      alreadyRevealed: z.boolean(),
    }),
    errors: ['INSUFFICIENT_CREDITS', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    examples: { body: { personId: 'per_01h9', field: 'email' } },
  }),
  suggestFilterValues: endpoint({
    operationId: 'suggestFilterValues',
    call: 'leadFinder.suggest',
    method: 'GET',
    path: '/v2/campaigns/lead-finder/suggest',
    environment: 'both',
    scope: 'read',
    summary: 'Suggest filter values',
    description: 'Completes the open vocabularies with values that the database has; free.',
    tag,
    query: z.strictObject({ field: suggestField, q: z.string().max(200).default('') }),
    success: [200],
    output: namedObject('FilterSuggestionList', {
      results: z.array(namedObject('FilterSuggestion', { value: z.string(), count: z.number().int() })),
    }),
    errors: ['SERVICE_UNAVAILABLE'],
  }),
} as const

type Shape = z.ZodObject<Record<string, z.ZodType>>

/** Checks each `minX` against its `maxX`. A violation is reported on the path of the minimum, in addition to any other issue. */
function withOrderedBounds<Input extends Shape>(schema: Input): Input {
  let checked: Input = schema
  for (const minimum of Object.keys(schema.shape).filter((name) => name.startsWith('min'))) {
    const maximum = `max${minimum.slice(3)}`
    checked = checked.refine((value) => areOrdered(value as Record<string, unknown>, minimum, maximum), {
      path: [minimum],
      message: `${minimum} must not be greater than ${maximum}.`,
      when: () => true,
    })
  }
  return checked
}

function areOrdered(value: Record<string, unknown>, minimum: string, maximum: string): boolean {
  const low = lowestValue(value?.[minimum])
  const high = highestValue(value?.[maximum])
  return low === null || high === null || low <= high
}

function lowestValue(value: unknown): number | null {
  return typeof value === 'string' || typeof value === 'number' ? (revenueBound(value)?.from ?? null) : null
}

function highestValue(value: unknown): number | null {
  return typeof value === 'string' || typeof value === 'number' ? (revenueBound(value)?.to ?? null) : null
}
