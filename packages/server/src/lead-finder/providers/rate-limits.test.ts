import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { ProviderStub } from '@overture/testing/lead-finder/provider-stub.server.ts'
import { rateLimited } from '@overture/testing/services/people-services.ts'

const stub = new ProviderStub()
const people = '/v2/campaigns/lead-finder/search'
const pages = {
  prospeo: { error: false, results: [], pagination: { total_count: 0 } },
  pdl: { status: 200, data: [], total: 0 },
  apollo: { people: [], total_entries: 0 },
}

beforeAll(() => stub.listen())
beforeEach(() => {
  stub.asked = []
  stub.refused = []
})
afterAll(() => stub.stop())

describe.each(['prospeo', 'pdl', 'apollo'] as const)('a rate limit of %s', (provider) => {
  let server: TestServer
  beforeAll(async () => {
    server = await stub.start(provider)
  })
  const search = (jobTitle: string) =>
    server.call('POST', people, { key: server.keys.live, body: { jobTitle, page: 1 } })

  test('that ends in a minute gives 503 after one call', async () => {
    stub.respond = () => rateLimited[provider](60)
    expect((await search('long')).status).toBe(503)
    expect([stub.asked.length, stub.refused.length]).toEqual([1, 0])
  })

  test.runIf(provider !== 'apollo')('that ends at once is waited for', async () => {
    stub.respond = () => (stub.asked.length === 1 ? rateLimited[provider](0) : { status: 200, body: pages[provider] })
    expect((await search('short')).status).toBe(200)
    expect([stub.asked.length, stub.refused.length]).toEqual([2, 0])
  })

  test('leaves every other request in the form that the service accepts', async () => {
    stub.respond = () => ({ status: 200, body: pages[provider] })
    expect((await search('founder')).status).toBe(200)
    const id = `${provider}:p1`
    for (const field of ['email', 'mobile'])
      await server.call('POST', '/v2/campaigns/lead-finder/reveal', {
        key: server.keys.live,
        body: { personId: id, field },
      })
    expect(stub.refused).toEqual([])
  })
})

describe('Apollo', () => {
  test('refuses to reveal a mobile number, without a call and without a charge', async () => {
    const server = await stub.start('apollo')
    const body = { personId: 'apollo:p1', field: 'mobile' }
    const refused = await server.call('POST', '/v2/campaigns/lead-finder/reveal', { key: server.keys.live, body })
    expect([refused.status, refused.body.error.details.issues[0]]).toEqual([
      400,
      expect.objectContaining({ path: 'field', rule: 'unsupported' }),
    ])
    expect(stub.asked).toEqual([])
  })

  test('shows the part of a last name that its search gives', async () => {
    const server = await stub.start('apollo')
    const person = { id: 'p1', first_name: 'Ada', last_name_obfuscated: 'Ex***e', has_email: true }
    stub.respond = () => ({ status: 200, body: { people: [person], total_entries: 1 } })
    const found = await server.call('POST', people, { key: server.keys.live, body: { jobTitle: 'founder' } })
    expect(found.body.results[0]).toMatchObject({ firstName: 'Ada', lastName: 'Ex***e' })
  })
})
