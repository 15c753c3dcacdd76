import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Campaign, Step, StepInput } from '@overture/contract/campaigns/campaigns.ts'
import type { CampaignDryRun, LeadPlace } from '@overture/contract/delivery/dry-run.ts'
import { Overture } from '@overture/sdk'
import { createRandom, type Random } from '@overture/testing/sandbox/random.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { dumpRowVersions } from '@overture/testing/server/row-versions.sql.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let senderId: string
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  senderId = (await ask('POST', '/v2/sending-accounts', { ...sender, dailyLimit: 5 })).id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body)
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const text = (of: number) => [{ subject: `Text ${of}`, body: 'Hello {{ firstName }}.' }]
const step = (of: number, days: number): StepInput => ({
  sameThread: false,
  waitBefore: { value: days, unit: 'days' },
  variants: text(of),
})
let count = 0
async function makeCampaign(leads: number): Promise<Campaign> {
  const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const campaign: Campaign = await ask('POST', '/v2/campaigns', {
    name: 'Edited',
    steps: [step(1, 0), step(2, 2), step(3, 3)],
    schedule: { timezone: 'UTC', windows: [{ days: everyDay, from: '00:00', to: '24:00' }] },
    sendingAccountIds: [senderId],
  })
  const people = Array.from({ length: leads }, () => ({ email: `lead${++count}@prospects.test`, firstName: 'Grace' }))
  await ask('POST', `/v2/campaigns/${campaign.id}/leads`, { leads: people })
  return campaign
}

/** The positions of a campaign's leads, relative to its current steps. */
async function placesOf({ id: campaignId, steps }: Campaign): Promise<Map<string, LeadPlace>> {
  const rows = await server.app.db.query<{ id: string; status: LeadPlace['status']; step: number; dueAt: Date | null }>(
    `select lead_id as id, status, current_step as step, due_at from lead_progress where campaign_id = $1`,
    [campaignId],
  )
  return new Map(
    rows.map(({ id, status, step: at, dueAt }) => {
      const next = ['pending', 'active', 'paused'].includes(status) ? (steps[at]?.id ?? null) : null
      return [id, { status, nextStepId: next, dueAt: next === null ? null : (dueAt?.toISOString() ?? null) }]
    }),
  )
}

/** Removes some steps, adds new ones, reorders them and changes some waits. */
function editedSteps(random: Random, steps: readonly Step[]): object[] {
  const kept: object[] = steps
    .filter(() => !random.oneIn(4))
    .map((one) => (random.oneIn(3) ? { ...one, waitBefore: { value: random.between(0, 6), unit: 'days' } } : one))
  while (kept.length === 0 || (kept.length < 6 && random.oneIn(2)))
    kept.splice(random.between(0, kept.length), 0, step(random.between(10, 99), random.between(1, 5)))
  if (random.oneIn(3)) kept.reverse()
  return kept.map((one, at) => {
    const { position: _position, ...rest } = one as Step
    return at === 0 ? { ...rest, waitBefore: { value: 0, unit: 'days' } } : rest
  })
}

const editsPerCampaign = 10
test.each(Array.from({ length: 10 }, (_, seed) => seed))(
  'a dry run predicts the result of the update, lead by lead: edits of seed %i',
  async (seed) => {
    const random = createRandom(seed)
    const { id } = await makeCampaign(12)
    const path = `/v2/campaigns/${id}`
    for (let edit = 0; edit < editsPerCampaign; edit++) {
      if (random.oneIn(2)) await ask('POST', '/v2/sandbox/clock/advance', { by: `${random.between(1, 3)}d` })
      const current: Campaign = await ask('GET', path)
      const body = { steps: editedSteps(random, current.steps) }
      // A dry run works on an active campaign, while the update itself is refused. The result must be the same once the campaign is
      // paused.
      const dryRun: CampaignDryRun = await ask('PUT', `${path}?dryRun=true`, body)
      if (current.status === 'active') await ask('POST', `${path}/pause`, {})
      const before = await placesOf(current)
      const after: Campaign = await ask('PUT', path, body)
      const now = await placesOf(after)
      expect(dryRun.campaign.steps).toEqual(after.steps)
      const sample = new Map(dryRun.effects.sample.map((one) => [one.leadId, one]))
      for (const [leadId, was] of before) {
        const one = sample.get(leadId)
        expect(one?.before ?? was).toEqual(was)
        const is = one === undefined ? was : one.after
        expect([seed, edit, is]).toEqual([seed, edit, now.get(leadId)])
      }
      expect(totals(dryRun)).toEqual(totalsOf(before, now))
      expect(dryRun.forecastAfter).toEqual(await ask('GET', `${path}/forecast`))
      if (after.status === 'paused') await ask('POST', `${path}/resume`, {})
      if (after.status === 'draft' && random.oneIn(2)) await ask('POST', `${path}/start`, {})
    }
  },
)

