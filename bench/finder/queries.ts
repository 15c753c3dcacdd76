import { departments, seniorities } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { personSearchInput, type PersonSearchInput } from '@overture/contract/lead-finder/lead-finder.ts'
import { demoIndustries, demoTechnologies } from '@overture/server/lead-finder/records/demo-vocabulary.ts'
import type { Data } from './data.ts'

const headcounts = ['1-10', '11-20', '21-50', '51-100', '101-200', '201-500', '501-1000', '1001-2000']

/** Thirteen classes of searches: one to eight filters, broad and narrow, first and last page. */
export function createQueries(data: Data, each: number): Record<string, PersonSearchInput[]> {
  const { random } = data
  const pick = <Item>(items: readonly Item[], power = 1): Item => items[Math.floor(random() ** power * items.length)]!
  const some = <Item>(count: number, items: readonly Item[], power = 1) =>
    Array.from({ length: count }, () => pick(items, power))
  const country = (count: number) => some(count, data.places, 3).map((place) => place.country)
  const title = () =>
    pick([
      'vp sales',
      'director engineering',
      'cto',
      'marketing manager',
      'head of product',
      'sales',
      'engineer',
      'vice president finance',
    ])
  const typo = () => {
    const [word, ...rest] = pick(data.companies, 2).name.split(' ')
    const at = 1 + Math.floor(random() * (word!.length - 2))
    return [word!.slice(0, at) + word!.slice(at + 1), ...rest].join(' ')
  }
  const classes: Record<string, () => object> = {
    'A seniority': () => ({ seniority: some(1, seniorities) }),
    'B country': () => ({ personLocation: country(1) }),
    'C 3 filters': () => ({
      seniority: some(2, seniorities),
      department: some(2, departments),
      personLocation: country(1),
    }),
    'D 5 filters': () => ({
      seniority: some(3, seniorities),
      department: some(3, departments),
      personLocation: country(3),
      industry: some(8, demoIndustries),
      headcountRange: some(4, headcounts),
    }),
    'E fuzzy company': () => ({ companyName: typo() }),
    'F title words': () => ({ jobTitle: title() }),
    'G cities': () => ({
      personLocation: some(3, data.places, 2).map((place) => place.city),
      seniority: some(3, seniorities),
    }),
    'H state': () => ({ personLocation: ['California', 'Texas'], department: some(2, departments) }),
    'I technology': () => ({ technology: some(5, demoTechnologies), seniority: some(2, seniorities) }),
    'J years': () => ({
      minYearsExperience: Math.floor(random() * 20),
      maxYearsExperience: 20 + Math.floor(random() * 12),
      department: some(1, departments),
    }),
    'K page 10': () => ({
      seniority: some(2, seniorities),
      department: some(3, departments),
      personLocation: ['United States'],
      page: 10,
    }),
    'L page 1000': () => ({ seniority: some(3, seniorities), page: 1000 }),
    'M 8 filters': () => ({
      jobTitle: title().split(' ')[0],
      seniority: some(4, seniorities),
      personLocation: [...country(3), 'Texas'],
      industry: some(20, demoIndustries),
      headcountRange: some(6, headcounts),
      technology: some(5, demoTechnologies),
      minYearsExperience: 3,
      maxYearsExperience: 30,
      companyLocation: country(6),
    }),
  }
  return Object.fromEntries(
    Object.entries(classes).map(([name, make]) => [
      name,
      Array.from({ length: each }, () => personSearchInput.parse(make())),
    ]),
  )
}
