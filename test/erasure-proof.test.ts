import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Leads", erasures. */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined])
  return answer.body
}
const advance = (hours: number) => ask('POST', '/v2/sandbox/clock/advance', { by: `${hours}h` })
const address = 'greta+reply@prospects.test'

async function launch(): Promise<{ id: string; leadId: string }> {
  const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  const senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
  const { id } = await ask('POST', '/v2/campaigns/launch', {
    name: 'Campaign',
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
    schedule: {
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    sendingAccountIds: [senderId],
    leads: [{ email: address, firstName: 'Greta' }, { email: 'other@prospects.test' }],
  })
  await advance(48)
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads?email=${encodeURIComponent(address)}`)
  return { id, leadId: results[0].id }
}

test('a proof states what was removed and what is kept, and is sealed when the search has ended', async () => {
  const { id, leadId } = await launch()
  await ask('POST', '/v2/templates', { name: 'Notes', subject: 'Hi', body: `As we wrote to ${address}.` })
  const { accountId } = server.tenant
  const count = async (table: string, column: string) => {
    const [row] = await server.app.db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where account_id = $1 and environment = 'test' and ${column} = $2`,
      [accountId, leadId],
    )
    return row?.count
  }
  const before = { message_heads: await count('message_heads', 'lead_id'), threads: await count('threads', 'lead_id') }
  expect(before.message_heads).toBeGreaterThan(1)
  const events = await count('events', 'lead_id')

  const { erasureId } = await ask('DELETE', `/v2/leads/${leadId}`)
  const running = await ask('GET', `/v2/erasures/${erasureId}`)
  expect(running).toMatchObject({ status: 'running', seal: null, intact: null, completedAt: null })
  expect(running.removed).toMatchObject({ ...before, lead_profiles: 1, people: 1 })
  // The stop of the lead is an event as well.
  expect(running.removed.events).toBeGreaterThanOrEqual(events ?? Infinity)

  await advance(1)
  const proof = await ask('GET', `/v2/erasures/${erasureId}`)
  expect(proof).toMatchObject({ status: 'completed', intact: true, actor: { type: 'key' } })
  expect(proof.removed).toEqual({ ...running.removed, templates: 1 })
  expect(proof.seal).toMatch(/^\S+$/)
  expect(proof.kept.length).toBeGreaterThan(3)
  expect(JSON.stringify(proof)).not.toMatch(/greta/iu)
  const [{ hash } = { hash: '' }] = await server.app.db.query<{ hash: string }>(
    `select encode(address_hash, 'hex') as hash from suppressions where account_id = $1 and environment = 'test' and reason = 'erased'`,
    [accountId],
  )
  expect(proof.subjectHash).toBe(hash)
  expect((await ask('GET', '/v2/erasures')).results).toEqual([proof])
  expect((await ask('GET', `/v2/campaigns/${id}/stats`)).sent).toBe(2)
})

test('a changed record is not intact, and other accounts and environments do not see it', async () => {
  const { results } = await ask('GET', '/v2/erasures')
  const path = `/v2/erasures/${results[0].id}`
  await server.app.db.execute(`update erasures set removed = removed - 'people' where account_id = $1`, [
    server.tenant.accountId,
  ])
  expect((await ask('GET', path)).intact).toBe(false)
  expect((await server.call('GET', path, { key: server.keys.live })).status).toBe(404)
  expect((await server.call('GET', '/v2/erasures/ers_unknown', { key: server.keys.test })).status).toBe(404)
})
