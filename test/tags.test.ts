import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Lists and tags". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const tagOf = async (name: string) => (await done('POST', '/v2/tags', { name })).id
const change = (id: string, action: string, ids: string[]) => done('POST', `/v2/tags/${id}/${action}`, { ids })
const idsOf = async (path: string): Promise<string[]> =>
  (await done('GET', path)).results.map(({ id }: AnswerBody) => id)

test('a name is used once, in upper or lower case, and tags are listed by it', async () => {
  const id = await tagOf('Beta')
  await tagOf('alpha')
  const twice = await call('POST', '/v2/tags', { name: 'BETA' })
  expect([twice.status, twice.body.error.details.issues[0].rule]).toEqual([400, 'unique'])
  expect(twice.body.error.message).toBe('There is a tag "Beta" already.')
  for (const name of ['two\nlines', 'mirrored \u202egat', 'VI\u200bP', '\u3164', '\u200d', 'a\u{e0001}']) {
    const unseen = await call('POST', '/v2/tags', { name })
    expect([unseen.status, unseen.body.error.details.issues[0].message]).toEqual([
      400,
      'Remove line breaks and invisible characters.',
    ])
  }
  const taken = await call('PUT', `/v2/tags/${id}`, { name: 'Alpha' })
  expect([taken.status, taken.body.error.details.issues[0].path]).toEqual([400, 'name'])
  expect(await done('PUT', `/v2/tags/${id}`, { name: 'Gamma' })).toMatchObject({ id, name: 'Gamma' })
  const names: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: AnswerBody = await done('GET', `/v2/tags?limit=1${cursor && `&cursor=${cursor}`}`)
    names.push(...page.results.map(({ name }: AnswerBody) => name))
    cursor = page.nextCursor
  }
  expect(names).toEqual(['alpha', 'Gamma'])
})

test('campaigns, people and sending accounts are found by their tags', async () => {
  const tag = await tagOf('Found')
  const fields = { fromName: 'Mara', provider: 'sandbox' }
  const sender = await done('POST', '/v2/sending-accounts', { email: 'mara@tags.example.com', ...fields })
  const other = await done('POST', '/v2/sending-accounts', { email: 'other@tags.example.com', ...fields })
  const campaign = await done('POST', '/v2/campaigns', { name: 'Tagged' })
  const plain = await done('POST', '/v2/campaigns', { name: 'Plain' })
  const leads = ['ada', 'bo'].map((name) => ({ email: `${name}@tags.example.com` }))
  const { results } = await done('POST', `/v2/campaigns/${campaign.id}/leads`, { leads })
  const leadId = results[0].leadId
  const ids = [campaign.id, sender.id, leadId, 'cmp_unknown']
  expect(await change(tag, 'assign', ids)).toEqual({
    results: ids.map((id) => ({ id, outcome: id === 'cmp_unknown' ? 'not_found' : 'changed' })),
  })
  expect((await change(tag, 'assign', [campaign.id])).results).toEqual([{ id: campaign.id, outcome: 'unchanged' }])
  const addresses = [
    'Ada@Tags.example.com',
    '\uff21da@tags.example.com',
    'ada @tags.example.com',
    'nobody@tags.example.com',
  ]
  expect((await change(tag, 'assign', addresses)).results).toEqual([
    { id: addresses[0], outcome: 'unchanged' },
    { id: addresses[1], outcome: 'unchanged' },
    { id: addresses[2], outcome: 'not_found' },
    { id: addresses[3], outcome: 'not_found' },
  ])
  expect(await idsOf(`/v2/campaigns?tagId=${tag}`)).toEqual([campaign.id])
  expect(await idsOf(`/v2/sending-accounts?tagId=${tag}`)).toEqual([sender.id])
  expect(await idsOf(`/v2/campaigns/${campaign.id}/leads?tagId=${tag}`)).toEqual([leadId])
  const found = await done('GET', `/v2/leads?tagId=${tag}`)
  expect(found.results).toMatchObject([{ email: 'ada@tags.example.com', tagIds: [tag] }])
  expect((await done('GET', `/v2/campaigns?tagId=${tag}`)).pagination.totalCount).toBe(1)

  const shown = await done('GET', `/v2/campaigns/${campaign.id}`)
  expect(shown.tagIds).toEqual([tag])
  expect((await done('PUT', `/v2/campaigns/${campaign.id}`, shown)).tagIds).toEqual([tag])
  expect((await call('PUT', `/v2/campaigns/${plain.id}`, { tagIds: [tag] })).status).toBe(400)
  expect((await done('GET', `/v2/sending-accounts/${sender.id}`)).tagIds).toEqual([tag])
  expect((await done('GET', `/v2/sending-accounts/${other.id}`)).tagIds).toEqual([])

  expect(
    (await change(tag, 'unassign', [campaign.id, plain.id])).results.map(({ outcome }: AnswerBody) => outcome),
  ).toEqual(['changed', 'unchanged'])
  expect(await idsOf(`/v2/campaigns?tagId=${tag}`)).toEqual([])
  await done('DELETE', `/v2/sending-accounts/${sender.id}`)
  await done('DELETE', `/v2/tags/${tag}`)
  expect((await done('GET', `/v2/leads/${leadId}`)).tagIds).toEqual([])
  expect((await call('POST', `/v2/tags/${tag}/assign`, { ids: [campaign.id] })).status).toBe(404)
})

