import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

const many = 10_050
const few = 40

let server: TestServer
let campaignId: string
beforeAll(async () => {
  // The test inserts events without the data that real events of their type have.
  server = await startWholeServer({ checkAnswers: false })
  campaignId = (await server.call('POST', '/v2/campaigns', { key: server.keys.live, body: { name: 'Many' } })).body.id
  const { accountId } = server.tenant
  // As many suppressions as imports of several years, inserted at once.
  for (const [statement, ...values] of [
    [
      `insert into suppressions (account_id, environment, id, email, address_hash, source, created_at)
       select $1, 'live', 'sup_' || lpad(n::text, 8, '0'), format('p%s@%s.test', n, case when n <= $3 then 'rare' else 'often' end),
         sha256(n::text::bytea), 'manual', now() from generate_series(1, $2) n`,
      many,
      few,
    ],
    [
      `insert into people (account_id, environment, id, email, created_at, updated_at)
       select $1, 'live', 'per_' || lpad(n::text, 8, '0'), format('p%s@%s.test', n, case when n <= $3 then 'rare' else 'often' end),
         now(), now() from generate_series(1, $2) n`,
      many,
      few,
    ],
    [
      `insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, company,
         created_at, updated_at)
       select $1, 'live', $4, 'led_' || lpad(n::text, 8, '0'), format('p%s@%s.test', n, k), format('p%s@%s.test', n, k), k || '.test',
         'Company ' || k, now(), now() from (select n, case when n <= $3 then 'rare' else 'often' end as k
           from generate_series(1, $2) n) s`,
      many,
      few,
      campaignId,
    ],
    [
      `insert into lead_progress (account_id, environment, campaign_id, lead_id, status, updated_at)
       select $1, 'live', $4, 'led_' || lpad(n::text, 8, '0'), 'paused', now() from generate_series(1, $2) n where $3 > 0`,
      many,
      few,
      campaignId,
    ],
    [
      `insert into events (account_id, environment, id, type, occurred_at, data)
       select $1, 'live', 'evt_' || lpad(n::text, 8, '0'), case when n <= $3 then 'campaign.paused' else 'campaign.resumed' end, now(), '{}'
       from generate_series(1, $2) n`,
      many,
      few,
    ],
  ] as [string, ...unknown[]][])
    await server.app.db.execute(statement, [accountId, ...values])
  await server.app.db.execute('analyze')
})
afterAll(() => server.stop())

async function total(path: string): Promise<number> {
  const { status, body } = await server.call('GET', path, { key: server.keys.live })
  expect([status, body.results.length]).toEqual([200, 25])
  return body.pagination.totalCount
}

test.each([
  ['suppressions', () => '/v2/suppressions?'],
  ['people', () => '/v2/leads?'],
  ['leads of a campaign', () => `/v2/campaigns/${campaignId}/leads?`],
])('a search of %s counts exactly up to 10,000 and no further', async (_name, path) => {
  expect(await total(`${path()}q=often`)).toBe(10_000)
  expect(await total(`${path()}q=rare`)).toBe(few)
  expect(await total(`${path()}q=Rare.TEST`)).toBe(few)
})

test('without a search everything is counted', async () => {
  expect(await total('/v2/suppressions?')).toBe(many)
  expect(await total('/v2/leads?')).toBe(many)
  expect(await total(`/v2/campaigns/${campaignId}/leads?status=paused`)).toBe(many)
})

test('the event log counts up to 10,000', async () => {
  expect(await total('/v2/events?')).toBe(10_000)
  expect(await total('/v2/events?type=campaign.resumed')).toBe(10_000)
  expect(await total('/v2/events?type=campaign.paused')).toBe(few)
})

test('a cursor walk continues after the counted limit', async () => {
  let seen = 0
  for (let cursor = ''; ;) {
    const { body } = await server.call('GET', `/v2/suppressions?q=often&limit=100${cursor}`, { key: server.keys.live })
    expect(body.pagination.totalCount).toBe(10_000)
    seen += body.results.length
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(seen).toBe(many - few)
})
