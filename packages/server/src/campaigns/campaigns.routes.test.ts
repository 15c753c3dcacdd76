import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { endlessTemplates, hostileTemplates } from '@overture/testing/templates/hostile-templates.ts'
import { sendingAccountsRoutes } from '../sending-accounts/index.ts'
import { suppress, suppressionsRoutes } from '../suppressions/index.ts'
import { templateRoutes } from '../templates/index.ts'
import { campaignRoutes, markSuppressedLeads, releaseSuppressedLeads } from './index.ts'

let server: TestServer
let senderId: string

const noAi = () => Promise.resolve({ missingPresetIds: [], creditsMissing: false })

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      ...campaignRoutes({ renderer: testRenderer, checkAi: noAi }),
      ...sendingAccountsRoutes(),
      ...templateRoutes(testRenderer),
      ...suppressionsRoutes({ added: markSuppressedLeads, lifted: releaseSuppressedLeads }),
    ],
  })
  senderId = (await post('/v2/sending-accounts', { email: 'ada@sender.test', fromName: 'Ada', provider: 'sandbox' }))
    .body.id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const post = (path: string, body?: unknown) => call('POST', path, body)

const steps = [
  { variants: [{ subject: 'Hello {{ firstName | default: "there" }}', body: 'Hi' }] },
  { waitBefore: { value: 2, unit: 'days' }, variants: [{ body: 'Still there?' }] },
]

async function newCampaign(fields: Record<string, unknown> = {}) {
  const answer = await post('/v2/campaigns', { name: 'One', steps, sendingAccountIds: [senderId], ...fields })
  expect(answer.status).toBe(201)
  return answer.body
}

