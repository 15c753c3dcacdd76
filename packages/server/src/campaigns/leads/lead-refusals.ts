import type { z } from 'zod'
import { prototypeNames } from '@overture/contract/campaigns/lead-fields.ts'
import { issueMessage } from '@overture/contract/issue-messages.ts'
import { isStorable as isStorableText, unstorableMessage } from '@overture/ground/text/storable-text.ts'
import { suggestZone } from '@overture/ground/time/zone-suggestion.ts'

/** Why an item is no lead. The field is absent if the item itself is wrong. */
export interface LeadRefusal {
  field?: string
  message?: string
}

export const unstorableEmail: LeadRefusal = { field: 'email', message: unstorableMessage }
const noObject: LeadRefusal = { message: 'A lead is an object with the field "email".' }

/** The field and message of each issue, one per field. An invalid address goes before all other fields. */
export function listRefusals(issues: readonly z.core.$ZodIssue[], item: unknown): LeadRefusal[] {
  if (issues.length === 0) {
    const [field, value] = Object.entries(item as object).find(([, one]) => !isStorable(one)) ?? []
    if (field === undefined || !isStorable(field)) return []
    const name = prototypeNames.find((one) => Object.hasOwn(Object(value) as object, one))
    return [name === undefined ? { field, message: unstorableMessage } : refusedName(`${field}.${name}`)]
  }
  const isEmail = ({ path }: z.core.$ZodIssue): boolean => path[0] === 'email'
  const [first, ...others] = [...issues.filter(isEmail), ...issues.filter((issue) => !isEmail(issue))].map((issue) =>
    toRefusal(issue, item),
  )
  const seen = new Set([first?.field])
  const further = others.filter(({ field }) => field !== undefined && !seen.has(field) && seen.add(field))
  return [first ?? {}, ...further]
}

function toRefusal(issue: z.core.$ZodIssue, item: unknown): LeadRefusal {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const path = [...issue.path.map(String), ...(unknown === undefined ? [] : [unknown])].join('.')
  if (path === '') return noObject
  if (!isStorable(path)) return {}
  const field = path.slice(0, fieldCharsMax)
  const wasGiven = unknown !== undefined || (item as Record<string, unknown>)[String(issue.path[0])] !== undefined
  const message = unknown === undefined ? issueMessage(issue) : 'Leads have no such field.'
  if (field === 'timezone') return { field, message: zoneMessage((item as { timezone?: unknown }).timezone) }
  return { field, message: wasGiven ? message : 'Required.' }
}

function refusedName(field: string): LeadRefusal {
  return { field, message: 'This name is reserved. Use another name.' }
}

function zoneMessage(given: unknown): string {
  const suggested = typeof given === 'string' ? suggestZone(given) : null
  return suggested === null
    ? 'Not an IANA time zone. Use a name such as Europe/Berlin.'
    : `Not an IANA time zone. Use ${suggested}.`
}

const fieldCharsMax = 100

/** Whether no text and no name in the value is one that PostgreSQL can't store or that reaches a prototype. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([name, inner]) => !prototypeNames.includes(name) && isStorable(name) && isStorable(inner),
  )
}
