import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { fillPath, makeResources, validBody, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let resources: Resources

beforeAll(async () => {
  server = await startWholeServer()
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
})
afterAll(() => server.stop())

const posts = allEndpoints.filter((endpoint) => endpoint.method === 'POST' && endpoint.open === undefined)

describe('a second request with the same idempotency key', () => {
  test.each(posts.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s: the same response, valid by its schema, without secrets; another body is 422',
    async (id, endpoint) => {
      const path = fillPath(endpoint.path, resources)
      const body = endpoint.bodyType === undefined ? validBody(endpoint) : 'email\nada@example.com\n'
      const send = (changed?: object) =>
        server.call('POST', path, {
          key: server.keys.test,
          ...(body !== undefined && { body: changed ?? body }),
          headers: {
            'idempotency-key': `repeat-${id}`,
            ...(endpoint.bodyType !== undefined && { 'content-type': endpoint.bodyType }),
          },
        })
      const first = await send()
      const second = await send()
      expect(second.status, second.text).toBe(first.status)
      // Refusals other than 404 and 409 are not stored for the idempotency key, so they are computed again.
      const kept = first.status < 400 || [404, 409].includes(first.status)
      expect(second.headers.get('idempotent-replayed')).toBe(kept ? 'true' : null)
      if (first.status >= 400) {
        expect(second.body.error).toMatchObject({ code: first.body.error.code, message: first.body.error.message })
        return
      }
      const expected = { ...first.body }
      for (const name of endpoint.secretFields ?? []) {
        expect(expected[name], name).toEqual(expect.any(String))
        delete expected[name]
      }
      expect(second.body).toEqual(expected)
      expect(endpoint.output.safeParse(second.body)).toMatchObject({ success: true })
    },
  )
})

test('a key with another body is 422 on the same path only', async () => {
  const send = (path: string, body: object) =>
    server.call('POST', path, { key: server.keys.test, body, headers: { 'idempotency-key': 'one' } })
  expect((await send('/v2/campaigns', { name: 'A' })).status).toBe(201)
  const other = await send('/v2/campaigns', { name: 'B' })
  expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  expect((await send('/v2/templates', { name: 'A', subject: 'A', body: 'A' })).status).toBe(201)
})

describe('ids are opaque', () => {
  const withId = allEndpoints.filter((endpoint) => endpoint.path.includes(':'))
  const odd = ['\0', '\ud83d\ude80', '%', '../x', 'x'.repeat(5_000), "' or 1=1 --"]

  test.each(withId.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s: an unknown id in any form is 404, after the body was checked',
    async (_id, endpoint) => {
      const body = endpoint.bodyType === undefined ? validBody(endpoint) : 'email\nada@example.com\n'
      for (const id of odd) {
        const path = endpoint.path.replaceAll(/:\w+/g, () => encodeURIComponent(id))
        const call = (query: string) =>
          server.call(endpoint.method, path + query, {
            key: endpoint.environment === 'live' ? server.keys.live : server.keys.test,
            ...(endpoint.method !== 'GET' && body !== undefined && { body }),
            ...(endpoint.bodyType !== undefined && { headers: { 'content-type': endpoint.bodyType } }),
          })
        const answer = await call('')
        expect([answer.status, answer.body.error.code], JSON.stringify(id.slice(0, 20))).toEqual([404, 'NOT_FOUND'])
        expect((await call('?surprise=1')).status).toBe(400)
      }
    },
  )

  test.each(['/v2/campaigns', '/v2/campaigns/ai-prompts'])('%s/bulk-delete: not_found per item', async (path) => {
    const made = await server.call('POST', path, {
      key: server.keys.test,
      body: { name: 'Gone', prompt: undefined, ...(path.endsWith('prompts') && { prompt: 'Hi' }) },
    })
    const ids = [...odd, made.body.id, '']
    const answer = await server.call('POST', `${path}/bulk-delete`, { key: server.keys.test, body: { ids } })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.results.map((result: { id: string; outcome: string }) => [result.id, result.outcome])).toEqual(
      ids.map((id) => [id, id === made.body.id ? 'deleted' : 'not_found']),
    )
  })
})