describe('a campaign', () => {
  test('needs only a name, and is a draft with defaults', async () => {
    const { status, body } = await post('/v2/campaigns/', { name: 'Bare' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'draft',
      statusReason: null,
      steps: [],
      sendingAccountIds: [],
      leadCount: 0,
      launchedAt: null,
      completedAt: null,
      schedule: {
        windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
        startDate: null,
      },
      settings: {
        stopOnReply: true,
        openTracking: false,
        bounceProtection: { enabled: true, maxBounceRate: 0.05, minSent: 50 },
      },
    })
  })

  test('can be read, edited and sent back completely with the same ids', async () => {
    const made = await newCampaign()
    const read = (await call('GET', `/v2/campaigns/${made.id}`)).body
    expect(read).toEqual(made)
    const put = await call('PUT', `/v2/campaigns/${made.id}`, { ...read, name: 'Two' })
    expect(put.status).toBe(200)
    expect(put.body).toEqual({ ...made, name: 'Two', updatedAt: put.body.updatedAt })
  })

  test('an update of an outdated state is refused, even while the clock is frozen', async () => {
    const made = await newCampaign()
    await server.app.db.execute(
      `insert into sandbox_clocks (account_id, frozen_at) values ($1, now())
       on conflict (account_id) do update set frozen_at = excluded.frozen_at`,
      [server.tenant.accountId],
    )
    const path = `/v2/campaigns/${made.id}`
    const first = await call('PUT', path, { ...made, name: 'First' })
    const second = await call('PUT', path, { ...first.body, name: 'Second' })
    expect([first.status, second.status]).toEqual([200, 200])
    for (const stale of [made, first.body]) {
      const refused = await call('PUT', path, { updatedAt: stale.updatedAt, name: 'Lost' })
      expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'updatedAt'])
    }
    await server.app.db.execute(`delete from sandbox_clocks where account_id = $1`, [server.tenant.accountId])
  })

  test('merges schedule and settings one level deep and keeps other fields', async () => {
    const made = await newCampaign({ settings: { dailyLimit: 5 } })
    const { body } = await call('PUT', `/v2/campaigns/${made.id}`, {
      settings: { textOnly: true },
      schedule: { timezone: 'Europe/Paris' },
    })
    expect(body.settings).toMatchObject({ dailyLimit: 5, textOnly: true })
    expect(body.schedule).toEqual({ ...made.schedule, timezone: 'Europe/Paris' })
  })

  test('reports every problem with its path in one response', async () => {
    const { status, body } = await post('/v2/campaigns', {
      name: '',
      nonsense: 1,
      schedule: { timezone: 'Mars/Base' },
      steps: [{ variants: [{ subject: 'a\nb', body: 'x' }] }],
    })
    expect(status).toBe(400)
    const paths = body.error.details.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toEqual(
      expect.arrayContaining(['name', 'nonsense', 'schedule.timezone', 'steps[0].variants[0].subject']),
    )
  })

  test.each([
    [
      'a template that does not parse',
      [{ variants: [{ subject: 'x', body: '{{ firstName' }] }],
      'steps[0].variants[0].body',
    ],
    [
      'a subject inside a thread',
      [steps[0], { variants: [{ subject: 'y', body: 'x' }] }],
      'steps[1].variants[0].subject',
    ],
    ['a wait before step 1', [{ ...steps[0], waitBefore: { value: 1, unit: 'days' } }], 'steps[0].waitBefore.value'],
    ['no variant that is enabled', [{ variants: [{ subject: 'x', body: 'y', enabled: false }] }], 'steps[0].variants'],
  ])('refuses %s', async (_name, wrong, path) => {
    const { status, body } = await post('/v2/campaigns', { name: 'x', steps: wrong })
    expect(status).toBe(400)
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test.each(Object.entries(hostileTemplates))('refuses a text with %s by its path', async (_name, texts) => {
    const made = await newCampaign()
    for (const body of fc.sample(texts, 2)) {
      const wrong = [steps[0], { variants: [{ body: 'Fine' }, { body }] }]
      for (const [method, path, fields] of [
        ['POST', '/v2/campaigns', { name: 'x' }],
        ['POST', '/v2/campaigns/launch', { name: 'x', sendingAccountIds: [senderId], leads: [] }],
        ['PUT', `/v2/campaigns/${made.id}`, {}],
      ] as const) {
        const answer = await call(method, path, { ...fields, steps: wrong })
        expect(answer.status, answer.text.slice(0, 300)).toBe(400)
        expect(answer.body.error.details.issues).toMatchObject([
          { path: 'steps[1].variants[1].body', rule: 'template' },
        ])
      }
    }
  })

  test('checks each text once, and refuses by path the texts for which no time is left', async () => {
    // Each endless text takes all the time that one text gets, on any machine. Twelve of them take more than a request gets.
    const stepOf = (body: string) => ({ variants: [{ body }] })
    const first = { variants: [{ subject: 'Hello', body: 'Known' }] }
    const [body = ''] = fc.sample(endlessTemplates, 1)
    const endless = Array.from({ length: 12 }, (_step, at) => stepOf(`${at}${body}`))
    const fine = await post('/v2/campaigns', { name: 'x', steps: [first] })
    expect(fine.status, fine.text.slice(0, 300)).toBe(201)
    const many = [first, ...endless, stepOf('Not reached')]
    const answer = await post('/v2/campaigns/launch', { name: 'x', steps: many, sendingAccountIds: [senderId] })
    expect(answer.status).toBe(400)
    const issues: { path: string; message: string }[] = answer.body.error.details.issues
    const messageOf = new Map(issues.map(({ path, message }) => [path, message]))
    expect(messageOf.get('steps[1].variants[0].body')).toBe('The template takes too long to check. Shorten it.')
    expect(messageOf.get('steps[13].variants[0].body')).toContain('The template was not checked')
    expect(messageOf.has('steps[0].variants[0].body')).toBe(false)
  })

  test("refuses a stored template that fails today's checks", async () => {
    const { id } = (await post('/v2/templates', { name: 'Old', subject: 'Hello', body: 'Hi' })).body
    const [body = ''] = fc.sample(endlessTemplates, 1)
    await server.app.db.execute('update templates set body = $2 where id = $1', [id, body])
    const answer = await post('/v2/campaigns', { name: 'x', steps: [{ variants: [{ templateId: id }] }] })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues).toMatchObject([{ path: 'steps[0].variants[0].body', rule: 'template' }])
  })

  test('refuses a changed read-only field by name and changes nothing', async () => {
    const made = await newCampaign()
    const put = await call('PUT', `/v2/campaigns/${made.id}`, { name: 'New', status: 'active' })
    expect(put.status).toBe(400)
    expect(put.body.error.details.issues[0].path).toBe('status')
    expect((await call('GET', `/v2/campaigns/${made.id}`)).body.name).toBe('One')
  })

  test('of another account or environment returns the same 404 as an unknown one', async () => {
    const made = await newCampaign()
    const missing = await server.call('GET', '/v2/campaigns/cmp_nothing', { key: server.keys.test })
    for (const key of [server.keys.live, server.other.keys.test]) {
      const other = await server.call('GET', `/v2/campaigns/${made.id}`, { key })
      expect(other.status).toBe(404)
      expect({ ...other.body.error, request_id: '' }).toEqual({ ...missing.body.error, request_id: '' })
    }
  })
})

