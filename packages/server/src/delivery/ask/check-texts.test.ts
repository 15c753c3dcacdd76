import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let campaign: { id: string; steps: { id: string; variants: { subject: string; body: string }[] }[] }
let leadIds: string[]

const first = {
  subject: 'A question, {{ firstName | default: "you" }}',
  body: '<p>{{ "Hi|Hello" | spin }} {{ firstName }}</p>',
}
const second = { subject: '', body: 'Again, {{ customVariables.plan }}: {{ unsubscribeUrl }} {{ sender.fromName }}' }
const people = [
  { email: 'a@prospects.test', firstName: 'Ada', company: 'ACME', customVariables: { plan: 'pro' } },
  { email: 'b@prospects.test', firstName: '  ', company: 'Beta' },
  { email: 'c@prospects.test', customVariables: { plan: 7 } },
  { email: 'd@prospects.test', firstName: 'Dan', customVariables: { plan: '', size: true } },
]

beforeAll(async () => {
  server = await startWholeServer()
  const sender = { email: 'sender@example.com', fromName: 'Grace', provider: 'sandbox', signature: 'Grace, ACME' }
  const senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  const steps = [{ variants: [first] }, { waitBefore: { value: 1, unit: 'days' }, variants: [second] }]
  const body = { name: 'One', sendingAccountIds: [senderId], steps, settings: { openTracking: true } }
  campaign = (await call('POST', '/v2/campaigns', body)).body
  const added = (await call('POST', `/v2/campaigns/${campaign.id}/leads`, { leads: people })).body
  leadIds = added.results.map(({ leadId }: { leadId: string }) => leadId)
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })
const check = (body: object, key = server.keys.test) => call('POST', '/v2/templates/check', body, key)

