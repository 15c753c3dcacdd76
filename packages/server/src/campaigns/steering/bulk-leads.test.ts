import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

interface Listed {
  id: string
  email: string
  status: string
  interest: string | null
}

let campaigns = 0
async function campaignOf(count: number): Promise<{ path: string; ids: string[] }> {
  const campaign = (await call('POST', '/v2/campaigns', { name: `Bulk ${++campaigns}` })).body
  const leads = Array.from({ length: count }, (_, at) => ({ email: `p${at}.c${campaigns}@prospects.test` }))
  const added = await call('POST', `/v2/campaigns/${campaign.id}/leads`, { leads })
  const ids = added.body.results.map(({ leadId }: { leadId: string }) => leadId)
  return { path: `/v2/campaigns/${campaign.id}/leads`, ids }
}

async function leadsOf(path: string): Promise<Listed[]> {
  return (await call('GET', `${path}?limit=100`)).body.results
}

const set = (path: string, id: string, change: object) => call('PUT', `${path}/${id}`, change)

describe('bulk changes of leads by id', () => {
  test('change like single requests, and count missing, foreign, fixed and unchanged leads', async () => {
    const { path, ids } = await campaignOf(5)
    const other = await campaignOf(1)
    await set(path, ids[1]!, { status: 'stopped' })
    await set(path, ids[2]!, { status: 'paused' })
    const named = [...ids.slice(0, 4), ids[0], other.ids[0], 'led_nothing', 7, '\u0000']
    const { status, body } = await call('POST', `${path}/bulk`, { ids: named, status: 'paused' })
    expect([status, body]).toEqual([
      200,
      { matched: 4, changed: 2, skipped: { stopped: 1, unchanged: 1, not_found: 4 }, more: false },
    ])
    expect((await leadsOf(path)).map((lead) => lead.status)).toEqual([
      'paused',
      'stopped',
      'paused',
      'paused',
      'pending',
    ])
    expect((await leadsOf(other.path)).map((lead) => lead.status)).toEqual(['pending'])
    const back = await call('POST', `${path}/bulk`, { ids, status: 'active', interest: 'interested' })
    expect(back.body).toEqual({ matched: 5, changed: 3, skipped: { stopped: 1, pending: 1 }, more: false })
    expect((await leadsOf(path)).map((lead) => [lead.status, lead.interest])).toEqual([
      ['pending', 'interested'],
      ['stopped', null],
      ['pending', 'interested'],
      ['pending', 'interested'],
      ['pending', null],
    ])
    const events = await call('GET', `${path.replace('/leads', '')}/activity?type=lead.status_changed&order=asc`)
    expect(events.body.results.map(({ data }: { data: { to: string } }) => data.to)).toEqual([
      'stopped',
      'paused',
      'paused',
      'paused',
      'pending',
      'pending',
      'pending',
    ])
  })

  test.each([
    ['neither ids nor a filter', { status: 'paused' }, 'ids'],
    ['both', { ids: ['led_1'], filter: {}, status: 'paused' }, 'ids'],
    ['no change', { ids: ['led_1'] }, 'status'],
    ['a status that requests can not set', { ids: ['led_1'], status: 'replied' }, 'status'],
    ['too many', { ids: Array(1_001).fill('led_1'), status: 'paused' }, 'ids'],
    ['an unknown filter', { filter: { nope: 1 }, status: 'paused' }, 'filter.nope'],
  ])('%s is refused', async (_, body, path) => {
    const campaign = await campaignOf(1)
    const answer = await call('POST', `${campaign.path}/bulk`, body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, path])
  })
})

describe('bulk changes of leads by filter', () => {
  test('change the same leads that the list shows with that filter', async () => {
    const { path, ids } = await campaignOf(12)
    const states = [{ status: 'paused' }, { status: 'stopped' }, { interest: 'won' }, {}]
    for (const [at, id] of ids.entries()) if (at % 4 !== 3) await set(path, id, states[at % 4]!)
    for (const filter of [
      {},
      { status: 'pending' },
      { interest: 'won' },
      { q: 'p1' },
      { email: `P3.C${campaigns}@prospects.test` },
    ])
      for (const change of [{ interest: 'lost' }, { status: 'active' }, { status: 'paused', interest: 'interested' }]) {
        const query = new URLSearchParams(Object.entries(filter)).toString()
        const listed: Listed[] = (await call('GET', `${path}?limit=100&${query}`)).body.results
        const { body } = await call('POST', `${path}/bulk`, { filter, ...change })
        const skipped = Object.values<number>(body.skipped).reduce((sum, count) => sum + count, 0)
        expect([filter, change, body.matched, body.changed + skipped]).toEqual([
          filter,
          change,
          listed.length,
          listed.length,
        ])
        const after = new Map((await leadsOf(path)).map((lead) => [lead.id, lead]))
        const changed = listed.filter((lead) => JSON.stringify(after.get(lead.id)) !== JSON.stringify(lead))
        expect(changed).toHaveLength(body.changed)
        expect((await call('POST', `${path}/bulk`, { filter, ...change })).body.changed).toBe(0)
      }
  })

  test('change a thousand per call, and repeated calls end', async () => {
    const { path } = await campaignOf(1_000)
    const campaignId = path.split('/')[3]
    const leads = Array.from({ length: 30 }, (_, at) => ({ email: `more${at}@prospects.test` }))
    await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads })
    const answers = []
    for (let more = true; more;) {
      const { body } = await call('POST', `${path}/bulk`, { filter: {}, status: 'stopped' })
      answers.push(body)
      more = body.more
    }
    expect(answers).toEqual([
      { matched: 1_030, changed: 1_000, skipped: {}, more: true },
      { matched: 1_030, changed: 30, skipped: { unchanged: 1_000 }, more: false },
    ])
  }, 120_000)
})

test('of another account return 404', async () => {
  const { path, ids } = await campaignOf(1)
  const answer = await call('POST', `${path}/bulk`, { ids, status: 'paused' }, server.other.keys.test)
  expect(answer.status).toBe(404)
  expect((await leadsOf(path))[0]?.status).toBe('pending')
})
