import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'

let server: RunningProduct
beforeAll(async () => {
  server = await startRunningServer()
})
afterAll(() => server.stop())

async function launch(aiApproval: string, count = 2) {
  const sender = await server.test('POST', '/v2/sending-accounts', {
    email: `sender${count}.${aiApproval}@sender.example.com`,
    fromName: 'Ada',
    provider: 'sandbox',
  })
  const preset = await server.test('POST', '/v2/campaigns/ai-prompts', {
    name: 'P',
    prompt: 'Write about a demo to {{ firstName }}.',
  })
  const ai = { presetId: preset.body.id, modelId: 'builtin/drafter' }
  const launched = await server.test('POST', '/v2/campaigns/launch', {
    name: aiApproval,
    sendingAccountIds: [sender.body.id],
    settings: { aiApproval },
    steps: [{ variants: [{ ai }] }],
    leads: Array.from({ length: count }, (_, index) => ({
      email: `p${index}@prospects.test`,
      firstName: ['One', 'Two'][index] ?? `Number${index}`,
    })),
  })
  expect(launched.status).toBe(201)
  return launched.body.id as string
}

const advance = async (by: string) => {
  const { status, body: told } = await server.test('POST', '/v2/sandbox/clock/advance', { by })
  expect([status, told]).toEqual([200, told])
}
const leadsOf = async (id: string) => (await server.test('GET', `/v2/campaigns/${id}/leads`)).body.results

test('an AI step is written for each lead and sent unchanged', async () => {
  const id = await launch('none')
  await advance('3d')
  const leads = await leadsOf(id)
  expect(leads.map((lead: { status: string }) => lead.status)).toEqual(['completed', 'completed'])
  const thread = await server.test('GET', `/v2/campaigns/${id}/leads/${leads[0].id}/thread`)
  const written = await server.test('GET', `/v2/campaigns/${id}/approvals?status=approved`)
  const own = written.body.results.find((text: { leadId: string }) => text.leadId === leads[0].id)
  expect(thread.body.messages[0].subject).toBe(own.subject)
  expect(thread.body.messages[0].text.replace(/\s+/g, ' ')).toContain('Hi One,')
})

test('with approval nothing is sent without it, edits are sent, and a refusal stops the lead', async () => {
  const id = await launch('all')
  await advance('3d')
  const leads = await leadsOf(id)
  expect(leads.map((lead: { blockedReason: string }) => lead.blockedReason)).toEqual([
    'awaiting_approval',
    'awaiting_approval',
  ])
  const waiting = (await server.test('GET', `/v2/campaigns/${id}/approvals`)).body.results
  expect(waiting).toHaveLength(2)
  const path = (leadId: string) =>
    `/v2/campaigns/${id}/approvals/${waiting.find((text: { leadId: string }) => text.leadId === leadId).id}`
  for (const [field, text] of [
    ['body', 'Hi {{ nope }}'],
    ['body', 'Hi [First Name], shall we talk?'],
    ['body', 'Read <a href="https://x.example">this</a>.'],
    ['subject', 'An idea for {company}'],
    ['subject', 'Re: our talk'],
    ['subject', ' '],
  ] as const) {
    const refused = await server.test('PUT', path(leads[0].id), { [field]: text })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, field])
  }
  // An edit without changes doesn't mark the text as edited.
  expect((await server.test('PUT', path(leads[0].id), {})).body).toMatchObject({ edited: false, status: 'waiting' })
  expect((await server.test('PUT', path(leads[0].id), { subject: 'Mine', body: 'My own words.' })).body).toMatchObject({
    edited: true,
    status: 'waiting',
  })
  const [step] = (await server.test('GET', `/v2/campaigns/${id}`)).body.steps
  const preview = (leadId: string, more: object = {}) =>
    server.test('POST', `/v2/campaigns/${id}/preview`, { leadId, ...more })
  for (const more of [{}, { stepId: step.id, variantId: step.variants[0].id }]) {
    const { status, body } = await preview(leads[0].id, more)
    expect([status, body.subject, body.text]).toEqual([200, 'Mine', expect.stringContaining('My own words.')])
  }
  // The digest from before the edit doesn't approve the new text.
  const read = waiting.find((text: { leadId: string }) => text.leadId === leads[0].id)
  const { textDigest } = read as { textDigest: string }
  expect((await server.test('POST', `${path(leads[0].id)}/approve`, { textDigest })).status).toBe(409)
  const { results } = (await server.test('GET', `/v2/campaigns/${id}/approvals`)).body
  const edited = results.find((text: { leadId: string }) => text.leadId === leads[0].id)
  const approved = await server.test('POST', `${path(leads[0].id)}/approve`, { textDigest: edited.textDigest })
  expect([approved.status, approved.body.status]).toEqual([200, 'approved'])
  expect((await server.test('POST', `${path(leads[1].id)}/reject`)).body.status).toBe('rejected')
  expect((await server.test('POST', `${path(leads[1].id)}/approve`)).status).toBe(409)
  expect((await preview(leads[1].id)).status).toBe(409)
  expect((await preview(leads[1].id, { variantId: 'var_none' })).status).toBe(404)
  await advance('3d')
  const after = await leadsOf(id)
  expect(after.map((lead: { status: string }) => lead.status)).toEqual(['completed', 'stopped'])
  const thread = await server.test('GET', `/v2/campaigns/${id}/leads/${leads[0].id}/thread`)
  expect(thread.body.messages[0]).toMatchObject({ subject: 'Mine', text: expect.stringContaining('My own words.') })
})

test('of texts written at the same time exactly ten wait for approval', async () => {
  const id = await launch('first_n', 16)
  const count = async (status: string) =>
    (await server.test('GET', `/v2/campaigns/${id}/approvals?status=${status}&limit=100`)).body.results.length
  const counts = async () => ({ waiting: await count('waiting'), approved: await count('approved') })
  const written = await until(counts, ({ waiting, approved }) => waiting + approved === 16)
  expect(written).toEqual({ waiting: 10, approved: 6 })
  await server.test('POST', `/v2/campaigns/${id}/pause`)
  await server.test('DELETE', `/v2/campaigns/${id}`)
})

test("a preset used by a running campaign can't be deleted until the campaign is", async () => {
  const id = await launch('first_n')
  const campaign = (await server.test('GET', `/v2/campaigns/${id}`)).body
  const presetId = campaign.steps[0].variants[0].ai.presetId
  const remove = () => server.test('DELETE', `/v2/campaigns/ai-prompts/${presetId}`)
  const bulk = async (ids: string[]) =>
    (await server.test('POST', '/v2/campaigns/ai-prompts/bulk-delete', { ids })).body.results.map(
      (result: { outcome: string }) => result.outcome,
    )
  const refused = await remove()
  expect(refused.status).toBe(409)
  expect(refused.body.error.details.blockers).toEqual([
    { code: 'used_by_campaign', message: expect.stringContaining('first_n'), ref: id },
  ])
  expect(await bulk([presetId, 'prs_none'])).toEqual(['conflict', 'not_found'])
  await server.test('POST', `/v2/campaigns/${id}/pause`)
  expect((await server.test('DELETE', `/v2/campaigns/${id}`)).status).toBe(200)
  expect(await bulk([presetId, presetId])).toEqual(['deleted', 'not_found'])
})
