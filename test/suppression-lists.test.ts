import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignJobs } from '@overture/server/campaigns/index.ts'
import { suppressionTools } from '@overture/server/composition/slice-wiring.ts'
import { findSuppressed, suppress, suppressionJobs } from '@overture/server/suppressions/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { App } from '@overture/server/platform/app.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Inbox". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await done('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

function upload(query: string, body: string) {
  const headers = { 'content-type': 'text/csv' }
  return server.call('POST', `/v2/suppressions/import?${query}`, { key: server.keys.test, body, headers })
}

async function runJobs(app: App = server.app): Promise<void> {
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  await runDueJobs(app, server.testTenant, now, [...suppressionJobs(suppressionTools), ...campaignJobs()])
}

/** Imports a file to its end. */
async function imported(query: string, body: string): Promise<AnswerBody> {
  const answer = await upload(query, body)
  expect([answer.status, answer.body.status]).toEqual([202, 'pending'])
  await runJobs()
  return done('GET', `/v2/suppressions/imports/${answer.body.id}`)
}

async function suppressed(...emails: string[]): Promise<string[]> {
  const { db, secrets } = server.app
  const found = await findSuppressed(db, server.testTenant, { secrets, emails })
  return emails.filter((email) => found.has(email))
}

async function entriesOf(list: string): Promise<AnswerBody[]> {
  return (await done('GET', `/v2/suppressions?limit=100&list=${list}`)).results
}