describe('actions of a campaign', () => {
  test('follow the status table; any other is 409 with the allowed actions', async () => {
    const { id } = await newCampaign()
    const act = (action: string) => post(`/v2/campaigns/${id}/${action}`)
    expect((await act('resume')).body.error.details).toEqual({
      currentStatus: 'draft',
      allowedActions: ['start', 'launch', 'delete'],
    })
    expect((await act('start')).body).toMatchObject({ status: 'active', launchedAt: expect.any(String) })
    expect((await act('start')).status).toBe(409)
    expect((await call('DELETE', `/v2/campaigns/${id}`)).status).toBe(409)
    expect((await act('pause')).body).toMatchObject({ status: 'paused', statusReason: 'user' })
    expect((await act('pause')).status).toBe(409)
    expect((await act('resume')).body).toMatchObject({ status: 'active', statusReason: null })
    await act('pause')
    expect((await call('DELETE', `/v2/campaigns/${id}`)).body).toEqual({ id, deleted: true })
    expect((await call('GET', `/v2/campaigns/${id}`)).status).toBe(404)
  })

  test('a start before the start date makes it scheduled', async () => {
    const { id } = await newCampaign({ schedule: { startDate: '2099-01-05' } })
    expect((await post(`/v2/campaigns/${id}/start`)).body.status).toBe('scheduled')
  })

  test('a refused start lists every blocker', async () => {
    const { id } = (await post('/v2/campaigns', { name: 'x', schedule: { windows: [] } })).body
    const { status, body } = await post(`/v2/campaigns/${id}/start`)
    expect(status).toBe(409)
    expect(body.error.details.blockers.map((blocker: { code: string }) => blocker.code)).toEqual([
      'no_steps',
      'no_sending_accounts',
      'schedule_never_opens',
    ])
  })

  test('texts may change while it runs, the step structure may not', async () => {
    const made = await newCampaign()
    const { body: running } = await post(`/v2/campaigns/${made.id}/start`)
    const reworded = running.steps.map((step: { variants: object[] }) => ({
      ...step,
      variants: step.variants.map((variant) => ({ ...variant, body: 'Reworded' })),
    }))
    expect((await call('PUT', `/v2/campaigns/${made.id}`, { ...running, steps: reworded })).status).toBe(200)
    const shorter = await call('PUT', `/v2/campaigns/${made.id}`, { steps: reworded.slice(0, 1) })
    expect(shorter.status).toBe(409)
    expect(shorter.body.error.details.fields).toEqual(['steps'])
  })

  test('launch creates everything or nothing', async () => {
    const leads = [{ email: 'Ada@Prospects.test', firstName: 'Ada' }, { email: 'ada@prospects.test' }]
    const { status, body } = await post('/v2/campaigns/launch', {
      name: 'L',
      steps,
      sendingAccountIds: [senderId],
      leads,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'active', leadCount: 1, leadResults: { added: 1, skipped: 1 } })
    expect(body.leadResults.results[1]).toMatchObject({ outcome: 'skipped', reason: 'duplicate' })
    const before = (await call('GET', '/v2/campaigns')).body.pagination.totalCount
    const bad = await post('/v2/campaigns/launch', {
      name: 'L',
      steps,
      sendingAccountIds: [senderId],
      leads: [{ email: 'nope' }],
    })
    expect(bad.status).toBe(400)
    expect(bad.body.error.details.issues[0].path).toBe('leads[0].email')
    expect((await post('/v2/campaigns/launch', { name: 'L', leads })).status).toBe(409)
    expect((await call('GET', '/v2/campaigns')).body.pagination.totalCount).toBe(before)
  })

  test('bulk delete reports the outcome of every id', async () => {
    const draft = await newCampaign()
    const running = await newCampaign()
    await post(`/v2/campaigns/${running.id}/start`)
    const { body } = await post('/v2/campaigns/bulk-delete', { ids: [draft.id, running.id, 'cmp_nothing'] })
    expect(body.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'deleted',
      'conflict',
      'not_found',
    ])
  })

  test('bulk delete accepts ids of any form and reports invalid ones as not found', async () => {
    const draft = await newCampaign()
    const ids = [7, null, { id: 'x' }, ['y'], '', 'a\0b', 'x'.repeat(3000), draft.id]
    const { status, body } = await post('/v2/campaigns/bulk-delete', { ids })
    expect([status, body.results.map((result: { outcome: string }) => result.outcome)]).toEqual([
      200,
      [...Array<string>(7).fill('not_found'), 'deleted'],
    ])
    expect(body.results.slice(0, 4).map((result: { id: string }) => result.id)).toEqual([
      '7',
      'null',
      '{"id":"x"}',
      '["y"]',
    ])
  })
})

