import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { createKey } from '@overture/server/api-keys/index.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { fillPath, makeResources, validBody } from '@overture/testing/server/resources.ts'
import type { Call, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// One test calls every operation.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

/** Deletions come last, since other operations need the deleted resources. */
const inOrder = allEndpoints
  // Operations of the sandbox simulate recipients and time, so they have no actor to check.
  .filter(({ open, tag, bodyType }) => open === undefined && tag !== 'Test environment' && bodyType === undefined)
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

const lastPosition = async (): Promise<number> =>
  (await server.app.db.query<{ last: number }>(`select coalesce(max(position), 0)::int as last from events`))[0]!.last

interface EventActor {
  type: string
  actorType: string | null
  actorId: string | null
  actorName: string | null
}

const eventsSince = (position: number): Promise<EventActor[]> =>
  server.app.db.query<EventActor>(
    `select type, actor_type, actor_id, actor_name from events where position > $1 order by position`,
    [position],
  )

async function expectOwn(call: Call, key: string, actor: Omit<EventActor, 'type'>): Promise<Set<string>> {
  const resources = await makeResources(server, { key, mounted: allEndpoints })
  const types = new Set<string>()
  for (const endpoint of inOrder as Endpoint[]) {
    const before = await lastPosition()
    const body = validBody(endpoint)
    await call(endpoint.method, fillPath(endpoint.path, resources), body === undefined ? {} : { body })
    for (const { type, ...by } of await eventsSince(before)) {
      expect([endpoint.operationId, type, by]).toEqual([endpoint.operationId, type, actor])
      types.add(type)
    }
  }
  return types
}

test('events of a request have its key or user as actor', async () => {
  const made = await server.app.db.transaction((tx) =>
    createKey(tx, {
      accountId: server.tenant.accountId,
      environment: 'test',
      scopes: ['read', 'write', 'admin'],
      name: 'The CRM',
      now: server.app.clock.now(),
    }),
  )
  const byKey: Call = (method, path, options) => server.call(method, path, { ...options, key: made.key })
  const types = await expectOwn(byKey, made.key, { actorType: 'key', actorId: made.id, actorName: 'The CRM' })
  for (const type of ['campaign.created', 'campaign.deleted', 'lead.added', 'api_key.created'])
    expect(types).toContain(type)
  const { call, id } = await createTestPerson(server, { role: 'member' })
  const person = { actorType: 'user', actorId: id, actorName: 'A member' }
  expect(await expectOwn(call, server.keys.test, person)).toContain('campaign.created')
})

test("the event log, feeds and a lead's history show the actor", async () => {
  const { call, id } = await createTestPerson(server)
  const { body: campaign } = await call('POST', '/v2/campaigns', { body: { name: 'Told' } })
  const added = await call('POST', `/v2/campaigns/${campaign.id}/leads`, { body: { leads: [{ email: 'x@y.test' }] } })
  const { leadId } = added.body.results[0]
  await call('POST', `/v2/campaigns/${campaign.id}/leads/${leadId}/interest`, { body: { interest: 'interested' } })
  const actor = { type: 'user', id, name: 'A owner' }
  const events = (await call('GET', '/v2/events?order=desc&limit=5')).body.results
  for (const event of events.filter((one: { data: { campaignId: string } }) => one.data.campaignId === campaign.id))
    expect(event.actor).toEqual(actor)
  const feed = (await call('GET', `/v2/campaigns/${campaign.id}/activity`)).body.results
  expect(feed.length).toBeGreaterThan(1)
  for (const line of feed) expect(line.actor).toEqual(actor)
  const explained = (await call('GET', `/v2/campaigns/${campaign.id}/leads/${leadId}/explain`)).body
  expect(explained.history.length).toBeGreaterThan(0)
  for (const decision of explained.history) expect(decision.actor).toEqual(actor)
})

test('events from before actors were stored have no actor', async () => {
  const { call } = await createTestPerson(server)
  const { body: campaign } = await call('POST', '/v2/campaigns', { body: { name: 'Old' } })
  await server.app.db.execute(
    `update events set actor_type = null, actor_id = null, actor_name = null where campaign_id = $1`,
    [campaign.id],
  )
  const [event] = (await call('GET', '/v2/events?order=desc&limit=1')).body.results
  expect([event.type, event.actor]).toEqual(['campaign.created', null])
})
