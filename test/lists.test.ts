import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignJobs } from '@overture/server/campaigns/index.ts'
import { listJobs } from '@overture/server/lists/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Lists and tags". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await done('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

async function runJobs(): Promise<void> {
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  await runDueJobs(server.app, server.testTenant, now, [...listJobs(), ...campaignJobs()])
}

const listOf = async (name: string) => (await done('POST', '/v2/lists', { name })).id
const people = (...names: string[]) => names.map((name) => ({ email: `${name}@lists.example.com`, firstName: name }))
const add = (id: string, members: object[]) => done('POST', `/v2/lists/${id}/members`, { members })
const listAddresses = async (path: string): Promise<string[]> =>
  (await done('GET', `${path}?limit=100`)).results.map(({ email }: AnswerBody) => email).toSorted()
const leadsOf = (campaignId: string) => listAddresses(`/v2/campaigns/${campaignId}/leads`)

async function follow(listId: string | null, name = 'Follows'): Promise<string> {
  const { id } = await done('POST', '/v2/campaigns', { name, settings: { followsListId: listId } })
  await runJobs()
  return id
}

describe('a list', () => {
  test('is created, renamed, found by its name and deleted', async () => {
    const made = await done('POST', '/v2/lists', { name: 'Visitors', description: 'Of the fair' })
    expect(made).toMatchObject({ name: 'Visitors', description: 'Of the fair', memberCount: 0, followers: [] })
    expect(await done('PUT', `/v2/lists/${made.id}`, { ...made, name: 'Guests' })).toMatchObject({ name: 'Guests' })
    expect((await done('GET', '/v2/lists?q=GUEST')).results).toMatchObject([{ id: made.id }])
    const changed = await call('PUT', `/v2/lists/${made.id}`, { memberCount: 5 })
    expect([changed.status, changed.body.error.details.issues[0].rule]).toEqual([400, 'read_only'])
    expect(await done('DELETE', `/v2/lists/${made.id}`)).toEqual({ id: made.id, deleted: true })
    expect((await call('GET', `/v2/lists/${made.id}`)).status).toBe(404)
  })

  test('is not shown to another account', async () => {
    const id = await listOf('Mine')
    for (const path of [`/v2/lists/${id}`, `/v2/lists/${id}/members`])
      expect((await server.call('GET', path, { key: server.other.keys.test })).status).toBe(404)
    const settings = { followsListId: id }
    const body = { name: 'Foreign', settings }
    expect((await server.call('POST', '/v2/campaigns', { key: server.other.keys.test, body })).status).toBe(404)
  })
})

describe('members', () => {
  test('are added once, with a result per item, and later items complete their fields', async () => {
    const id = await listOf('Once')
    const members = [
      { email: 'Ada@Once.example.com', firstName: 'Ada', customVariables: { plan: 'A' } },
      { email: 'no address' },
      { email: 'ada@once.example.com', company: 'Acme', customVariables: { size: 3 } },
      { email: 'bo@once.example.com', shoe: 42 },
    ]
    expect(await add(id, members)).toMatchObject({
      added: 1,
      updated: 1,
      invalid: 2,
      results: [
        { index: 0, email: 'ada@once.example.com', outcome: 'added' },
        { index: 1, outcome: 'invalid', field: 'email' },
        { index: 2, outcome: 'updated' },
        { index: 3, outcome: 'invalid', field: 'shoe' },
      ],
    })
    await add(id, [{ email: 'ada@once.example.com', city: 'Bonn', customVariables: { plan: 'B' } }])
    const { results, pagination } = await done('GET', `/v2/lists/${id}/members`)
    expect(pagination.totalCount).toBe(1)
    expect(results).toMatchObject([{ city: 'Bonn', company: 'Acme', customVariables: { plan: 'B', size: 3 } }])
    expect((await done('GET', `/v2/lists/${id}`)).memberCount).toBe(1)
  })

  test('are read by cursor in the order of their addresses, and found by the beginning of an address', async () => {
    const id = await listOf('Walked')
    await add(id, people(...Array.from({ length: 25 }, (_, at) => `p${at}`)))
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AnswerBody = await done('GET', `/v2/lists/${id}/members?limit=4${cursor && `&cursor=${cursor}`}`)
      walked.push(...page.results.map(({ email }: AnswerBody) => email))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(walked.toSorted())
    expect(new Set(walked).size).toBe(25)
    const found = await done('GET', `/v2/lists/${id}/members?q=P1`)
    expect(found.pagination.totalCount).toBe(11)
    expect(found.results.every(({ email }: AnswerBody) => email.startsWith('p1'))).toBe(true)
  })

  test('are imported from a file whose faulty rows are reported', async () => {
    const id = await listOf('Imported')
    const headers = { 'content-type': 'text/csv' }
    const body = 'E-mail,First name,Plan\nada@file.example.com,Ada,A\nno address,X,\nbo@file.example.com,Bo,B\n'
    const upload = await server.call('POST', `/v2/lists/${id}/import`, { key: server.keys.test, body, headers })
    expect([upload.status, upload.body.status, upload.body.listId]).toEqual([202, 'pending', id])
    await runJobs()
    const job = await done('GET', `/v2/lists/imports/${upload.body.id}`)
    expect(job).toMatchObject({ status: 'completed', rowsTotal: 3, rowsRead: 3, added: 2, updated: 0, failed: 1 })
    const errors = await call('GET', `/v2/lists/imports/${job.id}/errors`)
    expect(errors.text).toContain('2,invalid_email')
    expect((await done('GET', `/v2/lists/${id}/members`)).results[0]).toMatchObject({
      firstName: 'Ada',
      customVariables: { Plan: 'A' },
    })
    expect((await call('GET', `/v2/imports/${job.id}`)).status).toBe(404)
    expect((await done('GET', '/v2/imports')).results).toEqual([])
  })
})

