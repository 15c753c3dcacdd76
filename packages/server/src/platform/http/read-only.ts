import { isDeepStrictEqual } from 'node:util'
import type { ValidationIssue } from '@overture/contract/errors.ts'

/**
 * The rule of PUT: a read-only field may be sent back as it is, changing it is 400. `current` is the resource as GET
 * shows it; a field that was not sent is not looked at.
 */
export function readOnlyIssues(
  sent: Record<string, unknown>,
  current: Record<string, unknown>,
  fields: readonly string[],
): ValidationIssue[] {
  return fields
    .filter((field) => sent[field] !== undefined && !isDeepStrictEqual(sent[field], current[field]))
    .map((field) => ({ path: field, rule: 'read_only', message: `${field} can't be changed.` }))
}
