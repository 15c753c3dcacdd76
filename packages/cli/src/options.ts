import { InvalidArgumentError } from 'commander'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { email } from '@overture/contract/common.ts'
import { roles, type Role } from '@overture/contract/team/roles.ts'
import { planIds, type PlanId } from '@overture/contract/accounts/credits.ts'

/** Parsers of option values for commander. An invalid value is reported with the name of the option. */

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('Use a whole number.')
  return number
}

export function nameOption(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 200) throw new InvalidArgumentError('Use 1 to 200 characters.')
  return name
}

export function environmentOption(text: string): Environment {
  return parseChoice(['live', 'test'] as const, text)
}

export function planOption(text: string): PlanId {
  return parseChoice(planIds, text)
}

export function roleOption(text: string): Role {
  return parseChoice(roles, text)
}

export function emailOption(text: string): string {
  const address = email.safeParse(text)
  if (!address.success) throw new InvalidArgumentError('Use an email address.')
  return address.data
}

export function auditFormatOption(text: string): 'csv' | 'ndjson' {
  return parseChoice(['csv', 'ndjson'] as const, text)
}

export function switchOption(text: string): boolean {
  return parseChoice(['on', 'off'] as const, text) === 'on'
}

export function scopesOption(text: string): Scope[] {
  return text.split(',').map((scope) => parseChoice(['read', 'write', 'admin'] as const, scope.trim()))
}

export function timeOption(text: string): Date {
  const time = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('Use a time in ISO 8601, such as 2027-01-31T12:00:00Z.')
  }
  return time
}

function parseChoice<const Choice extends string>(choices: readonly Choice[], text: string): Choice {
  const found = choices.find((choice) => choice === text)
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${choices.join(', ')}.`)
  return found
}
