import { z } from 'zod'
import type { Endpoint } from '../src/endpoint.ts'

type Json = Record<string, unknown>

const time = '2026-11-03T09:30:00.000Z'
const idTail = '1m3q8z0c0n7t5w2k9x'
const idPrefixes: readonly (readonly [string, string])[] = [
  ['ai-prompts', 'prs'],
  ['sending-accounts', 'snd'],
  ['api-keys', 'key'],
  ['conversations', 'thr'],
  ['suppressions/import', 'imp'],
  ['suppressions', 'sup'],
  ['templates', 'tpl'],
  ['webhooks', 'whk'],
  ['meetings', 'mtg'],
  ['imports', 'imp'],
  ['events', 'evt'],
  ['activity', 'evt'],
  ['ledger', 'crd'],
  ['import', 'imp'],
  ['generate-email', 'gen'],
  ['generations', 'gen'],
  ['approvals', 'gen'],
  ['/v2/leads', 'per'],
  ['messages', 'msg'],
  ['/leads', 'led'],
  ['campaigns', 'cmp'],
]

/** Example values for fields of these names, in all operations. */
const byName: Readonly<Record<string, unknown>> = {
  campaignId: `cmp_${idTail}`,
  leadId: `led_${idTail}`,
  messageId: `msg_${idTail}`,
  stepId: `stp_${idTail}`,
  variantId: `var_${idTail}`,
  threadId: `thr_${idTail}`,
  sendingAccountId: `snd_${idTail}`,
  presetId: `prs_${idTail}`,
  personId: `per_${idTail}`,
  companyId: `com_${idTail}`,
  sendingAccountIds: [`snd_${idTail}`],
  ids: [`cmp_${idTail}`],
  modelId: 'builtin/drafter',
  generationId: `gen_${idTail}`,
  templateId: `tpl_${idTail}`,
  email: 'ada@example.com',
  leadEmail: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  jobTitle: 'Head of Engineering',
  company: 'Example Ltd',
  companyName: 'Example Ltd',
  companyDomain: 'example.com',
  domain: 'example.com',
  website: 'https://example.com',
  linkedinUrl: 'https://linkedin.example.com/in/ada',
  name: 'Spring outreach',
  fromName: 'Grace Hopper',
  timezone: 'Europe/Berlin',
  defaultTimezone: 'Europe/Berlin',
  calendar: 'DE',
  country: 'Germany',
  city: 'Berlin',
  subject: 'A question about Example Ltd',
  body: 'Hello {{ firstName | default: "there" }}',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  description: 'A short description',
  prompt: 'Write an opening for {{ firstName }}.',
  language: 'en',
  url: 'https://hooks.example.com/overture',
  trackingDomain: 'links.example.com',
  replyTo: 'grace@example.com',
  host: 'mail.example.com',
  port: 587,
  username: 'grace@example.com',
  mobile: '+49 30 1234567',
  startDate: '2026-11-09',
  endDate: '2026-12-18',
  date: '2026-11-09',
  from: '2026-11-01',
  to: '2026-11-30',
  by: '3d',
  title: 'Introduction',
  signature: 'Grace',
  label: 'A',
  emailMasked: 'a*****@example.com',
  mobileMasked: '+49 *** *** **67',
  key: 'email',
  q: 'ada',
  pack: 'credits_500',
}

/** The example body of the endpoint, or a generated one that its own schema accepts. */
export function exampleBody(endpoint: Endpoint, schema: Json): unknown {
  const own: unknown = endpoint.examples?.body
  if (own !== undefined || endpoint.body === undefined) return own
  const { body } = endpoint
  return bodyCandidates(schema, endpoint.path).find((candidate) => body.safeParse(candidate).success)
}

export function exampleOutput(endpoint: Endpoint, schema: Json): unknown {
  const own: unknown = endpoint.examples?.output
  if (own !== undefined) return own
  const made = chooseExample(schema, '', endpoint.path)
  return endpoint.output.safeParse(made).success ? made : undefined
}