describe('leads', () => {
  test('are added individually, each with its outcome', async () => {
    const { id } = await newCampaign()
    await server.app.db.transaction((tx) =>
      suppress(tx, server.testTenant, {
        email: 'no@prospects.test',
        source: 'manual',
        reason: null,
        secrets: server.app.secrets,
        now: server.app.clock.now(),
      }),
    )
    const { status, body } = await post(`/v2/campaigns/${id}/leads`, {
      leads: [
        { email: ' Bob@Prospects.TEST ', customVariables: { seats: 3, vip: true } },
        { email: 'nope' },
        { email: 'x@y.test', firstname: 'wrong' },
        { email: 'no@prospects.test' },
        { email: 'bob@prospects.test' },
      ],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ added: 1, updated: 0, skipped: 2, invalid: 2 })
    expect(body.results.map((r: { outcome: string; reason: string }) => [r.outcome, r.reason])).toEqual([
      ['added', null],
      ['invalid', 'invalid_email'],
      ['invalid', 'invalid_field'],
      ['skipped', 'suppressed'],
      ['skipped', 'duplicate'],
    ])
    const lead = (await call('GET', `/v2/campaigns/${id}/leads`)).body.results[0]
    expect(lead).toMatchObject({
      email: 'bob@prospects.test',
      status: 'pending',
      customVariables: { seats: 3, vip: true },
      blockedReason: 'campaign_not_active',
    })
    expect((await call('GET', `/v2/campaigns/${id}`)).body.leadCount).toBe(1)
  })

  test('a people-search result can be posted unchanged with an email', async () => {
    const { id } = await newCampaign()
    const result = {
      personId: 'per_1',
      firstName: 'A',
      lastName: 'B',
      jobTitle: 'VP',
      seniority: 'vp',
      linkedinUrl: 'https://l.test/a',
      country: 'France',
      city: 'Paris',
      company: 'Acme',
      companyInfo: {
        name: 'Acme',
        domain: 'acme.test',
        website: 'https://acme.test',
        logoUrl: null,
        industry: 'x',
        employeeCount: 5,
        employeeRange: '1-10',
        country: 'France',
        city: 'Paris',
      },
      emailMasked: 'a*****@acme.test',
      mobileMasked: '',
      email: 'a@acme.test',
    }
    expect((await post(`/v2/campaigns/${id}/leads`, { leads: [result] })).body.added).toBe(1)
    const [lead] = (await call('GET', `/v2/campaigns/${id}/leads`)).body.results
    expect(lead).toMatchObject({ company: 'Acme', companyDomain: 'acme.test', personId: 'per_1' })
    expect(JSON.stringify(lead)).not.toContain('*****')
  })

  test('keep basis, source, note and consent, also in a copy, and refuse other values', async () => {
    const { id } = await newCampaign()
    const record = {
      lawfulBasis: 'legitimate_interests',
      dataSource: 'Trade register',
      basisNote: 'Assessment 12',
      trackingConsent: false,
    }
    const leads = [
      { email: 'based@acme.test', ...record },
      { email: 'free@acme.test', lawfulBasis: 'because' },
      { email: 'maybe@acme.test', trackingConsent: 'maybe' },
    ]
    const { results } = (await post(`/v2/campaigns/${id}/leads`, { leads })).body
    expect(results).toMatchObject([
      { outcome: 'added' },
      { reason: 'invalid_field', field: 'lawfulBasis' },
      { reason: 'invalid_field', field: 'trackingConsent' },
    ])
    const path = `/v2/campaigns/${id}/leads/${results[0].leadId}`
    expect((await call('GET', path)).body).toMatchObject(record)
    const copy = (await post(`/v2/campaigns/${id}/copy`, { withLeads: true })).body
    expect((await call('GET', `/v2/campaigns/${copy.id}/leads`)).body.results).toMatchObject([record])
    const refused = await call('PUT', path, { lawfulBasis: 'because' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('lawfulBasis')])
    const changes = { lawfulBasis: 'consent', basisNote: null, trackingConsent: true }
    expect((await call('PUT', path, changes)).body).toMatchObject({ ...record, ...changes })
  })

  test('a cursor walk returns every lead once, in order', async () => {
    const { id } = await newCampaign()
    const leads = Array.from({ length: 57 }, (_item, index) => ({ email: `lead${index}@prospects.test` }))
    await post(`/v2/campaigns/${id}/leads`, { leads })
    const met: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await call('GET', `/v2/campaigns/${id}/leads?limit=10${cursor}`)
      met.push(...body.results.map((lead: { email: string }) => lead.email))
      expect(body.pagination).toMatchObject({ totalCount: 57, totalPages: 6 })
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(met).toEqual(leads.map((lead) => lead.email))
  })

  test('change status only by allowed transitions', async () => {
    const { id } = await newCampaign()
    const leadId = (await post(`/v2/campaigns/${id}/leads`, { leads: [{ email: 'm@prospects.test' }] })).body.results[0]
      .leadId
    const put = (body: unknown) => call('PUT', `/v2/campaigns/${id}/leads/${leadId}`, body)
    expect((await put({ status: 'active' })).status).toBe(409)
    expect((await put({ status: 'paused' })).body.status).toBe('paused')
    expect((await put({ status: 'active' })).body.status).toBe('pending')
    expect((await put({ interest: 'interested', city: 'Rome' })).body).toMatchObject({
      interest: 'interested',
      city: 'Rome',
    })
    expect((await put({ status: 'stopped' })).body).toMatchObject({
      status: 'stopped',
      stoppedBy: { rule: 'user', leadId: null },
    })
    expect((await put({ openCount: 5 })).body.error.details.issues[0].path).toBe('openCount')
    expect((await put({ email: 'other@prospects.test' })).status).toBe(400)
  })
})