interface WorkedCampaign {
  campaignId: string
  senderId: string
  leadId: string
}
async function makeMeeting(fields: object) {
  const { now } = await done('GET', '/v2/sandbox/clock')
  const at = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString()
  return done('POST', '/v2/meetings', { startAt: at(48), endAt: at(49), ...fields })
}

/** A campaign with its own sender and one lead, who replied, has a task, and booked a meeting. */
async function makeWorkedCampaign(name: string): Promise<WorkedCampaign> {
  const sender = await done('POST', '/v2/sending-accounts', {
    email: `${name}@work.example.com`,
    fromName: name,
    provider: 'sandbox',
  })
  const schedule = { timezone: 'UTC', ...anyTime }
  const campaign = await done('POST', '/v2/campaigns', {
    name,
    steps: [{ variants: [{ subject: 'Hello', body: 'Hello.' }] }],
    schedule,
    sendingAccountIds: [sender.id],
  })
  const leads = [{ email: `${name}@worked.example.com` }]
  const [{ leadId }] = (await done('POST', `/v2/campaigns/${campaign.id}/leads`, { leads })).results
  await done('POST', `/v2/campaigns/${campaign.id}/start`)
  await done('POST', '/v2/sandbox/clock/advance', { by: '1h' })
  await done('POST', '/v2/sandbox/inbound', { leadId, kind: 'reply', text: 'Tell me more.' })
  await done('POST', '/v2/tasks', { channel: 'call', title: name, leadId })
  await makeMeeting({ leadId, title: name })
  return { campaignId: campaign.id, senderId: sender.id, leadId }
}

