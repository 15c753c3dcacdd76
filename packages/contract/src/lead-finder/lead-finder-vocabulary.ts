/** The closed vocabularies of the lead finder, and the spellings of large data providers. */

export const seniorities = [
  'c_suite',
  'director',
  'entry',
  'founder_owner',
  'head',
  'intern',
  'manager',
  'partner',
  'senior',
  'vp',
] as const
export type Seniority = (typeof seniorities)[number]

export const departments = [
  'c_suite',
  'consulting',
  'design',
  'education_coaching',
  'engineering_technical',
  'finance',
  'human_resources',
  'information_technology',
  'legal',
  'marketing',
  'medical_health',
  'operations',
  'product',
  'sales',
] as const
export type Department = (typeof departments)[number]

export const headcountRanges = [
  '1-10',
  '11-20',
  '21-50',
  '51-100',
  '101-200',
  '201-500',
  '501-1000',
  '1001-2000',
  '2001-5000',
  '5001-10000',
  '10000+',
] as const
export type HeadcountRange = (typeof headcountRanges)[number]

export const fundingStages = [
  'angel',
  'convertible_note',
  'corporate_round',
  'debt_financing',
  'equity_crowdfunding',
  'grant',
  'initial_coin_offering',
  'non_equity_assistance',
  'post_ipo_debt',
  'post_ipo_equity',
  'post_ipo_secondary',
  'pre_seed',
  'private_equity',
  'product_crowdfunding',
  'secondary_market',
  'seed',
  'series_a',
  'series_b',
  'series_c',
  'series_d',
  'series_e_j',
  'series_unknown',
  'undisclosed',
] as const
export type FundingStage = (typeof fundingStages)[number]

export const companyTypes = ['private', 'public', 'non_profit', 'other'] as const
export type CompanyType = (typeof companyTypes)[number]

/** Each printed revenue and the US dollars at which its bucket begins. */
const revenueBuckets = [
  ['<100K', 0],
  ['100K', 1e5],
  ['500K', 5e5],
  ['1M', 1e6],
  ['5M', 5e6],
  ['10M', 1e7],
  ['25M', 2.5e7],
  ['50M', 5e7],
  ['100M', 1e8],
  ['250M', 2.5e8],
  ['500M', 5e8],
  ['1B', 1e9],
  ['5B', 5e9],
  ['10B+', 1e10],
] as const
export const revenuePrintedValues = revenueBuckets.map(([printed]) => printed)
export type RevenuePrinted = (typeof revenueBuckets)[number][0]

export const jobChangeDays = [30, 60, 90, 180, 270, 365] as const

const seniorityAliases: Record<string, Seniority> = {
  clevel: 'c_suite',
  cxo: 'c_suite',
  csuiteexecutive: 'c_suite',
  executive: 'c_suite',
  chief: 'c_suite',
  cso: 'c_suite',
  founder: 'founder_owner',
  owner: 'founder_owner',
  founderandowner: 'founder_owner',
  ownerfounder: 'founder_owner',
  cofounder: 'founder_owner',
  vicepresident: 'vp',
  vplevel: 'vp',
  svp: 'vp',
  evp: 'vp',
  headof: 'head',
  directorlevel: 'director',
  managerlevel: 'manager',
  seniorlevel: 'senior',
  ic: 'senior',
  experienced: 'senior',
  entrylevel: 'entry',
  junior: 'entry',
  associate: 'entry',
  training: 'intern',
  trainee: 'intern',
  unpaid: 'intern',
  internship: 'intern',
}

const departmentAliases: Record<string, Department> = {
  clevel: 'c_suite',
  executive: 'c_suite',
  education: 'education_coaching',
  coaching: 'education_coaching',
  educationandcoaching: 'education_coaching',
  engineering: 'engineering_technical',
  technical: 'engineering_technical',
  engineeringandtechnical: 'engineering_technical',
  masterengineeringtechnical: 'engineering_technical',
  masterfinance: 'finance',
  financial: 'finance',
  accounting: 'finance',
  hr: 'human_resources',
  people: 'human_resources',
  masterhumanresources: 'human_resources',
  it: 'information_technology',
  masterinformationtechnology: 'information_technology',
  masterlegal: 'legal',
  mastermarketing: 'marketing',
  health: 'medical_health',
  medical: 'medical_health',
  healthcare: 'medical_health',
  medicalandhealth: 'medical_health',
  medicalhealthcare: 'medical_health',
  masteroperations: 'operations',
  mastersales: 'sales',
  productmanagement: 'product',
  productmanagment: 'product',
}

