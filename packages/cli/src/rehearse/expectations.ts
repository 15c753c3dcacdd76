import type { CampaignStats } from '@overture/sdk'
import { CommandError } from '../output.ts'
import { isObject, parseObject } from './json-object.ts'

/** The range that a statistic must be in, both ends included. */
export interface Expectation {
  /** The name of a statistic: `sent`, or `rates.reply` for a nested one. */
  name: string
  min: number
  max: number
}

/** A statistic outside its expected range. */
export interface MissedRange extends Expectation {
  actual: number
}

/** Reads `{"sent": 40, "rates.bounce": {"max": 0.02}}`: exact numbers, minima and maxima. */
export function readExpectations(text: string, file: string): Expectation[] {
  const given = parseObject(text, { file, like: 'such as {"sent": {"min": 40}}' })
  return Object.entries(given).map(([name, range]) => {
    if (typeof range === 'number') return { name, min: range, max: range }
    const problem = `${file}: ${name}: Use a number or {"min": …, "max": …}.`
    if (!isObject(range)) throw new CommandError(problem)
    const { min = -Infinity, max = Infinity, ...more } = range
    const fits = typeof min === 'number' && typeof max === 'number' && Object.keys(more).length === 0
    if (!fits || Object.keys(range).length === 0) throw new CommandError(problem)
    if (min > max) throw new CommandError(`${file}: ${name}: min is greater than max.`)
    return { name, min, max }
  })
}

/** Returns the statistics outside their ranges. A name that is not a statistic is an error of the file. */
export function judge(stats: CampaignStats, expectations: readonly Expectation[]): MissedRange[] {
  return expectations.flatMap((expectation) => {
    const actual = readStatistic(stats, expectation.name)
    return actual >= expectation.min && actual <= expectation.max ? [] : [{ ...expectation, actual }]
  })
}

export function sayMissed({ name, min, max, actual }: MissedRange): string {
  if (min === max) return `${name} is ${actual}, not ${min}`
  if (actual < min) return `${name} is ${actual}, less than ${min}`
  return `${name} is ${actual}, more than ${max}`
}

function readStatistic(stats: CampaignStats, name: string): number {
  const [group = '', field] = name.split('.')
  const holder: object = field === undefined ? stats : group === 'rates' ? stats.rates : {}
  const value = Object.entries(holder).find(([key]) => key === (field ?? group))?.[1] as unknown
  if (typeof value === 'number') return value
  const names = Object.entries(stats).flatMap(([key, one]) => (typeof one === 'number' ? [key] : []))
  const rates = Object.keys(stats.rates).map((key) => `rates.${key}`)
  throw new CommandError(`${name} is not a statistic. Use one of ${[...names, ...rates].join(', ')}.`)
}
