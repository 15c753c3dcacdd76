import { prototypeNames } from '@overture/contract/campaigns/lead-fields.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { isStorable, unstorableMessage } from '@overture/ground/text/storable-text.ts'
import { formatPath } from './issues.ts'
import { exceededBounds } from './json-bounds.ts'

const issuesMax = 50
const decoder = new TextDecoder('utf-8', { fatal: true })

export type ParsedBody = { ok: true; value: unknown } | { ok: false; issue: ValidationIssue }

/** Parses the bytes of a JSON body. An empty text is no body. A text beyond the bounds is not parsed at all. */
export function parseJson(bytes: Uint8Array): ParsedBody {
  const exceeded = exceededBounds(bytes)
  if (exceeded !== null) return { ok: false, issue: exceeded }
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { ok: false, issue: { path: '', rule: 'json', message: 'The body is not valid UTF-8.' } }
  }
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, issue: { path: '', rule: 'json', message: 'The body is not valid JSON.' } }
  }
}

/**
 * Finds parts that no schema should have to check: null characters and lone surrogates, which PostgreSQL can't store, and names
 * that reach a prototype.
 */
export function unsafeParts(root: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const stack: NestedValue[] = []
  const visit = (value: unknown, key: PropertyKey | null, parent: NestedValue | null): void => {
    if (typeof value === 'string') {
      if (!isStorable(value)) issues.push(characterIssue(buildPath(key, parent)))
    } else if (typeof value === 'object' && value !== null) {
      stack.push({ value, key, parent })
    }
  }
  visit(root, null, null)
  for (let next = stack.pop(); next !== undefined && issues.length < issuesMax; next = stack.pop()) {
    const holder = next
    if (Array.isArray(holder.value)) holder.value.forEach((item, index) => visit(item, index, holder))
    else issues.push(...visitFields(holder, visit))
  }
  return issues
}

/** A value inside the body, linked to its parent. Paths are only built for values with an issue. */
interface NestedValue {
  value: object
  key: PropertyKey | null
  parent: NestedValue | null
}

function visitFields(
  holder: NestedValue,
  visit: (value: unknown, key: PropertyKey, parent: NestedValue) => void,
): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  for (const [key, child] of Object.entries(holder.value)) {
    if (prototypeNames.includes(key)) {
      const path = formatPath(buildPath(key, holder))
      issues.push({ path, rule: 'unknown_field', message: `Unknown field ${JSON.stringify(key)}.` })
    } else if (!isStorable(key)) issues.push(characterIssue(buildPath(key, holder)))
    else visit(child, key, holder)
  }
  return issues
}

function buildPath(key: PropertyKey | null, parent: NestedValue | null): PropertyKey[] {
  const path = key === null ? [] : [key]
  for (let holder = parent; holder !== null; holder = holder.parent) if (holder.key !== null) path.unshift(holder.key)
  return path
}

/** The same text for equal values, whatever the order of their fields. Requests with an idempotency key are compared by it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`)
    return `{${fields.join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function characterIssue(path: PropertyKey[]): ValidationIssue {
  const readable = path.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') : part,
  )
  return {
    path: formatPath(readable),
    rule: 'characters',
    message: unstorableMessage,
  }
}