// The smallest meaningful bodies: the required fields and two more, or one branch of a choice.
function bodyCandidates(schema: Json, path: string): Json[] {
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (branches !== undefined) return branches.flatMap((branch) => bodyCandidates(branch, path))
  const all = (chooseExample(schema, '', path) ?? {}) as Json
  const required = (schema['required'] as string[] | undefined) ?? []
  const readOnly = ['id', 'status', 'createdAt', 'updatedAt', 'position']
  const optional = Object.keys(all).filter((name) => !required.includes(name) && !readOnly.includes(name))
  const take = (names: readonly string[]): Json =>
    Object.fromEntries([...required, ...names].filter((name) => name in all).map((name) => [name, all[name]]))
  const few = [take(optional.slice(0, 2)), ...optional.map((name) => take([name])), take([]), all]
  return few.filter((candidate) => Object.keys(candidate).length > 0)
}

function chooseExample(schema: Json, name: string, path: string): unknown {
  if ('const' in schema) return schema['const']
  const [given] = (schema['examples'] ?? []) as unknown[]
  if (given !== undefined) return given
  if (name in byName && accepts(schema, byName[name])) return byName[name]
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  const branches = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined
  if (branches !== undefined) {
    return chooseExample(branches.find((branch) => branch['type'] !== 'null') ?? branches[0] ?? {}, name, path)
  }
  const parts = schema['allOf'] as Json[] | undefined
  if (parts !== undefined) return Object.assign({}, ...parts.map((part) => chooseExample(part, name, path))) as unknown
  return ofType(schema, name, path)
}

function ofType(schema: Json, name: string, path: string): unknown {
  const { type } = schema
  switch (Array.isArray(type) ? type.find((one) => one !== 'null') : type) {
    case 'boolean':
      return schema['default'] ?? true
    case 'integer':
    case 'number':
      return exampleNumber(schema)
    case 'string':
      return exampleString(schema, name, path)
    case 'array':
      return [chooseExample((schema['items'] as Json | undefined) ?? {}, name.replace(/s$/, ''), path)]
    case 'object':
      return exampleObject(schema, path)
    default:
      return 'value'
  }
}

function exampleObject(schema: Json, path: string): Json {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  const fields = properties.map(([name, child]) => [name, chooseExample(child, name, path)] as const)
  const more = schema['additionalProperties']
  const rest = typeof more === 'object' && more !== null ? { plan: chooseExample(more as Json, 'plan', path) } : {}
  return Object.fromEntries([...fields, ...(fields.length === 0 ? Object.entries(rest) : [])])
}

function exampleNumber(schema: Json): number {
  const lowest = Number(schema['minimum'] ?? Number(schema['exclusiveMinimum'] ?? 0) + 1)
  const highest = Number(schema['maximum'] ?? Number.MAX_SAFE_INTEGER)
  return Math.min(highest, Math.max(lowest, Number(schema['default'] ?? 1)))
}

function exampleString(schema: Json, name: string, path: string): string {
  if (name === 'id') return `${idPrefixes.find(([part]) => path.includes(part))?.[1] ?? 'acc'}_${idTail}`
  switch (schema['format']) {
    case 'date-time':
      return time
    case 'date':
      return '2026-11-03'
    case 'email':
      return 'ada@example.com'
    case 'uri':
      return 'https://example.com'
    default:
  }
  const words = [
    'Text',
    '09:00',
    'example.com',
    'ada@example.com',
    'https://example.com',
    'Europe/Berlin',
    '3d',
    'en',
    'mon',
  ]
  return [...(name === 'to' ? ['17:00'] : []), ...words].find((word) => accepts(schema, word)) ?? 'Text'
}

function accepts(schema: Json, value: unknown): boolean {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success
  } catch {
    return false
  }
}