describe('checking a text', () => {
  test.each([
    ['a variable that is not closed', { body: 'Hello\n  {{ firstName' }, [{ field: 'body', line: 2, column: 3 }]],
    ['a tag that is not closed', { subject: '{% if firstName %}x' }, [{ field: 'subject', line: 1, column: 1 }]],
    [
      'both',
      { subject: '{{ a', body: '\n\n{% nope %}' },
      [{ field: 'subject' }, { field: 'body', line: 3, column: 1 }],
    ],
    ['an unknown filter', { body: 'Hello {{ firstName | nope }}' }, [{ field: 'body' }]],
    ['nothing', {}, []],
  ])('reports %s with its place', async (_, text, issues) => {
    const { status, body } = await check({ ...text, campaignId: campaign.id, leadIds })
    expect([status, body.issues.length]).toEqual([200, issues.length])
    expect(body.issues).toMatchObject(issues)
    for (const { message } of body.issues) expect(message).not.toMatch(/line:/)
    if (issues.length > 0) expect(body.previews).toEqual([])
  })

  test('shows the text as it would be sent', async () => {
    const [one, two] = campaign.steps
    for (const [step, text, ids] of [
      [one, first, [leadIds[0]]],
      [two, second, [leadIds[0], leadIds[2]]],
    ] as const) {
      const { body } = await check({ ...text, campaignId: campaign.id, stepId: step?.id, leadIds: ids })
      for (const [at, leadId] of ids.entries()) {
        const sent = (await call('POST', `/v2/campaigns/${campaign.id}/preview`, { leadId, stepId: step?.id })).body
        const { subject, text: plain, html } = sent
        expect(body.previews[at]).toEqual({ leadId, subject, text: plain, html, missing: [], problem: null })
      }
    }
  })

  test('lists missing variables per lead, with how many leads lack each', async () => {
    const texts = {
      subject: '{{ firstName }} {{ nope }}',
      body: '{{ company | default: "you" }} {{ customVariables.plan }} {% if city %}{{ city }}{% endif %} {{ meetingUrl }}',
    }
    const { body } = await check({ ...texts, campaignId: campaign.id, leadIds })
    expect(Object.fromEntries(body.variables.map((one: { name: string }) => [one.name, one]))).toEqual({
      firstName: { name: 'firstName', missing: 2, of: 4 },
      nope: { name: 'nope', missing: 4, of: 4 },
      company: { name: 'company', missing: 0, of: 4 },
      'customVariables.plan': { name: 'customVariables.plan', missing: 2, of: 4 },
      city: { name: 'city', missing: 0, of: 4 },
    })
    for (const { name, missing } of body.variables) {
      const lacking = body.previews.filter((preview: { missing: string[] }) => preview.missing.includes(name))
      expect([name, lacking.length]).toEqual([name, missing])
    }
    expect(body.previews[0]).toMatchObject({
      subject: null,
      text: null,
      html: null,
      problem: expect.stringMatching(/nope/),
    })
  })

  test('counts what leads lack as their previews do, however a name is written', async () => {
    const written = [
      'Plan',
      'PLAN',
      'customVariables.plan',
      'customVariables.Plan',
      'First_Name',
      'Size',
      'SIZE',
      'Job_Title',
    ]
    for (const name of written) {
      const { body } = await check({ body: `{{ ${name} }}`, campaignId: campaign.id, leadIds })
      const lacking = body.previews.filter((preview: { missing: string[] }) => preview.missing.length > 0)
      expect([name, body.variables[0].missing]).toEqual([name, lacking.length])
    }
    const { body } = await check({
      body: '{{ Plan }} {{ FIRST_NAME }}',
      campaignId: campaign.id,
      leadIds: leadIds.slice(0, 2),
    })
    expect(body.variables).toEqual([
      { name: 'Plan', missing: 2, of: 4 },
      { name: 'firstName', missing: 2, of: 4 },
    ])
    expect(body.previews[0].text).toMatch(/^pro Ada/)
    expect(body.previews[1].missing).toEqual(['Plan', 'firstName'])
  })

  test('finds the same missing variables as the launch review', async () => {
    const variants = [{ subject: 'For {{ PLAN }}', body: 'Hi {{ first_name }}\n{Cheers|Best}' }]
    const copied = (await call('POST', '/v2/campaigns', { name: 'Review', steps: [{ variants }] })).body
    await call('POST', `/v2/campaigns/${copied.id}/leads`, { leads: people })
    const { warnings } = (await call('GET', `/v2/campaigns/${copied.id}/preflight`)).body
    const missing = warnings.filter(({ code }: { code: string }) => code === 'missing_variable')
    expect(missing).toMatchObject([
      { ref: 'PLAN', count: 2 },
      { ref: 'firstName', count: 2 },
    ])
    const spelled = warnings.filter(({ code }: { code: string }) => code === 'other_spelling')
    expect(spelled).toMatchObject([{ ref: copied.steps[0].id, count: null }])
    expect(spelled[0].message).toMatch(/^Step 1: \{Cheers\|Best\} is sent unchanged\./)
  })

  test.each([
    ['Hi {{ frstName }}', 'unknown_variable', 'firstName', 'Hi {{ firstName }}'],
    ['Hi {{ plann | default: "x" }}', 'unknown_variable', 'plan', 'Hi {{ plan | default: "x" }}'],
    ['Hi {{firstName|there}}', 'other_spelling', null, 'Hi {{ firstName | default: "there" }}'],
    ['Hi {first_name} {Plan}', 'other_spelling', null, 'Hi {{ firstName }} {{ plan }}'],
    ['{Cheers|Best}, {{ firstName }}', 'other_spelling', null, '{{ "Cheers|Best" | spin }}, {{ firstName }}'],
  ])('proposes a text for %s', async (text, code, meant, ours) => {
    const { body } = await check({ body: text, campaignId: campaign.id })
    const hints = body.hints.filter((hint: { code: string }) => hint.code === code)
    const apply = (changed: string, { at, replacement }: { at: [number, number]; replacement: string }) =>
      changed.slice(0, at[0]) + replacement + changed.slice(at[1])
    expect(hints.toReversed().reduce(apply, text)).toBe(ours)
    if (meant !== null) expect(hints[0].message).toContain(`Did you mean ${meant}?`)
    expect((await check({ body: ours, campaignId: campaign.id })).body.issues).toEqual([])
  })

  test('knows unknown names also before the first lead, and without a campaign', async () => {
    const empty = (await call('POST', '/v2/campaigns', { name: 'Empty' })).body.id
    const unknown = async (asked: object) =>
      (await check({ body: '{{ first_nam }} {{ Tea }} {{ Plan }}', ...asked })).body.hints
        .filter(({ code }: { code: string }) => code === 'unknown_variable')
        .map(({ message, at }: { message: string; at: unknown }) => [message, at])
    const likely = ['There is no field first_nam. Did you mean firstName?', [3, 12]]
    const advice = 'Import a column with this name first.'
    expect(await unknown({})).toEqual([likely])
    expect(await unknown({ campaignId: empty })).toEqual([
      likely,
      [`There is no field Tea. ${advice}`, [19, 22]],
      [`There is no field Plan. ${advice}`, [29, 33]],
    ])
    expect(await unknown({ campaignId: campaign.id })).toEqual([
      ['No lead has a value for first_nam. Did you mean firstName?', [3, 12]],
      [`No lead has a value for Tea. ${advice}`, [19, 22]],
    ])
  })

  test('ignores ended leads when it counts missing variables', async () => {
    await call('PUT', `/v2/campaigns/${campaign.id}/leads/${leadIds[1]}`, { status: 'stopped' })
    const { body } = await check({ body: '{{ firstName }}', campaignId: campaign.id })
    expect(body.variables).toEqual([{ name: 'firstName', missing: 1, of: 3 }])
  })

  test('without a campaign shows previews for any leads, and hints', async () => {
    const { body } = await check({ subject: 'Re: free', body: 'Hello {{ firstName }}', leadIds: [leadIds[0]] })
    expect(body.previews[0].text).toMatch(/^Hello Ada\n/)
    expect(body.hints.map(({ code }: { code: string }) => code)).toEqual(['false_re', 'spam_word'])
  })
})

test('returns 404 for campaigns, steps and leads that are not in the account', async () => {
  const other = server.other.keys.test
  expect((await check({ campaignId: campaign.id }, other)).status).toBe(404)
  expect((await check({ campaignId: campaign.id, stepId: 'stp_nothing' })).status).toBe(404)
  expect((await check({ stepId: campaign.steps[0]?.id })).status).toBe(404)
  const elsewhere = (await call('POST', '/v2/campaigns', { name: 'Two' })).body.id
  for (const [body, key] of [
    [{ leadIds }, other],
    [{ leadIds, campaignId: elsewhere }, server.keys.test],
    [{ leadIds: ['led_nothing', '', ' '] }, server.keys.test],
  ] as const)
    for (const preview of (await check({ body: 'Hi', ...body }, key)).body.previews)
      expect(preview).toMatchObject({ text: null, problem: 'Not found.' })
})

test('a text that takes too long to render is one quick issue', async () => {
  const { status, body } = await check({
    body: '{% for a in (1..900) %}{% for b in (1..900) %}x{% endfor %}{% endfor %}',
  })
  expect([status, body.issues.length]).toEqual([200, 1])
})
