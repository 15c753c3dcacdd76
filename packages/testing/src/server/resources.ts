import type { Endpoint } from '@overture/contract/endpoint.ts'
import { toSchema } from '@overture/contract/document/schemas.ts'
import { exampleBody } from '@overture/contract/document/openapi-examples.ts'
import type { AnswerBody, TestServer } from '../server.ts'

/** Ids by the path that they complete: `/v2/campaigns/:id` → the id of a campaign. */
export type Resources = Map<string, string>

let made = 0

/**
 * Creates one resource for each parameter of a path, through the API with one key. Each call creates new ones, but resources that are
 * at their limit keep the one of `before`.
 */
export async function makeResources(
  server: TestServer,
  { key, mounted, before = new Map() }: { key: string; mounted: readonly Endpoint[]; before?: Resources },
): Promise<Resources> {
  const resources: Resources = new Map()
  const make = async (path: string, body: unknown, read: (answer: Answered) => string | undefined) => {
    const answer = await server.call('POST', path, { key, body })
    const old = before.get(`${path}/:id`)
    if (answer.status === 409 && old !== undefined) return old
    const id = read(answer)
    if (answer.status >= 300 || id === undefined) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return id
  }
  const campaignId = await make('/v2/campaigns', { name: 'Mine' }, (answer) => answer.body.id)
  resources.set('/v2/campaigns/:id', campaignId)
  const email = `ada${++made}@prospects.test`
  const leads = { leads: [{ email, firstName: 'Ada' }] }
  const leadId = await make(`/v2/campaigns/${campaignId}/leads`, leads, (answer) => answer.body.results[0].leadId)
  resources.set('/v2/campaigns/:id/leads/:leadId', leadId)
  const people = await server.call('GET', `/v2/leads?email=${email}`, { key })
  resources.set('/v2/leads/:id', people.body.results[0].id)
  for (const [path, body] of Object.entries(bodies(leadId, made))) {
    const endpoint = mounted.find((one) => one.method === 'POST' && one.path === path)
    if (endpoint === undefined) continue
    resources.set(`${path}/:id`, await make(path, body, (answer) => answer.body.id))
  }
  resources.set('/v2/exports/:id/files/:table', 'tags')
  return resources
}

/** The example body of the OpenAPI document. */
export function validBody(endpoint: Endpoint): object | undefined {
  if (endpoint.body === undefined) return undefined
  return exampleBody(endpoint, toSchema(endpoint.body, 'input')) as object | undefined
}

/** Fills a path with ids of existing resources. A parameter without a known id becomes `nothing`. */
export function fillPath(path: string, resources: Resources): string {
  let filled = ''
  let pattern = ''
  for (const part of path.split('/').slice(1)) {
    pattern += `/${part}`
    filled += `/${part.startsWith(':') ? (resources.get(pattern) ?? 'nothing') : part}`
  }
  return filled
}

function bodies(leadId: string, number: number): Record<string, unknown> {
  return {
    '/v2/campaigns/ai-prompts': { name: 'Opening', prompt: 'Write an opening for {{ firstName }}.' },
    '/v2/templates': { name: 'First', subject: 'Hello', body: 'Hello {{ firstName }}' },
    '/v2/webhooks': { url: 'https://hooks.example.com/overture', events: ['message.sent'] },
    '/v2/suppressions': { email: `nobody${number}@example.com` },
    '/v2/sending-accounts': { email: `sender${number}@example.com`, fromName: 'Sender', provider: 'sandbox' },
    '/v2/meetings': {
      leadId,
      title: 'Call',
      startAt: '2030-01-07T10:00:00.000Z',
      endAt: '2030-01-07T10:30:00.000Z',
      timezone: 'UTC',
    },
    '/v2/account/api-keys': { name: 'Mine' },
    '/v2/lists': { name: 'People' },
    '/v2/tags': { name: `Tag ${number}` },
    '/v2/reports': { name: 'Weekly', query: { groupBy: 'campaign' }, every: 'week' },
    '/v2/exports': { tables: ['tags'], format: 'csv' },
  }
}

interface Answered {
  status: number
  text: string
  body: AnswerBody
}
