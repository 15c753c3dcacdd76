import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignJobs } from '@overture/server/campaigns/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

async function ask(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const email = 'many@merged.example.com'
const tooMany = {
  outcome: 'invalid',
  reason: 'invalid_field',
  leadId: null,
  field: 'customVariables',
  message: 'A lead can have 100 custom variables at most.',
}
const newCampaign = async (): Promise<string> => (await ask('POST', '/v2/campaigns', { name: 'Merged' })).id
const add = (id: string, leads: object[], onDuplicate = 'update') =>
  ask('POST', `/v2/campaigns/${id}/leads`, { leads, onDuplicate })
const leadOf = async (id: string): Promise<AnswerBody> =>
  (await ask('GET', `/v2/campaigns/${id}/leads`)).results.find((lead: AnswerBody) => lead.email === email)
const variables = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${from + at}`, from + at]))

describe('a lead with 100 custom variables', () => {
  test('gets no further ones, and the item is invalid like one with too many', async () => {
    const id = await newCampaign()
    await add(id, [{ email, firstName: 'Ada', customVariables: variables(0, 100) }])
    const before = await leadOf(id)
    const answer = await add(id, [
      { email, firstName: 'Eve', customVariables: { other: 1 } },
      { email: 'single@merged.example.com', customVariables: variables(0, 101) },
      { email: 'fine@merged.example.com', customVariables: variables(0, 100) },
    ])
    const [merged, single] = answer.results
    expect(merged).toEqual({ index: 0, email, ...tooMany })
    expect(single).toEqual({ index: 1, email: 'single@merged.example.com', ...tooMany })
    expect(answer).toMatchObject({ added: 1, updated: 0, skipped: 0, invalid: 2 })
    expect(await leadOf(id)).toEqual(before)
  })

  test('can get other values of the same variables', async () => {
    const id = await newCampaign()
    await add(id, [{ email, customVariables: variables(0, 100) }])
    expect(await add(id, [{ email, city: 'Bonn', customVariables: { v7: 'new' } }])).toMatchObject({ updated: 1 })
    expect(await leadOf(id)).toMatchObject({ city: 'Bonn', customVariables: { ...variables(0, 100), v7: 'new' } })
  })

  test('is refused item by item if it is in one request several times', async () => {
    const id = await newCampaign()
    const answer = await add(id, [
      { email, customVariables: variables(0, 60) },
      { email, company: 'Refused', customVariables: variables(60, 41) },
      { email, city: 'Bonn', customVariables: variables(60, 40) },
      { email, firstName: 'Ada' },
    ])
    const outcomes = answer.results.map(({ outcome }: AnswerBody) => outcome)
    expect(outcomes).toEqual(['added', 'invalid', 'updated', 'updated'])
    const lead = await leadOf(id)
    expect(lead).toMatchObject({ firstName: 'Ada', city: 'Bonn', company: null })
    expect(lead.customVariables).toEqual(variables(0, 100))
  })

  test('stays as it is under several requests at once', async () => {
    const id = await newCampaign()
    await add(id, [{ email, customVariables: variables(0, 50) }])
    const parts = [variables(50, 30), variables(80, 30), variables(110, 30), variables(140, 30)]
    const answers = await Promise.all(parts.map((customVariables) => add(id, [{ email, customVariables }])))
    expect(answers.reduce((sum, { updated }) => sum + updated, 0)).toBe(1)
    expect(Object.keys((await leadOf(id)).customVariables)).toHaveLength(80)
  })

  test('is reported by an import with the row and the reason of a single row', async () => {
    const id = await newCampaign()
    await add(id, [{ email, customVariables: variables(0, 100) }])
    const titles = Array.from({ length: 101 }, (_, at) => `w${at}`)
    const rows = [
      `${email},y${','.repeat(100)}`,
      `single@merged.example.com,${titles.join(',')}`,
      `fine@merged.example.com,z${','.repeat(100)}`,
    ]
    const body = ['email,' + titles.join(','), ...rows].join('\n')
    const headers = { 'content-type': 'text/csv' }
    const path = `/v2/campaigns/${id}/leads/import?onDuplicate=update`
    const upload = await server.call('POST', path, { key: server.keys.test, body, headers })
    expect(upload.status).toBe(202)
    const now = await server.app.clocks.now(server.app.db, server.testTenant)
    await runDueJobs(server.app, server.testTenant, now, campaignJobs())
    const job = await ask('GET', `/v2/imports/${upload.body.id}`)
    expect(job).toMatchObject({ status: 'completed', added: 1, updated: 0, failed: 2 })
    const errors = await server.call('GET', `/v2/imports/${job.id}/errors`, { key: server.keys.test })
    const [, first, second] = errors.text.split(/\r?\n/)
    const reason = 'invalid_field: A lead can have 100 custom variables at most.'
    expect(first).toContain(`1,${reason},${email},y,`)
    expect(second).toContain(`2,${reason},single@merged.example.com,`)
    expect((await leadOf(id)).customVariables).toEqual(variables(0, 100))
  })

  test('is refused by PUT, like one with too many', async () => {
    const id = await newCampaign()
    await add(id, [{ email, customVariables: variables(0, 100) }])
    const before = await leadOf(id)
    const put = (customVariables: object) =>
      server.call('PUT', `/v2/campaigns/${id}/leads/${before.id}`, { key: server.keys.test, body: { customVariables } })
    const [merged, single] = [await put({ other: 1 }), await put(variables(0, 101))]
    expect(merged.status).toBe(400)
    expect(merged.body.error.details).toEqual(single.body.error.details)
    expect(await leadOf(id)).toEqual(before)
    expect((await put(before.customVariables)).status).toBe(200)
  })

  test('is a duplicate if duplicates are skipped', async () => {
    const id = await newCampaign()
    await add(id, [{ email, customVariables: variables(0, 100) }])
    const { results } = await add(id, [{ email, customVariables: { other: 1 } }], 'skip')
    expect(results).toMatchObject([{ outcome: 'skipped', reason: 'duplicate' }])
  })
})