const file = (emails: string[]) => `email\n${emails.join('\n')}\n`
const people = (count: number, domain: string) => Array.from({ length: count }, (_, at) => `p${at}@${domain}`)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('an import into a suppression list', () => {
  test('adds addresses, domains and digests with reason and end', async () => {
    const digest = sha256('hidden@lists.example.com')
    const job = await imported(
      'list=first',
      `Email,Domain,SHA256,Reason,Expires at,Name\n` +
        `Ada@Lists.example.com,,,said no,2027-03-01T00:00:00Z,Ada\n,@whole.example.com,,,,\n,,${digest.toUpperCase()},,,\n`,
    )
    expect(job).toMatchObject({ list: 'first', mode: 'add', status: 'completed', rowsTotal: 3, rowsRead: 3 })
    expect(job).toMatchObject({ added: 3, updated: 0, removed: 0, failed: 0, errorsUrl: null, error: null })
    const [hidden, whole, ada] = (await entriesOf('first')).toSorted((a, b) => (a.id < b.id ? 1 : -1))
    const nothing = { email: null, domain: null, sha256: null, reason: null, expiresAt: null }
    const common = { list: 'first', source: 'customer', createdAt: '2027-02-01T07:00:00.000Z' }
    const known = [ada, whole, hidden].map(({ id: _id, ...entry }) => entry)
    const end = '2027-03-01T00:00:00.000Z'
    expect(known).toContainEqual({
      ...nothing,
      ...common,
      email: 'ada@lists.example.com',
      reason: 'said no',
      expiresAt: end,
    })
    expect(known).toContainEqual({ ...nothing, ...common, domain: 'whole.example.com' })
    expect(known).toContainEqual({ ...nothing, ...common, sha256: digest })
    const asked = ['ADA@lists.example.com', 'Hidden@Lists.example.com', 'x@whole.example.com', 'y@lists.example.com']
    expect(await suppressed(...asked)).toEqual(asked.slice(0, 3))
  })

  test('gives a known entry the reason and the end of its last row', async () => {
    await imported('list=again', 'email,reason,expiresAt\nbo@again.example.com,old,2027-05-01\n')
    const job = await imported(
      'list=again',
      'email,reason,expiresAt\nbo@again.example.com,newer,\nbo@again.example.com,newest,2027-06-01\n',
    )
    expect(job).toMatchObject({ added: 0, updated: 2 })
    expect(await entriesOf('again')).toMatchObject([{ reason: 'newest', expiresAt: '2027-06-02T00:00:00.000Z' }])
  })

  test('learns the address of a digest', async () => {
    await imported('list=learns', `sha256\n${sha256('cy@learns.example.com')}\n`)
    await imported('list=learns', file(['cy@learns.example.com']))
    expect(await entriesOf('learns')).toMatchObject([{ email: 'cy@learns.example.com', sha256: null }])
  })

  test('reports refused rows by number and reason, in a file that can be fixed and imported', async () => {
    const job = await imported(
      'list=faulty',
      'email,domain,sha256,expiresAt\ngood@faulty.example.com,,,\nno address,,,\n,,,2027-01-01\n' +
        'a@faulty.example.com,faulty.example.com,,\n,,abc,\nb@faulty.example.com,,,soon\n,"x"y,,\n',
    )
    expect(job).toMatchObject({ status: 'completed', rowsRead: 7, added: 1, failed: 6 })
    expect(job.errorsUrl).toContain(`/v2/suppressions/imports/${job.id}/errors`)
    const errors = await call('GET', `/v2/suppressions/imports/${job.id}/errors`)
    const rows = parse(errors.text, { columns: true, relax_column_count: true }) as Record<string, string>[]
    expect(rows.map(({ row, reason }) => [row, reason?.split(':')[0]])).toEqual([
      ['2', 'invalid_email'],
      ['3', 'no_entry'],
      ['4', 'several_entries'],
      ['5', 'invalid_field'],
      ['6', 'invalid_field'],
      ['7', 'not_readable'],
    ])
    const fixed = errors.text.split('\n').slice(0, 2).join('\n').replace('no address', 'fixed@faulty.example.com')
    expect(await imported('list=faulty', `${fixed}\n`)).toMatchObject({ added: 1, failed: 0 })
  })

  test.each([
    ['names no identity', 'list=x', 'name,reason\nx,y\n', 'required'],
    ['names a column twice', 'list=x', 'email,mail\nx,y\n', 'duplicate'],
    ['is cut within quotes', 'list=x', 'email,reason\ncut@example.com,"a', 'csv'],
    ['has no list', 'mode=add', 'email\nx@example.com\n', 'required'],
  ])('is refused and leaves nothing behind if the file %s', async (_name, query, body, rule) => {
    const answer = await upload(query, body)
    expect([answer.status, answer.body.error.details.issues[0].rule]).toEqual([400, rule])
    expect(await entriesOf('x')).toEqual([])
  })

  test('shows nothing to another account and in the list of imports of leads', async () => {
    const { id } = await imported('list=mine', file(['dee@mine.example.com']))
    const foreign = await server.call('GET', `/v2/suppressions/imports/${id}`, { key: server.other.keys.test })
    expect([foreign.status, (await call('GET', `/v2/imports/${id}`)).status]).toEqual([404, 404])
    expect((await done('GET', '/v2/imports')).results).toEqual([])
  })

  test('stores each row once if the process dies anywhere', async () => {
    const emails = people(12_000, 'killed.example.com')
    const { body } = await upload('list=killed&mode=replace', file(emails))
    const retry = () =>
      server.app.db.execute(`update jobs set run_at = '2027-01-01' where kind = 'suppressions.import'`)
    for (const [when, number] of [
      ['before', 1],
      ['after', 1],
      ['before', 2],
    ] as const) {
      await runJobs(dyingApp(when, number))
      await retry()
    }
    const path = `/v2/suppressions/imports/${body.id}`
    expect(await done('GET', path)).toMatchObject({ status: 'running', rowsRead: 10_000, added: 10_000 })
    await runJobs()
    expect(await done('GET', path)).toMatchObject({ status: 'completed', rowsRead: 12_000, added: 12_000, updated: 0 })
    expect((await done('GET', '/v2/suppressions?list=killed')).pagination.totalCount).toBe(12_000)
  })
})

/** An app whose process dies in the given transaction of a job: before or after its commit. */
function dyingApp(when: 'before' | 'after', number: number): App {
  const { db } = server.app
  let begun = 0
  const dying = Object.assign(Object.create(db) as typeof db, {
    async transaction<Result>(run: Parameters<typeof db.transaction<Result>>[0]): Promise<Result> {
      const dies = ++begun === number
      const result = await db.transaction(async (tx) => {
        const stored = await run(tx)
        if (dies && when === 'before') throw new Error('The process died.')
        return stored
      })
      if (dies) throw new Error('The process died.')
      return result
    },
  })
  return { ...server.app, db: dying }
}

