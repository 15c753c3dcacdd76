import type { ValidationIssue } from '@overture/contract/errors.ts'
import { formatPath } from './issues.ts'

const maxDepth = 32
const maxIssues = 50
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
// Lone surrogates count as surrogates under the u flag; pairs are one character.
const unstorable = /[\0\p{Surrogate}]/u
const decoder = new TextDecoder('utf-8', { fatal: true })

export type ParsedBody = { ok: true; value: unknown } | { ok: false; issue: ValidationIssue }

/** Parses the bytes of a JSON body; no bytes at all are no body. */
export function parseJson(bytes: Uint8Array): ParsedBody {
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
 * What no schema should have to think of: null characters and lone surrogates (PostgreSQL can't store them), names
 * that reach a prototype, nesting without end.
 */
export function unsafeParts(root: unknown): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const stack: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }]
  while (stack.length > 0 && issues.length < maxIssues) {
    const { value, path } = stack.pop()!
    if (typeof value === 'string') {
      if (!isStorable(value)) issues.push(characterIssue(path))
      continue
    }
    if (typeof value !== 'object' || value === null) continue
    if (path.length >= maxDepth) {
      issues.push({ path: '', rule: 'depth', message: `Nested more than ${maxDepth} levels deep.` })
      break
    }
    for (const [key, child] of Object.entries(value)) {
      const childPath = [...path, Array.isArray(value) ? Number(key) : key]
      if (!Array.isArray(value) && refusedKeys.has(key)) {
        issues.push({
          path: formatPath(childPath),
          rule: 'unknown_field',
          message: `Unknown field ${JSON.stringify(key)}.`,
        })
      } else if (!isStorable(key)) issues.push(characterIssue(childPath))
      else if (typeof child === 'string' ? !isStorable(child) : typeof child === 'object') {
        stack.push({ value: child, path: childPath })
      }
    }
  }
  return issues
}

/** One text for one value, whatever the order of its fields: what an idempotency key is compared by. */
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

export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}

function characterIssue(path: PropertyKey[]): ValidationIssue {
  const readable = path.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') : part,
  )
  return {
    path: formatPath(readable),
    rule: 'characters',
    message: 'Contains a null character or half a surrogate pair.',
  }
}
