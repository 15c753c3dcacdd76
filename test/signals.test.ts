import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendSignalsOutput } from '@overture/contract/signals/signals.ts'
import { Overture } from '@overture/sdk'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}
const tell = (...signals: unknown[]): Promise<SendSignalsOutput> => ask('POST', '/v2/signals', { signals })

async function launch(leads: readonly object[], settings: object = {}): Promise<{ id: string; ids: string[] }> {
  const { id } = await ask('POST', '/v2/campaigns', {
    name: 'Campaign',
    steps: [
      { variants: [{ subject: 'Hello', body: 'A question.' }] },
      { waitBefore: { value: 2, unit: 'days' }, variants: [{ body: 'Again.' }] },
    ],
    schedule: {
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    sendingAccountIds: [senderId],
    settings,
  })
  const { results } = await ask('POST', `/v2/campaigns/${id}/leads`, { leads })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  return { id, ids: results.map(({ leadId }: { leadId: string }) => leadId) }
}
const leadOf = (campaignId: string, leadId: string) => ask('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)
const eventsOf = async (type: string) => (await ask('GET', `/v2/events?type=${type}&order=desc&limit=100`)).results

describe('a signal', () => {
  test('is accepted item by item, and a bad item fails no other', async () => {
    const { ids } = await launch([
      { email: 'One@items.test' },
      { email: 'two@items.test', companyDomain: 'items.example.com' },
    ])
    const { now } = await ask('GET', '/v2/sandbox/clock')
    const sent = await tell(
      { name: 'crm.deal_won', email: 'oNe@ITEMS.test', dedupeKey: 'first' },
      { name: 'crm.deal_won', email: 'one@items.test', dedupeKey: 'first' },
      { name: 'crm.deal_won', domain: 'Items.Example.com', value: 12 },
      { name: 'product.signed_up', leadId: ids[0], value: 'pro', occurredAt: '2026-01-02T03:04:05+01:00' },
      { name: 'crm.deal_won', email: 'nobody@items.test' },
      { name: 'crm.deal_won', leadId: 'led_nobody' },
      { name: 'Not A Name', email: 'one@items.test' },
      { name: 'a', email: 'one@items.test', domain: 'items.test' },
      { name: 'a' },
      { name: 'a', email: 'one@items.test', occurredAt: new Date(Date.parse(now) + 3_600_000).toISOString() },
      { name: 'a', email: 'one@items.test', value: 'nul \0' },
      'text',
    )
    expect(sent).toMatchObject({ accepted: 3, duplicates: 1, unknown: 2, invalid: 6 })
    expect(sent.results.map(({ index }) => index)).toEqual(sent.results.map((_, at) => at))
    expect(sent.results.map(({ outcome, matchedLeads }) => [outcome, matchedLeads])).toEqual([
      ['accepted', 1],
      ['duplicate', 1],
      ['accepted', 1],
      ['accepted', 1],
      ['unknown', 0],
      ['unknown', 0],
      ...Array.from({ length: 6 }, () => ['invalid', 0]),
    ])
    expect(sent.results.every(({ outcome, message }) => (outcome === 'invalid') === (message !== null))).toBe(true)
    // Sends the signal again, as after a lost response.
    expect(await tell({ name: 'crm.deal_won', email: 'one@items.test', dedupeKey: 'first' })).toMatchObject({
      duplicates: 1,
    })

    const byLead = await ask('GET', `/v2/signals?leadId=${ids[0]}`)
    expect(byLead.results.map(({ name }: { name: string }) => name)).toEqual(['product.signed_up', 'crm.deal_won'])
    expect(byLead.results[0]).toMatchObject({
      id: sent.results[3]!.id,
      email: null,
      leadId: ids[0],
      value: 'pro',
      occurredAt: '2026-01-02T02:04:05.000Z',
    })
    const company = await ask('GET', '/v2/signals?domain=items.example.com')
    expect(company).toMatchObject({
      results: [{ value: 12, domain: 'items.example.com' }],
      pagination: { totalCount: 1 },
    })
    expect((await ask('GET', '/v2/signals?name=crm.deal_won&email=ONE@items.test')).results).toHaveLength(1)
    const [latest] = (await eventsOf('signal.received')).filter(
      ({ data }: { data: { leadId: string } }) => data.leadId === ids[0],
    )
    expect(latest.data).toMatchObject({ signal: 'product.signed_up', value: 'pro', matchedLeads: 1 })
  })

  test('stops the matching leads of campaigns with that setting, and no others', async () => {
    const stopOnSignals = ['crm.customer', 'crm.deal_won']
    const people = [
      { email: 'ann@stop.test' },
      { email: 'bob@stop.test' },
      { email: 'cat@free.test', companyDomain: 'stop.test' },
      { email: 'dan@stop.test', companyDomain: 'elsewhere.test' },
      { email: 'eve@other.test' },
    ]
    const [stopping, going] = [await launch(people, { stopOnSignals }), await launch(people)]
    expect(await tell({ name: 'crm.opened_ticket', domain: 'stop.test' })).toMatchObject({ accepted: 1 })
    expect((await leadOf(stopping.id, stopping.ids[0]!)).status).toBe('pending')
    const { results } = await tell(
      { name: 'crm.deal_won', domain: 'stop.test' },
      { name: 'crm.customer', email: 'ann@stop.test' },
      { name: 'crm.customer', leadId: going.ids[4]! },
    )
    expect(results.map(({ matchedLeads }) => matchedLeads)).toEqual([6, 2, 1])
    await ask('POST', '/v2/sandbox/clock/advance', { by: '5d' })
    for (const [at, isStopped] of [true, true, true, false, false].entries()) {
      const [lead, other] = [await leadOf(stopping.id, stopping.ids[at]!), await leadOf(going.id, going.ids[at]!)]
      expect([at, lead.status, lead.stoppedBy?.rule ?? null]).toEqual([
        at,
        ...(isStopped ? ['stopped', 'signal'] : ['completed', null]),
      ])
      expect([at, other.status]).toEqual([at, 'completed'])
    }
    expect((await ask('GET', `/v2/campaigns/${stopping.id}/stats`)).sent).toBe(4)
    expect((await ask('GET', `/v2/campaigns/${stopping.id}`)).status).toBe('completed')
    const moved = (await eventsOf('lead.status_changed')).filter(
      ({ data }: { data: { leadId: string } }) => data.leadId === stopping.ids[1],
    )
    expect(moved[0].data).toMatchObject({ to: 'stopped', reason: 'signal', signal: 'crm.deal_won' })
    const { history } = await ask('GET', `/v2/campaigns/${stopping.id}/leads/${stopping.ids[1]}/explain`)
    expect(JSON.stringify(history)).toContain('signal')
  })

  test('setting stopOnSignals accepts valid names, at most twenty', async () => {
    const body = (stopOnSignals: readonly string[]) => ({ name: 'Names', settings: { stopOnSignals } })
    const names = Array.from({ length: 21 }, (_, at) => `name_${at}`)
    for (const wrong of [names, ['Upper'], ['']]) {
      const { status, body: said } = await server.call('POST', '/v2/campaigns', {
        key: server.keys.test,
        body: body(wrong),
      })
      expect([status, said.error.details.issues[0].path]).toEqual([
        400,
        expect.stringMatching(/^settings\.stopOnSignals/),
      ])
    }
    expect((await ask('POST', '/v2/campaigns', body(names.slice(1)))).settings.stopOnSignals).toHaveLength(20)
    expect((await ask('POST', '/v2/campaigns', { name: 'None' })).settings.stopOnSignals).toEqual([])
  })

  test("of a person is exported and erased with the person; a company's signal stays", async () => {
    const { ids } = await launch([{ email: 'gone@erase.test' }, { email: 'stays@erase.test' }])
    await tell(
      { name: 'a.mail', email: 'gone@erase.test', value: 'secret words' },
      { name: 'a.lead', leadId: ids[0], value: 'secret words' },
      { name: 'a.company', domain: 'erase.test' },
      { name: 'a.mail', email: 'stays@erase.test' },
    )
    const exported = await ask('GET', `/v2/leads/${ids[0]}/export`)
    expect(exported.signals.map(({ name }: { name: string }) => name)).toEqual(['a.mail', 'a.lead'])
    await ask('DELETE', `/v2/leads/${ids[0]}`)
    const rows = await server.app.db.query<{ row: string }>(
      `select row_to_json(s)::text as row from signals s union all select row_to_json(e)::text from events e`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    expect(text).not.toContain('gone@erase.test')
    expect(text).not.toContain('secret words')
    const left = await ask('GET', `/v2/signals?leadId=${ids[1]}`)
    expect(left.results.map(({ name }: { name: string }) => name)).toEqual(['a.mail', 'a.company'])
    // No lead has this address any more, so the signal isn't stored.
    expect(await tell({ name: 'a.mail', email: 'gone@erase.test' })).toMatchObject({ unknown: 1 })
    expect(await eventsOf('signal.received')).not.toHaveLength(0)
  })

  test('can be sent and listed with the client', async () => {
    await launch([{ email: 'client@sdk.test' }])
    const client = new Overture({ apiKey: server.keys.test, baseUrl: server.url })
    const { accepted } = await client.signals.send({ signals: [{ name: 'sdk.told', email: 'client@sdk.test' }] })
    expect(accepted).toBe(1)
    const { results } = await client.signals.list({ name: 'sdk.told' })
    expect(results).toMatchObject([{ email: 'client@sdk.test' }])
  })
})
