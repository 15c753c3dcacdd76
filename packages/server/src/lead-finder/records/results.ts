import type { CompanySearchResult, PersonSearchResult } from '@overture/contract/lead-finder/lead-finder.ts'
import { searchPagesMax, searchPageSize } from '@overture/contract/lead-finder/lead-finder.ts'
import { toHeadcountRange, toRevenuePrinted } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { printPlace } from '@overture/people-index/records/location.ts'
import { maskEmail, maskMobile } from './mask.ts'
import type { CompanyRecord, PersonRecord } from './records.ts'

type UnshownFields = 'technologies' | 'fundingStage' | 'jobPostings' | 'hiringTitles'

/** A company as it is stored. */
export interface FoundCompany extends Omit<CompanyRecord, UnshownFields | 'type'> {
  number: number
  type: string | null
}

type PersonFields =
  | 'id'
  | 'firstName'
  | 'lastName'
  | 'jobTitle'
  | 'linkedinUrl'
  | 'country'
  | 'city'
  | 'email'
  | 'mobile'

/** A person as stored, with the real email and mobile number. Only masks of them are shown. */
export interface FoundPerson extends Pick<PersonRecord, PersonFields> {
  number: number
  seniority: string | null
  company: string | null
  companyDomain: string | null
  companyWebsite: string | null
  companyLogoUrl: string | null
  companyIndustry: string | null
  companyEmployeeCount: number | null
  companyCountry: string | null
  companyCity: string | null
}

/** A row of the people search: exactly these fields, with masked contacts. */
export function presentPerson(row: FoundPerson): PersonSearchResult {
  const employees = row.companyEmployeeCount
  return {
    personId: row.id,
    firstName: row.firstName ?? '',
    lastName: row.lastName ?? '',
    jobTitle: row.jobTitle ?? '',
    seniority: row.seniority ?? '',
    linkedinUrl: row.linkedinUrl ?? '',
    country: row.country ?? '',
    city: row.city ?? '',
    company: row.company ?? '',
    companyInfo: {
      name: row.company ?? '',
      domain: row.companyDomain ?? '',
      website: row.companyWebsite ?? '',
      logoUrl: row.companyLogoUrl,
      industry: row.companyIndustry ?? '',
      employeeCount: employees ?? 0,
      employeeRange: employees === null ? '' : toHeadcountRange(employees),
      country: row.companyCountry ?? '',
      city: row.companyCity ?? '',
    },
    emailMasked: maskEmail(row.email),
    mobileMasked: maskMobile(row.mobile),
  }
}

/** The published format 2.2. */
export function presentCompany(row: FoundCompany): CompanySearchResult {
  return {
    companyId: row.id,
    name: row.name,
    domain: row.domain ?? '',
    website: row.website ?? '',
    logoUrl: row.logoUrl,
    industry: row.industry ?? '',
    employeeCount: row.employeeCount ?? 0,
    employeeRange: row.employeeCount === null ? '' : toHeadcountRange(row.employeeCount),
    location: printPlace(row.city, row.country),
    linkedinUrl: row.linkedinUrl ?? '',
    founded: row.founded ?? 0,
    revenuePrinted: row.revenue === null ? '' : toRevenuePrinted(row.revenue),
    type: row.type ?? '',
  }
}

/** The published format 2.3, limited to the available pages. */
export function searchPagination(page: number, totalCount: number) {
  return { currentPage: page, totalPages: Math.min(searchPagesMax, Math.ceil(totalCount / searchPageSize)), totalCount }
}