test('invalid items are reported one by one, and valid ones are added', async () => {
  const { id } = await newCampaign()
  const leads = [
    null,
    'x',
    { email: 'nul\0@one.test' },
    { email: 'b@one.test', city: '\ud800' },
    { email: 'c@one.test' },
  ]
  const { status, body } = await post(`/v2/campaigns/${id}/leads`, { leads })
  expect(status).toBe(200)
  expect(body.results.map((result: { reason: string | null }) => result.reason)).toEqual([
    'invalid_field',
    'invalid_field',
    'invalid_email',
    'invalid_field',
    null,
  ])
})

test('a suppression holds open leads at once, and lifting it releases them', async () => {
  const { id } = await newCampaign()
  await post(`/v2/campaigns/${id}/leads`, { leads: [{ email: 'ada@lifted.test' }, { email: 'ada@other.test' }] })
  expect((await post(`/v2/campaigns/${id}/start`)).status).toBe(200)
  const suppressed = async () =>
    (await call('GET', `/v2/campaigns/${id}/leads?blockedReason=suppressed`)).body.results.map(
      (lead: { email: string }) => lead.email,
    )
  // An address at a subdomain is not covered by the suppressed domain.
  await post(`/v2/campaigns/${id}/leads`, { leads: [{ email: 'bob@mail.lifted.test' }] })
  // A lead that waits for a value must be suppressed as well.
  await server.app.db.execute(
    `update lead_progress p set blocked_reason = 'missing_variable', attempt_at = null from lead_profiles l
     where p.account_id = $3 and l.account_id = $3 and p.campaign_id = $1 and l.campaign_id = $1 and l.id = p.lead_id
       and l.email = $2`,
    [id, 'ada@lifted.test', server.tenant.accountId],
  )
  const { body } = await post('/v2/suppressions', { domain: 'lifted.test' })
  expect(await suppressed()).toEqual(['ada@lifted.test'])
  expect((await call('DELETE', `/v2/suppressions/${body.id}`)).status).toBe(200)
  expect(await suppressed()).toEqual([])
})

test.each([
  ['keeps its wait', (all: object[]) => all.slice(1), 2],
  ['waits as long as the step it replaces', () => [{ variants: [{ subject: 'New', body: 'New' }] }], 2],
])('for contacted leads, a step that becomes the first %s', async (_, change, days) => {
  const campaign = await newCampaign()
  await post(`/v2/campaigns/${campaign.id}/leads`, { leads: [{ email: 'ada@first.test' }] })
  const contacted = '2026-11-20T10:00:00.000Z'
  await server.app.db.execute(
    `update lead_progress set status = 'active', current_step = 1, last_contacted_at = $2 where campaign_id = $1`,
    [campaign.id, contacted],
  )
  const sent = change(campaign.steps.map((step: object) => ({ ...step, waitBefore: undefined, sameThread: undefined })))
  const first = { ...sent[0], waitBefore: { value: 0, unit: 'days' }, sameThread: false }
  const variants = [{ subject: 'Now the first', body: 'Hi' }]
  const { status } = await call('PUT', `/v2/campaigns/${campaign.id}`, { steps: [{ ...first, variants }] })
  expect(status).toBe(200)
  const rows = await server.app.db.query<{ currentStep: number; dueAt: Date }>(
    'select current_step, due_at from leads where campaign_id = $1',
    [campaign.id],
  )
  expect(rows).toEqual([{ currentStep: 0, dueAt: new Date(Date.parse(contacted) + days * 86_400_000) }])
})
