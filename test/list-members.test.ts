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
})
afterAll(() => server.stop())

async function runJobs(): Promise<void> {
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  await runDueJobs(server.app, server.testTenant, now, [...listJobs(), ...campaignJobs()])
}

const newList = async (): Promise<string> => (await done('POST', '/v2/lists', { name: 'Members' })).id
const add = (id: string, ...members: object[]) => done('POST', `/v2/lists/${id}/members`, { members })
const addNamed = (id: string, ...names: string[]) =>
  add(id, ...names.map((name) => ({ email: `${name}@m.example.com` })))
const remove = (id: string, ...names: string[]) =>
  done('POST', `/v2/lists/${id}/members/remove`, { emails: names.map((name) => `${name}@m.example.com`) })
const membersOf = async (id: string): Promise<AnswerBody[]> => (await done('GET', `/v2/lists/${id}/members`)).results
const variables = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${from + at}`, from + at]))

async function importFile(id: string, csv: string): Promise<{ job: AnswerBody; errors: string }> {
  const upload = await call('POST', `/v2/lists/${id}/import`, csv, { 'content-type': 'text/csv' })
  expect(upload.status).toBe(202)
  await runJobs()
  const path = `/v2/lists/imports/${upload.body.id}`
  return { job: await done('GET', path), errors: (await call('GET', `${path}/errors`)).text }
}

describe('a person who is in one request twice', () => {
  const items = [
    { email: 'Ada@m.example.com', firstName: 'Ada', city: 'Bonn', customVariables: { plan: 'A', size: 1 } },
    { email: 'ada@m.example.com', company: 'Acme', city: null, customVariables: { size: 2, tier: true } },
    { email: 'ADA@m.example.com', lastName: 'Lovelace', seniority: 'senior' },
  ]
  const withoutTimes = ({ addedAt: _added, updatedAt: _updated, ...member }: AnswerBody) => member

  test('gets the same fields as by several requests', async () => {
    const [once, parts] = [await newList(), await newList()]
    const answer = await add(once, ...items)
    expect(answer).toMatchObject({ added: 1, updated: 2, invalid: 0 })
    expect(answer.results.map(({ outcome }: AnswerBody) => outcome)).toEqual(['added', 'updated', 'updated'])
    for (const item of items) await add(parts, item)
    const [member] = await membersOf(once)
    expect(member).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', company: 'Acme', city: null })
    expect(member.customVariables).toEqual({ plan: 'A', size: 2, tier: true })
    expect(withoutTimes(member)).toEqual(withoutTimes((await membersOf(parts))[0]))
  })

  test('keeps the fields of each row of an import', async () => {
    const id = await newList()
    const file = 'email,firstName,company,plan,size\nada@m.example.com,Ada,,A,\nADA@m.example.com,,Acme,,3\n'
    expect((await importFile(id, file)).job).toMatchObject({ added: 1, updated: 1, failed: 0 })
    expect(await membersOf(id)).toMatchObject([
      { firstName: 'Ada', company: 'Acme', customVariables: { plan: 'A', size: '3' } },
    ])
  })
})

describe('a campaign that follows a list is up to date', () => {
  async function follow(listId: string): Promise<string> {
    const { id } = await done('POST', '/v2/campaigns', { name: 'Follows', settings: { followsListId: listId } })
    await runJobs()
    return id
  }
  const follower = async (id: string): Promise<AnswerBody> => (await done('GET', `/v2/lists/${id}`)).followers[0]

  test('after a known member is added again', async () => {
    const id = await newList()
    await addNamed(id, 'a', 'b')
    await follow(id)
    await addNamed(id, 'a')
    expect(await follower(id)).toMatchObject({ added: 2, upToDate: true })
    await addNamed(id, 'c', 'b')
    expect((await follower(id)).upToDate).toBe(false)
    await runJobs()
    expect(await follower(id)).toMatchObject({ added: 3, skipped: 0, upToDate: true })
  })

  test('after the newest member is removed before the campaign took it', async () => {
    const id = await newList()
    await addNamed(id, 'a', 'b')
    const campaignId = await follow(id)
    await addNamed(id, 'c', 'd')
    await remove(id, 'c', 'd')
    expect(await follower(id)).toMatchObject({ added: 2, upToDate: true })
    await addNamed(id, 'e')
    expect((await follower(id)).upToDate).toBe(false)
    await runJobs()
    expect(await follower(id)).toMatchObject({ added: 3, upToDate: true })
    const leads = (await done('GET', `/v2/campaigns/${campaignId}/leads`)).results
    expect(leads.map(({ email }: AnswerBody) => email)).toContain('e@m.example.com')
  })

  test('if the list is empty', async () => {
    const [never, again] = [await newList(), await newList()]
    await addNamed(again, 'a')
    await remove(again, 'a')
    for (const id of [never, again]) {
      await follow(id)
      expect(await follower(id)).toMatchObject({ added: 0, skipped: 0, upToDate: true })
      await addNamed(id, 'b')
      await runJobs()
      expect(await follower(id)).toMatchObject({ added: 1, upToDate: true })
    }
  })
})

describe('a member with 100 custom variables', () => {
  const email = 'many@m.example.com'
  const tooMany = { field: 'customVariables', message: 'A lead can have 100 custom variables at most.' }

  test('gets no further ones, and the item is invalid like one with too many', async () => {
    const id = await newList()
    await add(id, { email, firstName: 'Ada', customVariables: variables(0, 100) })
    const before = await membersOf(id)
    const answer = await add(
      id,
      { email, firstName: 'Eve', customVariables: { other: 1 } },
      { email: 'single@m.example.com', customVariables: variables(0, 101) },
      { email: 'fine@m.example.com', customVariables: variables(0, 100) },
    )
    const [merged, single, fine] = answer.results
    expect(merged).toEqual({ index: 0, email, outcome: 'invalid', ...tooMany })
    expect(single).toMatchObject({ index: 1, outcome: 'invalid', ...tooMany })
    expect(fine).toEqual({ index: 2, email: 'fine@m.example.com', outcome: 'added' })
    expect(answer).toMatchObject({ added: 1, updated: 0, invalid: 2 })
    expect((await membersOf(id)).filter((member) => member.email === email)).toEqual(before)
  })

  test('can get other values of the same variables', async () => {
    const id = await newList()
    await add(id, { email, customVariables: variables(0, 100) })
    expect(await add(id, { email, city: 'Bonn', customVariables: { v7: 'new' } })).toMatchObject({ updated: 1 })
    const [member] = await membersOf(id)
    expect([member.city, member.customVariables]).toEqual(['Bonn', { ...variables(0, 100), v7: 'new' }])
  })

  test('is refused item by item if it is in one request several times', async () => {
    const id = await newList()
    const answer = await add(
      id,
      { email, customVariables: variables(0, 60) },
      { email, company: 'Refused', customVariables: variables(60, 41) },
      { email, city: 'Bonn', customVariables: variables(60, 40) },
      { email, firstName: 'Ada' },
    )
    expect(answer.results).toEqual([
      { index: 0, email, outcome: 'added' },
      { index: 1, email, outcome: 'invalid', ...tooMany },
      { index: 2, email, outcome: 'updated' },
      { index: 3, email, outcome: 'updated' },
    ])
    const [member] = await membersOf(id)
    expect(member).toMatchObject({ firstName: 'Ada', city: 'Bonn', company: null })
    expect(member.customVariables).toEqual(variables(0, 100))
  })

  test('stays as it is under two requests at once', async () => {
    const id = await newList()
    await add(id, { email, customVariables: variables(0, 50) })
    const parts = [variables(50, 30), variables(80, 30), variables(110, 30), variables(140, 30)]
    const answers = await Promise.all(parts.map((customVariables) => add(id, { email, customVariables })))
    expect(answers.reduce((sum, { updated }) => sum + updated, 0)).toBe(1)
    const [member] = await membersOf(id)
    expect(Object.keys(member.customVariables)).toHaveLength(80)
  })

  test('is reported by an import with the row and the reason of a single row', async () => {
    const id = await newList()
    await add(id, { email, customVariables: variables(0, 100) })
    const titles = Array.from({ length: 101 }, (_, at) => `w${at}`)
    const full = titles.map(() => 'x').join(',')
    const row = `${email},y${','.repeat(100)}`
    const { job, errors } = await importFile(
      id,
      `email,${titles.join(',')}\n${row}\nsingle@m.example.com,${full}\nfine@m.example.com,z${','.repeat(100)}\n`,
    )
    expect(job).toMatchObject({ status: 'completed', added: 1, updated: 0, failed: 2 })
    const [, first, second] = errors.split(/\r?\n/)
    const reason = `invalid_field: ${tooMany.message}`
    expect(first).toContain(`1,${reason},${email},y,`)
    expect(second).toContain(`2,${reason},single@m.example.com,`)
    expect((await membersOf(id)).find((member) => member.email === email).customVariables).toEqual(variables(0, 100))
  })
})