describe('mode=replace', () => {
  test('removes the entries that are no longer in the list, over several pages', async () => {
    const all = people(12_000, 'half.example.com')
    await imported('list=half', file(all))
    const half = all.filter((_email, at) => at % 2 === 0)
    const job = await imported('list=half&mode=replace', file(half))
    expect(job).toMatchObject({ mode: 'replace', added: 0, updated: 6_000, removed: 6_000 })
    expect((await done('GET', '/v2/suppressions?list=half')).pagination.totalCount).toBe(6_000)
    expect(await suppressed(all[0]!, all[1]!)).toEqual([all[0]])
  })

  test('empties the list for an empty file, but not for one of refused rows', async () => {
    await imported('list=emptied', file(['ed@emptied.example.com']))
    expect(await imported('list=emptied&mode=replace', 'email\nno address\n')).toMatchObject({ removed: 0, failed: 1 })
    expect(await suppressed('ed@emptied.example.com')).toEqual(['ed@emptied.example.com'])
    expect(await imported('list=emptied&mode=replace', 'email\n')).toMatchObject({ rowsTotal: 0, removed: 1 })
    expect(await suppressed('ed@emptied.example.com')).toEqual([])
  })

  test("keeps a recipient's opt-out, complaints, bounces and entries without a list", async () => {
    const names = ['recipient', 'bounce', 'complaint', 'unproven'] as const
    const emails = [...names.map((name) => `${name}@own.example.com`), 'manual@own.example.com']
    await imported('list=own', file([...emails, 'gone@own.example.com']))
    const { app, testTenant } = server
    const common = { reason: null, secrets: app.secrets, now: app.clock.now() }
    for (const source of names)
      await app.db.transaction((tx) =>
        suppress(tx, testTenant, { email: `${source}@own.example.com`, source, ...common }),
      )
    await done('POST', '/v2/suppressions', { email: 'manual@own.example.com' })
    expect(await imported('list=own&mode=replace', file(['new@own.example.com']))).toMatchObject({ removed: 6 })
    expect(await suppressed(...emails, 'gone@own.example.com', 'new@own.example.com')).toEqual([
      ...emails,
      'new@own.example.com',
    ])
  })

  test('keeps an address suppressed that is in another list', async () => {
    await imported('list=one', file(['both@two.example.com', 'only@two.example.com']))
    await imported('list=two', file(['both@two.example.com']))
    await imported('list=one&mode=replace', file(['other@two.example.com']))
    expect(await suppressed('both@two.example.com', 'only@two.example.com')).toEqual(['both@two.example.com'])
    expect((await done('GET', '/v2/suppressions?q=both@two')).results).toMatchObject([{ list: 'two' }])
  })

  test('keeps entries of a later file and of later requests, whichever import runs first', async () => {
    await imported('list=late', file(['old@late.example.com']))
    const { body: earlier } = await upload('list=late&mode=replace', file(['earlier@late.example.com']))
    await done('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    const later = await imported('list=late&mode=add', file(['later@late.example.com']))
    expect([earlier.id < later.id, later.status]).toEqual([true, 'completed'])
    const kept: string[] = (await entriesOf('late')).map(({ email }) => email)
    expect(kept.toSorted()).toEqual(['earlier@late.example.com', 'later@late.example.com'])
  })
})

describe('a suppression that a request adds', () => {
  test('belongs to its list, and to none without one', async () => {
    const email = 'eve@posted.example.com'
    const listed = await done('POST', '/v2/suppressions', {
      email,
      list: 'posted',
      expiresAt: '2027-04-01T02:00:00+02:00',
    })
    expect(listed).toMatchObject({ list: 'posted', source: 'customer', expiresAt: '2027-04-01T00:00:00.000Z' })
    const manual = await done('POST', '/v2/suppressions', { email })
    expect(manual).toMatchObject({ list: null, source: 'manual', expiresAt: null })
    expect(await done('POST', '/v2/suppressions', { email, list: 'posted' })).toMatchObject({
      id: listed.id,
      expiresAt: null,
    })
    await done('DELETE', `/v2/suppressions/${manual.id}`)
    expect(await suppressed(email)).toEqual([email])
    await imported('list=posted&mode=replace', file(['other@posted.example.com']))
    expect(await suppressed(email)).toEqual([])
  })
})

describe('lists', () => {
  test('are shown by name with the number of their entries', async () => {
    await imported('list=named B', file(['a@named.example.com', 'b@named.example.com']))
    await imported('list=named A', file(['a@named.example.com']))
    const { results } = await done('GET', '/v2/suppressions/lists?limit=100')
    expect(results.filter(({ name }: AnswerBody) => name.startsWith('named'))).toEqual([
      { name: 'named A', entries: 1 },
      { name: 'named B', entries: 2 },
    ])
    const names = results.map(({ name }: AnswerBody) => name)
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AnswerBody = await done('GET', `/v2/suppressions/lists?limit=2${cursor && `&cursor=${cursor}`}`)
      walked.push(...page.results.map(({ name }: AnswerBody) => name))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(names)
  })

  test('are exported as a file that can be imported', async () => {
    const digest = sha256('fay@export.example.com')
    const emails = people(1_500, 'export.example.com')
    const rows = emails.map((email) => `${email},,,`).join('\n')
    await imported('list=exported', `email,sha256,reason,expiresAt\n${rows}\n,${digest},=why,2027-08-01\n`)
    const { text, headers } = await call('GET', '/v2/suppressions/export?list=exported')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const found = parse(text, { columns: true }) as Record<string, string>[]
    expect(found).toHaveLength(1_501)
    expect(found.find((row) => row['sha256'] !== '')).toEqual({
      email: '',
      domain: '',
      sha256: digest,
      list: 'exported',
      source: 'customer',
      reason: "'=why",
      expiresAt: '2027-08-02T00:00:00.000Z',
      createdAt: expect.stringMatching(/^2027-02-01T/),
    })
    expect(await imported('list=copied', text)).toMatchObject({ added: 1_501, failed: 0 })
    const copied = await call('GET', '/v2/suppressions/export?list=copied')
    const linesOf = (file: string) => file.replaceAll('exported', 'copied').trimEnd().split('\n').toSorted()
    expect(linesOf(copied.text)).toEqual(linesOf(text))
  })
})

describe('sending', () => {
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const schedule = { timezone: 'UTC', windows: [{ days: everyDay, from: '00:00', to: '24:00' }] }
  const advance = (by: string) => done('POST', '/v2/sandbox/clock/advance', { by })

  async function launch(name: string, emails: string[]): Promise<string> {
    const fields = { provider: 'sandbox', timezone: 'UTC', minGapSeconds: 0, maxGapSeconds: 0, dailyLimit: 500 }
    const sender = await done('POST', '/v2/sending-accounts', {
      email: `mara@${name}.example.com`,
      fromName: 'Mara',
      ...fields,
    })
    const leads = emails.map((email) => ({ email }))
    const steps = [{ waitBefore: { value: 0, unit: 'days' }, variants: [{ subject: 'Hello', body: 'Hello' }] }]
    const body = { name, sendingAccountIds: [sender.id], schedule, steps, leads }
    return (await done('POST', '/v2/campaigns/launch', body)).id
  }

  async function sentTo(campaignId: string): Promise<string[]> {
    const { results } = await done('GET', `/v2/campaigns/activity?type=message.sent&campaignId=${campaignId}&limit=100`)
    return results.map((event: AnswerBody) => event.leadEmail).toSorted()
  }

  test('skips leads that a list names after the launch, by address, domain or digest', async () => {
    const emails = ['a@lead.prospects.test', 'b@prospects.test', 'c@prospects.test', 'd@prospects.test']
    const campaignId = await launch('skips', emails)
    await imported(
      'list=skips',
      `email,domain,sha256\n,lead.prospects.test,\nb@prospects.test,,\n,,${sha256('c@prospects.test')}\n`,
    )
    await advance('2d')
    expect(await sentTo(campaignId)).toEqual(['d@prospects.test'])
    const { results } = await done('GET', `/v2/campaigns/${campaignId}/leads`)
    const blocked = results.filter(({ blockedReason }: AnswerBody) => blockedReason === 'suppressed')
    expect(blocked.map(({ email }: AnswerBody) => email).toSorted()).toEqual(emails.slice(0, 3))
    const added = await done('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: 'c@prospects.test' }] })
    expect(added.results[0].outcome).toBe('skipped')
  })

  test('resumes when an entry ends, at its time on the test clock', async () => {
    const campaignId = await launch('resumes', ['e@prospects.test', 'f@prospects.test'])
    const now = Date.parse((await done('GET', '/v2/sandbox/clock')).now)
    const end = (days: number) => new Date(now + days * 86_400_000).toISOString()
    await imported(
      'list=resumes',
      `sha256,email,expiresAt\n${sha256('e@prospects.test')},,${end(3)}\n,f@prospects.test,${end(5)}\n`,
    )
    await advance('2d')
    expect(await sentTo(campaignId)).toEqual([])
    await advance('2d')
    expect(await sentTo(campaignId)).toEqual(['e@prospects.test'])
    await advance('2d')
    expect(await sentTo(campaignId)).toEqual(['e@prospects.test', 'f@prospects.test'])
    expect(await entriesOf('resumes')).toEqual([])
  })

  test('resumes when replace removes an entry', async () => {
    const campaignId = await launch('replaced', ['g@prospects.test', 'h@prospects.test'])
    await imported('list=replaced', `sha256,email\n${sha256('g@prospects.test')},\n,h@prospects.test\n`)
    await advance('2d')
    expect(await sentTo(campaignId)).toEqual([])
    await imported('list=replaced&mode=replace', file(['h@prospects.test']))
    await advance('1d')
    expect(await sentTo(campaignId)).toEqual(['g@prospects.test'])
  })
})

describe('two imports of one list', () => {
  test('at the same time store the later file', async () => {
    const emails = people(4_000, 'race.example.com')
    const ids = []
    for (const [order, reason] of [
      [emails, 'first'],
      [emails.toReversed(), 'second'],
    ] as const)
      ids.push(
        (await upload('list=race&mode=replace', `email,reason\n${order.map((one) => `${one},${reason}`).join('\n')}\n`))
          .body.id,
      )
    await Promise.all([runJobs(), runJobs()])
    for (const id of ids)
      expect(await done('GET', `/v2/suppressions/imports/${id}`)).toMatchObject({
        status: 'completed',
        rowsRead: 4_000,
      })
    const entries = await entriesOf('race')
    expect([entries.length, new Set(entries.map(({ reason }) => reason))]).toEqual([100, new Set(['second'])])
  })
})

describe('the end of an entry', () => {
  test('stores the last day of the calendar as an end, and refuses a time after it', async () => {
    const rows = ['a@far.example.com,9999-12-31', 'b@far.example.com,9999-12-31T23:59:59-12:00']
    expect(await imported('list=far', `email,expiresAt\n${rows.join('\n')}\n`)).toMatchObject({ added: 1, failed: 1 })
    expect(await entriesOf('far')).toMatchObject([{ expiresAt: '9999-12-31T23:59:59.999Z' }])
    const entry = { email: 'c@far.example.com', expiresAt: '9999-12-31T23:59:59-12:00' }
    const answer = await call('POST', '/v2/suppressions', entry)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, 'expiresAt'])
  })

  test('counts the entries of a list that have not ended, like the list itself', async () => {
    await imported('list=ended', 'email,expiresAt\na@ended.example.com,2020-01-01\nb@ended.example.com,\n')
    const { results } = await done('GET', '/v2/suppressions/lists')
    expect(results).toContainEqual({ name: 'ended', entries: 1 })
    expect(await entriesOf('ended')).toHaveLength(1)
  })
})