test.each(allEndpoints.flatMap((one) => (one.body === undefined ? [] : [[one.operationId, one] as const])))(
  "%s: the document's example body is valid",
  async (_id, endpoint) => {
    const body = validBody(endpoint)!
    const answer = await server.call(endpoint.method, fillPath(endpoint.path, resources), {
      key: server.keys.test,
      body,
    })
    // An example may name a resource that is not here, or a name that is taken already.
    const issues: { rule: string }[] = answer.status === 400 ? answer.body.error.details.issues : []
    const invalid = issues.filter(({ rule }) => rule !== 'unknown' && rule !== 'unique')
    expect(invalid, answer.text).toEqual([])
    expect(answer.status === 400).toBe(issues.length > 0)
  },
)

describe('errors in a body', () => {
  const broken = '{{ firstName'
  const steps = [
    { variants: [{ subject: 'Hello', body: broken }] },
    { sameThread: 'yes', variants: [{ subject: broken, body: 'Hello' }] },
    { sameThread: true, variants: [{ subject: 'Not its own', body: 'Hello' }] },
  ]
  const [start, end] = ['2030-01-07T10:00:00Z', '2030-01-07T09:00:00Z']
  const texts = ['steps[0].variants[0].body', 'steps[1].variants[0].subject']
  const whole = ['name', 'steps[1].sameThread', ...texts, 'steps[2].variants[0].subject']
  const cases: [method: string, path: string, body: object, paths: string[]][] = [
    ['POST', '/v2/campaigns', { name: '', steps, sendingAccountIds: ['nothing'] }, whole],
    ['POST', '/v2/campaigns/launch', { name: '', steps, sendingAccountIds: ['nothing'] }, whole],
    ['PUT', '/v2/campaigns/nothing', { name: '', steps }, ['name', 'steps[1].sameThread', ...texts]],
    ['PUT', '/v2/campaigns/nothing', { steps: [steps[0]] }, ['steps[0].variants[0].body']],
    ['POST', '/v2/templates', { name: '', subject: 'two\nlines', body: broken }, ['name', 'subject', 'body']],
    ['PUT', '/v2/templates/nothing', { body: broken }, ['body']],
    ['POST', '/v2/campaigns/ai-prompts', { name: '', prompt: broken }, ['name', 'prompt']],
    ['PUT', '/v2/campaigns/ai-prompts/nothing', { prompt: broken }, ['prompt']],
    ['POST', '/v2/meetings', { leadId: 'nothing', title: '', startAt: start, endAt: end }, ['title', 'endAt']],
    ['PUT', '/v2/meetings/nothing', { startAt: start, endAt: end }, ['endAt']],
  ]
  test.each(cases)(
    '%s %s: all are reported at once, before any resource is read',
    async (method, path, body, paths) => {
      const answer = await server.call(method, path, { key: server.keys.test, body })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      const reported = answer.body.error.details.issues.map((issue: { path: string }) => issue.path)
      expect(reported.sort()).toEqual([...paths].sort())
    },
  )

  test('an unknown id of a step, variant or template is only a 404', async () => {
    for (const steps of [
      [{ id: 'nothing', variants: [{ id: 'nothing' }] }],
      [{ variants: [{ id: 'nothing' }] }],
      [{ variants: [{ templateId: 'nothing' }] }],
    ]) {
      const made = await server.call('POST', '/v2/campaigns', { key: server.keys.test, body: { name: 'A', steps } })
      const path = fillPath('/v2/campaigns/:id', resources)
      const changed = await server.call('PUT', path, { key: server.keys.test, body: { steps } })
      expect([made.status, changed.status], JSON.stringify(steps)).toEqual([404, 404])
    }
  })

  test('a changed read-only field is reported with errors in steps, before an unknown id', async () => {
    const answer = await server.call('PUT', fillPath('/v2/campaigns/:id', resources), {
      key: server.keys.test,
      body: {
        status: 'active',
        steps: [{ id: 'nothing', waitBefore: { value: 1, unit: 'days' }, variants: [{ subject: 'A', body: 'A' }] }],
      },
    })
    expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'status',
      'steps[0].waitBefore.value',
    ])
  })
})