const totals = ({ effects: { moved, reopened, completed, rescheduled } }: CampaignDryRun) => ({
  moved: moved.reduce((sum, one) => sum + one.count, 0),
  reopened,
  completed,
  rescheduled,
})

function totalsOf(before: ReadonlyMap<string, LeadPlace>, after: ReadonlyMap<string, LeadPlace>) {
  const pairs = [...before].map(([id, was]) => [was, after.get(id)!] as const)
  const moved = pairs.filter(([was, is]) => was.nextStepId !== is.nextStepId)
  return {
    moved: moved.length,
    reopened: moved.filter(([was]) => was.status === 'completed').length,
    completed: moved.filter(([, is]) => is.nextStepId === null).length,
    rescheduled: pairs.filter(([was, is]) => was.nextStepId === is.nextStepId && was.dueAt !== is.dueAt).length,
  }
}

test('a dry run changes no row, and writes no audit entry and no event', async () => {
  const { id, steps } = await makeCampaign(8)
  const path = `/v2/campaigns/${id}`
  await ask('POST', `${path}/start`, {})
  await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  const before = await dumpRowVersions(server.app.db)
  const [first, ...rest] = steps
  const dryRun: CampaignDryRun = await ask('PUT', `${path}?dryRun=true`, {
    name: 'Other',
    settings: { dailyLimit: 1 },
    steps: [...rest.toReversed().map((one, at) => ({ ...one, waitBefore: { value: at, unit: 'days' } })), step(9, 4)],
  })
  expect(await dumpRowVersions(server.app.db)).toEqual(before)
  expect(dryRun.campaign).toMatchObject({ name: 'Other', settings: { dailyLimit: 1 } })
  expect(dryRun.campaign.steps.map((one) => one.id)).not.toContain(first!.id)
  expect(dryRun.effects.moved.length).toBeGreaterThan(0)
  expect(dryRun.forecastBefore).toEqual(await ask('GET', `${path}/forecast`))
  expect(dryRun.forecastAfter).not.toEqual(dryRun.forecastBefore)
})

test('a dry run is refused like the update', async () => {
  const { id } = await makeCampaign(1)
  const path = `/v2/campaigns/${id}`
  for (const body of [
    { steps: [{ variants: [{ subject: 'Hello', body: 'Dear {{ firstName' }] }] },
    { updatedAt: '2020-01-01T00:00:00.000Z' },
    { sendingAccountIds: ['snd_unknown'] },
    { colour: 'red' },
  ]) {
    const [tried, real] = [await call('PUT', `${path}?dryRun=true`, body), await call('PUT', path, body)]
    expect(tried.status).toBeGreaterThanOrEqual(400)
    const { request_id: _one, ...refusal } = tried.body.error
    const { request_id: _other, ...expected } = real.body.error
    expect([tried.status, refusal]).toEqual([real.status, expected])
  }
  const { headers } = await call('PUT', `${path}?dryRun=true`, {})
  expect(headers.get('content-type')).toBe('application/vnd.overture.dry-run+json; charset=utf-8')
  expect((await call('PUT', `${path}?dryRun=maybe`, {})).status).toBe(400)
  expect((await call('PUT', '/v2/campaigns/cmp_nobody?dryRun=true', {})).status).toBe(404)
  expect((await call('PUT', `${path}?dryRun=false`, { name: 'Really' })).body.name).toBe('Really')
})

test('clients have a dry-run method, and a read-only key may not use it', async () => {
  const { id } = await makeCampaign(2)
  const client = new Overture({ apiKey: server.keys.test, baseUrl: server.url })
  const { campaign, effects } = await client.campaigns.dryRun(id, { name: 'Tried', steps: [step(7, 0)] })
  expect([campaign.name, effects.moved.map((one) => one.count)]).toEqual(['Tried', [2]])
  expect((await client.campaigns.get(id)).name).toBe('Edited')
  // The served document is the one in the repository: the update has the dry run as a second response type.
  const served = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, { put: { operationId: string; responses: Record<string, { content: object }> } }>
  }
  const { operationId, responses } = served.paths['/v2/campaigns/{id}']!.put
  expect([operationId, Object.keys(responses['200']!.content)]).toEqual([
    'updateCampaign',
    ['application/json', 'application/vnd.overture.dry-run+json'],
  ])
  const { key } = await ask('POST', '/v2/account/api-keys', { name: 'Reader', scopes: ['read'] })
  expect((await server.call('PUT', `/v2/campaigns/${id}?dryRun=true`, { key, body: {} })).status).toBe(403)
})
