import { isObject } from '@overture/ground/json/object.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import type { AuditActor, AuditChange, AuditOutcome } from '@overture/contract/team/audit.ts'
import type { AuditFacts } from '../audit/entry.ts'
import type { Caller } from './admission.ts'
import type { ClientFacts } from './client-facts.ts'

/** Areas about people who receive mail. The log stores only the names of their fields, never a value. */
const peopleTags: ReadonlySet<string> = new Set([
  'Campaign leads',
  'Conversations',
  'Leads',
  'Lead finder',
  'Meetings',
  'Suppressions',
  'Test environment',
])
/** Objects with free content from users. The log stores only their names. */
const openObjects: ReadonlySet<string> = new Set(['customVariables', 'lead', 'integrations', 'serviceAccountKey'])
const depthMax = 3
const changesMax = 50

export interface RequestFacts {
  endpoint: Endpoint
  caller: Caller
  client: ClientFacts
  requestId: string
  path: string
  body: unknown
}

/** The audit facts of a request. `answer` is its response; `known` are changes that the handler reported in more detail. */
export function buildAuditFacts(
  request: RequestFacts,
  result: { outcome: AuditOutcome; answer?: unknown; known?: readonly AuditChange[]; was?: object | null },
): AuditFacts {
  const { endpoint, caller, client, requestId } = request
  const known = new Set(result.known?.map(({ path }) => path))
  const changes =
    result.outcome === 'denied'
      ? []
      : changesIn(endpoint, request.body, result.was ?? null).filter(({ path }) => !known.has(path))
  return {
    accountId: caller.tenant.accountId,
    environment: caller.tenant.environment,
    actor: callerActor(caller),
    action: endpoint.operationId,
    target: findAuditTarget(endpoint, request.path, result.answer),
    outcome: result.outcome,
    ip: client.ip,
    userAgent: client.userAgent,
    requestId,
    changes: [...(result.known ?? []), ...changes],
  }
}

export function callerActor({ kind, id, userId, name }: Caller): AuditActor {
  return kind === 'session' ? { type: 'user', id: userId, name } : { type: 'key', id, name }
}

/** The last resource in the path, else the created one. */
function findAuditTarget(endpoint: Endpoint, path: string, answer: unknown): AuditFacts['target'] {
  const pattern = endpoint.path.split('/')
  const parts = path.split('/')
  const last = pattern.findLastIndex((part) => part.startsWith(':'))
  if (last > 0) return { type: pattern[last - 1] ?? null, id: decoded(parts[last] ?? '') }
  const made = (answer as { id?: unknown } | null | undefined)?.id
  return { type: pattern[2] ?? null, id: typeof made === 'string' ? made : null }
}

/** The changes, by the names of the sent fields. Values of numbers and switches are stored too, unless they may describe a person. */
function changesIn({ tag }: Pick<Endpoint, 'tag'>, body: unknown, was: object | null): AuditChange[] {
  const changes: AuditChange[] = []
  const keepsValues = !peopleTags.has(tag)
  const visit = (value: unknown, path: string, depth: number): void => {
    if (isObject(value) && depth < depthMax && !openObjects.has(path.split('.').at(-1) ?? '')) {
      for (const [name, inner] of Object.entries(value)) visit(inner, path === '' ? name : `${path}.${name}`, depth + 1)
      return
    }
    if (changes.length >= changesMax || value === undefined) return
    const kept = (one: unknown) => (keepsValues && (typeof one === 'boolean' || typeof one === 'number') ? one : null)
    changes.push({ path, before: kept(valueAt(was, path)), after: kept(value) })
  }
  if (isObject(body)) visit(body, '', 0)
  return changes
}

function valueAt(resource: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), resource)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