describe('a campaign that follows a list', () => {
  test('takes its members and those that are added later, each once', async () => {
    const id = await listOf('Followed')
    await add(id, people('a', 'b'))
    const campaign = await follow(id)
    expect(await leadsOf(campaign)).toEqual(['a@lists.example.com', 'b@lists.example.com'])
    await add(id, people('b', 'c'))
    await runJobs()
    expect(await leadsOf(campaign)).toHaveLength(3)
    const followers = [{ campaignId: campaign, campaignName: 'Follows', added: 3, skipped: 0, upToDate: true }]
    expect(await done('GET', `/v2/lists/${id}`)).toMatchObject({ followers })
    await runJobs()
    expect((await done('GET', `/v2/campaigns/${campaign}`)).leadCount).toBe(3)
  })

  test('skips suppressed people and duplicates like an import', async () => {
    const id = await listOf('Rules')
    await done('POST', '/v2/suppressions', { email: 'never@lists.example.com' })
    await add(id, people('never', 'twice', 'fresh'))
    const { id: campaign } = await done('POST', '/v2/campaigns', { name: 'Rules' })
    await done('POST', `/v2/campaigns/${campaign}/leads`, { leads: people('twice') })
    await done('PUT', `/v2/campaigns/${campaign}`, { settings: { followsListId: id } })
    await runJobs()
    expect(await leadsOf(campaign)).toEqual(['fresh@lists.example.com', 'twice@lists.example.com'])
    expect((await done('GET', `/v2/lists/${id}`)).followers).toMatchObject([{ added: 1, skipped: 2, upToDate: true }])
  })

  test('keeps the leads of members that are removed, and the answer names them', async () => {
    const id = await listOf('Removed')
    await add(id, people('stays', 'goes', 'early'))
    await done('POST', `/v2/lists/${id}/members/remove`, { emails: ['early@lists.example.com'] })
    const campaign = await follow(id, 'Keeps')
    const emails = ['Goes@lists.example.com', 'unknown@lists.example.com']
    expect(await done('POST', `/v2/lists/${id}/members/remove`, { emails })).toEqual({
      removed: 1,
      notFound: ['unknown@lists.example.com'],
      stillLeads: [{ campaignId: campaign, campaignName: 'Keeps', leads: 1 }],
    })
    expect(await leadsOf(campaign)).toEqual(['goes@lists.example.com', 'stays@lists.example.com'])
    expect((await done('GET', `/v2/lists/${id}`)).memberCount).toBe(1)
  })

  test('keeps its list from being deleted until it follows it no more', async () => {
    const id = await listOf('Kept')
    const campaign = await follow(id, 'Northwind')
    const refused = await call('DELETE', `/v2/lists/${id}`)
    expect([refused.status, refused.body.error.details.currentStatus]).toEqual([409, 'followed'])
    expect(refused.body.error.message).toBe(
      'Campaigns follow this list: "Northwind". Set their settings.followsListId to null first.',
    )
    expect(await done('GET', `/v2/lists/${id}`)).toMatchObject({ followers: [{ campaignId: campaign }] })
    await done('PUT', `/v2/campaigns/${campaign}`, { settings: { followsListId: null } })
    await done('DELETE', `/v2/lists/${id}`)
  })

  test('is named or counted in the refusal to delete its list', async () => {
    const id = await listOf('Popular')
    const campaigns = []
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) campaigns.push(await follow(id, name))
    const refused = await call('DELETE', `/v2/lists/${id}`)
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'Campaigns follow this list: "A", "B", "C", "D", "E" and 2 more. Set their settings.followsListId to null first.',
    ])
    for (const campaign of campaigns) await done('DELETE', `/v2/campaigns/${campaign}`)
    await done('DELETE', `/v2/lists/${id}`)
  })

  test('takes more members than one batch, and begins again with another list', async () => {
    const [one, two] = [await listOf('One'), await listOf('Two')]
    await add(one, people(...Array.from({ length: 700 }, (_, at) => `n${at}`)))
    await add(two, people('other'))
    const campaign = await follow(one)
    expect((await done('GET', `/v2/campaigns/${campaign}`)).leadCount).toBe(700)
    await done('PUT', `/v2/campaigns/${campaign}`, { settings: { followsListId: two } })
    await runJobs()
    expect((await done('GET', `/v2/lists/${two}`)).followers).toMatchObject([{ added: 1, upToDate: true }])
    const copy = await done('POST', `/v2/campaigns/${campaign}/copy`, {})
    expect(copy.settings.followsListId).toBe(null)
  })

  test('names a list that does not exist', async () => {
    const answer = await call('POST', '/v2/campaigns', { name: 'Lost', settings: { followsListId: 'lst_unknown' } })
    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      'settings.followsListId: there is no list with this id.',
    ])
  })
})

