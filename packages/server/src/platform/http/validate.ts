import { z } from 'zod'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { AppError, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import type { Tenant } from '../tenant.ts'
import { toIssues } from './issues.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import { unsafeParts, type ParsedBody } from './json.ts'
import { cursorIssues, nameList, type PageQuery } from './paging.ts'

interface RawRequest {
  /** The caller; lists and their cursors belong to its tenant. */
  tenant: Tenant
  params: Record<string, string>
  query: Record<string, unknown>
  body: ParsedBody
  /** The Idempotency-Key header of a POST. */
  idempotencyKey: string | undefined
  /** The issues from the route's own check of the body. */
  checked: readonly ValidationIssue[]
}

export interface ValidInput {
  params: Record<string, string>
  query: unknown
  body: unknown
}

const emptyQuery = z.strictObject({})
const noBody = z.strictObject({}).optional()
const visibleCharacters = /^[\x21-\x7e]{1,255}$/

/** Checks body, query, parameters and the idempotency key together, and throws all issues at once. */
export function validate(endpoint: Endpoint, raw: RawRequest): ValidInput {
  const issues: ValidationIssue[] = []
  const query = parseQuery(endpoint, raw, issues)
  const body = parseBody(endpoint, raw.body, issues)
  if (raw.checked.length > 0) {
    const reported = new Set(issues.map((issue) => issue.path))
    issues.push(...raw.checked.filter((issue) => !reported.has(issue.path)))
  }
  if (raw.idempotencyKey !== undefined && !visibleCharacters.test(raw.idempotencyKey)) {
    issues.push({ path: 'Idempotency-Key', rule: 'format', message: 'Use 1 to 255 visible characters.' })
  }
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', 'The request is not valid.', { issues })
  // Ids are opaque: an id that can't be stored names no resource, so it is a 404, after all other checks (docs/contract.md, "Conventions").
  if (!Object.values(raw.params).every(isStorable)) throw notFound()
  return { params: raw.params, query, body }
}

function parseQuery(
  endpoint: Endpoint,
  { tenant, params, query: given }: RawRequest,
  issues: ValidationIssue[],
): unknown {
  const query = parsePart(endpoint.query ?? emptyQuery, given, issues)
  if (query === undefined || endpoint.query === undefined || !isList(endpoint.query)) return query
  const { operationId } = endpoint
  const pageQuery = query as Omit<PageQuery, 'listName'>
  const paged: PageQuery = { ...pageQuery, listName: nameList({ operationId, tenant, params, query: pageQuery }) }
  issues.push(...cursorIssues(paged))
  return paged
}

function isList(query: z.ZodType): boolean {
  return query instanceof z.ZodObject && 'cursor' in query.shape
}

function parseBody(endpoint: Endpoint, body: ParsedBody, issues: ValidationIssue[]): unknown {
  if (endpoint.bodyType !== undefined) return undefined
  if (!body.ok) {
    issues.push(body.issue)
    return undefined
  }
  if (endpoint.body === undefined) {
    parsePart(noBody, body.value, issues)
    return undefined
  }
  // A missing body counts as one without fields, so that each missing field is reported.
  return parsePart(endpoint.body, body.value === undefined ? {} : body.value, issues, endpoint.itemsField)
}

function parsePart(schema: z.ZodType, value: unknown, issues: ValidationIssue[], itemsField?: string): unknown {
  if (schema === emptyQuery && isEmpty(value)) return value
  const found = unsafeParts(value)
  const unsafe = itemsField === undefined ? found : found.filter((issue) => !issue.path.startsWith(`${itemsField}[`))
  const parsed = schema.safeParse(value)
  if (unsafe.length === 0 && parsed.success) return parsed.data
  const reported = new Set(unsafe.map((issue) => issue.path))
  issues.push(...unsafe)
  if (!parsed.success) issues.push(...toIssues(parsed.error.issues, value).filter((issue) => !reported.has(issue.path)))
  return undefined
}

function isEmpty(value: unknown): boolean {
  for (const _ in value as object) return false
  return true
}
