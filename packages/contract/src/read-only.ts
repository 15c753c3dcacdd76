import type { ValidationIssue } from './errors.ts'

/**
 * The issues of read-only fields that were sent back with another value. A field that is unchanged or left out is accepted, so that GET,
 * edit, PUT works. Source: docs/contract.md, "Conventions".
 */
export function changedReadOnly(
  current: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): ValidationIssue[] {
  return fields
    .filter((field) => sent[field] !== undefined && !sameValue(sent[field], current[field]))
    .map((field) => ({ path: field, rule: 'read_only', message: `${field} is read-only and can't be changed.` }))
}

/** Deep equality of JSON values, whatever the order of keys. */
export function sameValue(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right)
}

function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