test('a refused lead says which field is wrong', async () => {
  const id = await listOf('Refused')
  const email = 'ada@lists.example.com'
  const customVariables = (text: string): unknown => ({ email, customVariables: JSON.parse(text) as unknown })
  const members = [
    5,
    { email, firstName: 5 },
    { email, lawfulBasis: 'because' },
    { email, trackingConsent: 'ja' },
    { email, city: 'x'.repeat(101) },
    customVariables('{"0v":"x"}'),
    customVariables('{"plan":null}'),
    customVariables('{"constructor":"x"}'),
    customVariables('{"__proto__":"x"}'),
  ]
  const { results } = await done('POST', `/v2/lists/${id}/members`, { members })
  expect(results.map(({ field, message }: AnswerBody) => [field, message])).toEqual([
    [undefined, 'A lead is an object with the field "email".'],
    ['firstName', 'Must be a text.'],
    ['lawfulBasis', expect.stringMatching(/^Must be one of "consent", /)],
    ['trackingConsent', 'Must be true or false.'],
    ['city', 'Must have at most 100 characters.'],
    ['customVariables.0v', 'Use letters, digits and _, starting with a letter.'],
    ['customVariables.plan', 'Must be a text of at most 10000 characters, a number, or true or false.'],
    ['customVariables.constructor', 'This name is reserved. Use another name.'],
    ['customVariables.__proto__', 'This name is reserved. Use another name.'],
  ])
})

test('only a whole address removes a member of a list', async () => {
  const id = await listOf('Exact')
  await add(id, [{ email: 'acme.co@acme.com' }])
  const emails = ['acme.com', ' Nobody@ACME.com']
  expect(await done('POST', `/v2/lists/${id}/members/remove`, { emails })).toMatchObject({
    removed: 0,
    notFound: emails,
  })
})

test('an erased person is in no list and has no tag any more', async () => {
  const id = await listOf('Erased')
  await add(id, people('gone', 'kept'))
  const campaign = await follow(id)
  const [lead] = (await done('GET', `/v2/campaigns/${campaign}/leads`)).results
  const tag = await done('POST', '/v2/tags', { name: 'To erase' })
  await done('POST', `/v2/tags/${tag.id}/assign`, { ids: [lead.id] })
  const exported = await done('GET', `/v2/leads/${lead.id}/export`)
  expect([exported.lists.length, exported.tags.length]).toEqual([1, 1])
  const { erasureId } = await done('DELETE', `/v2/leads/${lead.id}`)
  expect((await done('GET', `/v2/erasures/${erasureId}`)).removed).toMatchObject({ list_members: 1, taggings: 1 })
  expect(await listAddresses(`/v2/lists/${id}/members`)).toEqual(['kept@lists.example.com'])
  expect((await done('GET', `/v2/lists/${id}`)).memberCount).toBe(1)
})