test('inbox, tasks, meetings and analytics are filtered by tag', async () => {
  const one = await makeWorkedCampaign('one')
  const other = await makeWorkedCampaign('other')
  const counts = async (tag: string) => {
    const lists = ['conversations', 'tasks', 'meetings'].map(async (list) => {
      const { results, pagination } = await done('GET', `/v2/${list}?tagId=${tag}`)
      expect(pagination.totalCount).toBe(results.length)
      return results.map(({ leadId }: AnswerBody) => leadId)
    })
    const { groups, totals } = await done('GET', `/v2/analytics?groupBy=campaign&tagId=${tag}`)
    return [...(await Promise.all(lists)), groups.map(({ key }: AnswerBody) => key[0]), totals.sent]
  }
  const tagged = async (id: string) => {
    const tag = await tagOf(`Only ${id}`)
    await change(tag, 'assign', [id])
    return tag
  }
  const { leadId, campaignId } = one
  const whole = [[leadId], [leadId], [leadId], [campaignId], 1]
  expect(await counts(await tagged(one.campaignId))).toEqual(whole)
  // A task has no sending account.
  expect(await counts(await tagged(one.senderId))).toEqual([[leadId], [], [leadId], [campaignId], 1])
  // Analytics count messages of campaigns and senders.
  expect(await counts(await tagged(leadId))).toEqual([[leadId], [leadId], [leadId], [], 0])
  const both = await tagOf('Both')
  await change(both, 'assign', [one.campaignId, one.leadId, other.leadId])
  const each = [other.leadId, leadId].toSorted()
  const [conversations, tasks, meetings] = await counts(both)
  expect([conversations, tasks, meetings].map((ids) => ids.toSorted())).toEqual([each, each, each])
  expect((await call('GET', '/v2/analytics?groupBy=day&tagId=tag_unknown')).status).toBe(404)
})

test('a meeting without a lead has the tags of its attendees', async () => {
  const { leadId } = await makeWorkedCampaign('attends')
  const tag = await tagOf('Attends')
  await change(tag, 'assign', [leadId])
  const attendees = [{ email: 'Attends@worked.example.com' }, { email: 'guest@example.com' }]
  const { id } = await makeMeeting({ title: 'By hand', attendees })
  await makeMeeting({ title: 'With others', attendees: [{ email: 'guest@example.com' }] })
  expect(await idsOf(`/v2/meetings?tagId=${tag}`)).toHaveLength(2)
  expect(await idsOf(`/v2/meetings?tagId=${tag}`)).toContain(id)
})

test('a report keeps its tag, and fails after the tag was deleted', async () => {
  const { campaignId } = await makeWorkedCampaign('reported')
  const tag = await tagOf('Reported')
  await change(tag, 'assign', [campaignId])
  const reportInput = (tagId: string) => ({ name: 'Week', every: 'week', query: { groupBy: 'campaign', tagId } })
  const refused = await call('POST', '/v2/reports', reportInput('tag_unknown'))
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'query.tagId'])
  const report = await done('POST', '/v2/reports', reportInput(tag))
  expect(report.query).toEqual({ groupBy: 'campaign', tagId: tag })
  const run = async () => {
    await done('POST', `/v2/reports/${report.id}/run`)
    await done('POST', '/v2/sandbox/clock/advance', { by: '1m' })
    return (await done('GET', `/v2/reports/${report.id}`)).lastRun
  }
  expect(await run()).toMatchObject({ status: 'announced' })
  await done('DELETE', `/v2/tags/${tag}`)
  expect(await run()).toMatchObject({ status: 'failed', error: 'The tag of the query was deleted. Change the query.' })
})

test('another account sees no tag and tags nothing', async () => {
  const tag = await tagOf('Private')
  const campaign = await done('POST', '/v2/campaigns', { name: 'Private' })
  const foreign = { key: server.other.keys.test }
  expect((await server.call('GET', `/v2/tags/${tag}`, foreign)).status).toBe(404)
  const own = await server.call('POST', '/v2/tags', { ...foreign, body: { name: 'Private' } })
  expect(own.status).toBe(201)
  const body = { ids: [campaign.id] }
  const { results } = (await server.call('POST', `/v2/tags/${own.body.id}/assign`, { ...foreign, body })).body
  expect(results).toEqual([{ id: campaign.id, outcome: 'not_found' }])
  await makeWorkedCampaign('secret')
  for (const list of ['conversations', 'meetings', 'tasks'])
    expect((await server.call('GET', `/v2/${list}?tagId=${tag}`, foreign)).body.results).toEqual([])
  expect((await server.call('GET', `/v2/analytics?groupBy=day&tagId=${tag}`, foreign)).status).toBe(404)
})
