import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let server: RunningProduct
beforeAll(async () => {
  server = await startRunningServer()
})
afterAll(() => server.stop())

test('people from a search are added with revealed emails, up to maxCredits, with an estimate', async () => {
  const campaign = (await server.test('POST', '/v2/campaigns', { name: 'Found' })).body
  const found = (await server.test('POST', '/v2/campaigns/lead-finder/search', { seniority: ['vp'] })).body.results
  const people = found.filter((person: { emailMasked: string }) => person.emailMasked !== '').slice(0, 3)
  const add = (more: object) =>
    server.test('POST', `/v2/campaigns/${campaign.id}/leads`, { leads: people, reveal: true, ...more })

  const estimate = (await add({ maxCredits: 0 })).body
  expect(estimate).toMatchObject({ estimatedCredits: 3, creditsCharged: 0, added: 0, invalid: 3 })
  expect((await add({ maxCredits: 2 })).body).toMatchObject({ creditsCharged: 2, added: 2, invalid: 1 })
  expect((await add({})).body).toMatchObject({ estimatedCredits: 1, creditsCharged: 1, added: 1, skipped: 2 })
  expect((await add({})).body).toMatchObject({ estimatedCredits: 0, creditsCharged: 0, added: 0, skipped: 3 })
  const leads = (await server.test('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  expect(leads).toHaveLength(3)
  for (const lead of leads) expect(lead.email).toMatch(/^[^*]+@[^*]+\.example$/)
})

test('a replayed response has the same credits header', async () => {
  const search = '/v2/campaigns/lead-finder/search'
  const { personId } = (await server.test('POST', search, { seniority: ['manager'] })).body.results[0]
  for (const [path, body] of [
    [search, { seniority: ['head'] }],
    [`${search}-company`, { companyName: 'labs' }],
    ['/v2/campaigns/lead-finder/reveal', { personId, field: 'email' }],
  ] as const) {
    const ask = () => server.test('POST', path, body, { 'idempotency-key': path.replaceAll('/', '-') })
    const credits = ({ headers }: { headers: Headers }) => [
      headers.get('x-credits-charged'),
      headers.get('x-credits-remaining'),
    ]
    const first = await ask()
    const replay = await ask()
    expect([credits(first)[0], replay.headers.get('idempotent-replayed')]).toEqual(['1', 'true'])
    expect(credits(replay)).toEqual(credits(first))
  }
})
