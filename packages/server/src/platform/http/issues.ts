import type { z } from 'zod'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { issueMessage } from '@overture/contract/issue-messages.ts'

type ZodIssue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const issuesMax = 200

/** Converts Zod's issues to those of the API: one per field, and one per unknown field. `input` is the parsed value. */
export function toIssues(issues: readonly ZodIssue[], input: unknown): ValidationIssue[] {
  return issues.flatMap((issue) => toIssue(issue, [], input)).slice(0, issuesMax)
}

/** A path such as `steps[0].variants[1].subject`; the empty string is the body itself. */
export function formatPath(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? String(part) : `.${String(part)}`
  }
  return text
}

function toIssue(issue: ZodIssue, parent: Path, input: unknown): ValidationIssue[] {
  const path = [...parent, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: formatPath([...path, key]),
      rule: 'unknown_field',
      message: `Unknown field ${JSON.stringify(key)}.`,
    }))
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return bestBranch(issue.errors, path, input)
  const missing = issue.code === 'invalid_type' && valueAt(input, path) === undefined
  return [
    {
      path: formatPath(path),
      rule: missing ? 'required' : issueRule(issue),
      message: missing ? 'Required.' : issueMessage(issue),
    },
  ]
}

// The closest alternative: it failed deepest inside the value, or in the fewest places.
function bestBranch(branches: readonly (readonly ZodIssue[])[], path: Path, input: unknown): ValidationIssue[] {
  const ranked = branches
    .filter((branch) => branch.length > 0)
    .map((branch) => ({ branch, depth: Math.max(...branch.map((issue) => issue.path.length)) }))
    .sort((a, b) => b.depth - a.depth || a.branch.length - b.branch.length)
  const best = ranked[0]
  if (best === undefined || (best.depth === 0 && ranked.length > 1)) {
    return [{ path: formatPath(path), rule: 'type', message: 'This value has none of the accepted forms.' }]
  }
  return best.branch.flatMap((issue) => toIssue(issue, path, input))
}

function issueRule(issue: ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return 'type'
    case 'too_small':
      return 'min'
    case 'too_big':
      return 'max'
    case 'invalid_format':
      return 'format'
    case 'invalid_value':
      return 'enum'
    case 'not_multiple_of':
      return 'multiple_of'
    case 'custom': {
      const rule: unknown = issue.params?.['rule']
      return typeof rule === 'string' ? rule : 'custom'
    }
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
      return issue.code
  }
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}