const fundingAliases: Record<string, FundingStage> = {
  ico: 'initial_coin_offering',
  privateequityround: 'private_equity',
  angelround: 'angel',
  seedround: 'seed',
  seriese: 'series_e_j',
  seriesf: 'series_e_j',
  seriesg: 'series_e_j',
  seriesh: 'series_e_j',
  seriesi: 'series_e_j',
  seriesj: 'series_e_j',
  seriesej: 'series_e_j',
  ventureroundunknown: 'series_unknown',
  venture: 'series_unknown',
  debt: 'debt_financing',
  convertible: 'convertible_note',
  corporate: 'corporate_round',
}

const typeAliases: Record<string, CompanyType> = {
  privatelyheld: 'private',
  privatecompany: 'private',
  publiccompany: 'public',
  nonprofitorganization: 'non_profit',
  notforprofit: 'non_profit',
  ngo: 'non_profit',
  educational: 'other',
  educationalinstitution: 'other',
  governmentagency: 'other',
  government: 'other',
  selfowned: 'other',
  selfemployed: 'other',
  partnership: 'other',
  soleproprietorship: 'other',
  publicsubsidiary: 'public',
  privatesubsidiary: 'private',
}

export const canonicalSeniority = matcher(seniorities, seniorityAliases)
export const canonicalDepartment = matcher(departments, departmentAliases)
export const canonicalFundingStage = matcher(fundingStages, fundingAliases)
export const canonicalCompanyType = matcher(companyTypes, typeAliases)

/** Removes case, spaces, punctuation and accents; `&` becomes "and". */
export function squeeze(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

const lowerBounds = [1, 11, 21, 51, 101, 201, 501, 1001, 2001, 5001, 10_001]
const upperBounds = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, Infinity]

/**
 * The buckets of a written range. `11-20` is one bucket. The wider ranges of LinkedIn and People Data Labs (`11-50`, `1001-5000`, `10001+`)
 * are a union of buckets. Returns null if the range is not a union of buckets.
 */
export function canonicalHeadcount(text: string): HeadcountRange[] | null {
  const plain = text
    .toLowerCase()
    .replace(/employees?|people|[,_\s]/g, '')
    .replace(/[–—]|to|\.\.+/g, '-')
  if (['selfemployed', 'self-employed', '1', '0-1', '2-10'].includes(plain)) return ['1-10']
  if (/^1000[01](\+|-)?$/.test(plain)) return ['10000+']
  const found = /^(\d+)-(\d+)$/.exec(plain)
  if (!found) return null
  const from = lowerBounds.indexOf(Number(found[1]))
  const to = upperBounds.indexOf(Number(found[2]))
  return from < 0 || to < from ? null : headcountRanges.slice(from, to + 1)
}

export function toHeadcountRange(employees: number): HeadcountRange {
  return headcountRanges[upperBounds.findIndex((upper) => employees <= upper)]!
}

/** The printed bucket of a revenue in US dollars. */
export function toRevenuePrinted(dollars: number): RevenuePrinted {
  let printed: RevenuePrinted = '<100K'
  for (const [name, from] of revenueBuckets) if (dollars >= from) printed = name
  return printed
}

/**
 * A revenue bound as the range of US dollars `[from, below)` that it means: the whole bucket for a printed value, the number alone for a
 * number. Returns null for anything else.
 */
export function revenueBound(value: string | number): { from: number; to: number } | null {
  if (typeof value === 'number') return value >= 0 ? { from: value, to: value } : null
  const plain = value.toUpperCase().replace(/[\s$,]|USD/g, '')
  const index = revenueBuckets.findIndex(
    ([printed]) => printed === plain || printed.replace(/[<+]/, '') + '+' === plain,
  )
  const bare = index >= 0 ? index : revenueBuckets.findLastIndex(([printed]) => printed.replace(/[+]/, '') === plain)
  if (bare >= 0) {
    const next = revenueBuckets[bare + 1]
    return { from: revenueBuckets[bare]![1], to: next ? next[1] - 0.01 : Infinity }
  }
  return /^\d+(\.\d+)?$/.test(plain) ? { from: Number(plain), to: Number(plain) } : null
}

function matcher<Value extends string>(values: readonly Value[], aliases: Record<string, Value>) {
  const known = new Map<string, Value>(Object.entries(aliases))
  for (const value of values) known.set(squeeze(value), value)
  return (text: string): Value | null => known.get(squeeze(text)) ?? null
}
