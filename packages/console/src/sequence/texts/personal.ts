import type { Lead } from '@overture/sdk'

const fields = ['firstName', 'lastName', 'jobTitle', 'company', 'city', 'email'] as const
export type PersonalFacts = Pick<Lead, (typeof fields)[number]>

/** A single letter is too often a word in its own right to be treated as a name. */
const lengthMin = 2

/** Turns a text for one lead into a text for all leads: replaces the lead's facts with variables. */
export function withVariables(written: string, lead: PersonalFacts): string {
  const known = fields
    .map((name) => ({ name, value: lead[name]?.trim() ?? '' }))
    .filter(({ value }) => value.length >= lengthMin && !/[{}%]/.test(value))
    .sort((a, b) => b.value.length - a.value.length)
  if (known.length === 0) return written
  const values = known.map(({ value }) => escaped(value)).join('|')
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:${values})(?![\\p{L}\\p{N}])`, 'gu')
  return written.replaceAll(whole, (found) => `{{ ${known.find(({ value }) => value === found)!.name} }}`)
}

function escaped(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
