import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Campaign, Step } from '@overture/contract/campaigns/campaigns.ts'
import { type CampaignDryRun, dryRunSampleMax } from '@overture/contract/delivery/dry-run.ts'
import type { ExplanationOutput } from '@overture/contract/delivery/explanation.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { type Draw, drawBelow, drawEdit, drawSequence, drawStep } from '@overture/testing/server/edited-sequences.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { seededRandom } from '@overture/ground/chance/seeded.ts'

/** The worlds to edit. `OVERTURE_EDIT_SEEDS` sets their number, `OVERTURE_EDIT_SEEDS_FROM` the first one. */
const seeds = Number(process.env['OVERTURE_EDIT_SEEDS'] ?? 6)
const firstSeed = Number(process.env['OVERTURE_EDIT_SEEDS_FROM'] ?? 0)
const editsPerWorld = 4
/** Small enough that a dry run's sample contains all leads. */
const leadsPerWorld = 12
const minutesPerSeed = 3

let server: TestServer
let reopened = 0
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
})
afterAll(() => server.stop())

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

type Lead = { id: string; email: string; status: string }
const leadsOf = async (campaignId: string) =>
  (await ask<{ results: Lead[] }>('GET', `/v2/campaigns/${campaignId}/leads?limit=100`)).results

/** Creates a paused campaign. Half of its leads have finished their paths. */
async function makeWorld(draw: Draw, seed: number): Promise<string> {
  const sender = await ask<{ id: string }>('POST', '/v2/sending-accounts', {
    email: `mara${seed}@sender.example.com`,
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
    dailyLimit: 3 + drawBelow(draw, 20),
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const steps = Array.from({ length: 2 + drawBelow(draw, 4) }, () => drawStep(draw))
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const { id } = await ask<Campaign>('POST', '/v2/campaigns', {
    name: `World ${seed}`,
    sendingAccountIds: [sender.id],
    schedule: { timezone: 'UTC', windows: [{ days, from: '00:00', to: '24:00' }] },
    settings: { openTracking: true },
    steps: drawSequence(draw, steps),
  })
  const leads = Array.from({ length: leadsPerWorld }, (_, index) => ({
    email: `w${seed}p${index}@prospects.test`,
    country: index % 2 === 0 ? 'DE' : 'FR',
  }))
  await ask('POST', `/v2/campaigns/${id}/leads`, { leads })
  // One lead stays paused, so that the campaign never completes. An update of a completed campaign sends at once.
  const ids = (await leadsOf(id)).slice(leadsPerWorld / 2).map((lead) => lead.id)
  await ask('POST', `/v2/campaigns/${id}/leads/bulk`, { ids, status: 'paused' })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  await ask('POST', '/v2/sandbox/clock/advance', { by: '40d' })
  await ask('POST', `/v2/campaigns/${id}/leads/bulk`, { ids: ids.slice(1), status: 'active' })
  const completed = (await leadsOf(id)).filter(({ status }) => status === 'completed')
  expect(completed).toHaveLength(leadsPerWorld / 2)
  return id
}

async function nextStepIds(campaignId: string): Promise<Map<string, string | null>> {
  // `explain` names no next step for a paused lead.
  const leads = (await leadsOf(campaignId)).filter(({ status }) => status !== 'paused')
  const found = leads.map(async ({ id }): Promise<[string, string | null]> => {
    const explanation = await ask<ExplanationOutput>('GET', `/v2/campaigns/${campaignId}/leads/${id}/explain`)
    return [id, explanation.next?.stepId ?? null]
  })
  return new Map(await Promise.all(found))
}

test.for(Array.from({ length: seeds }, (_, seed) => firstSeed + seed))(
  'world %i: the dry run predicts next steps and forecast after the update',
  { timeout: minutesPerSeed * 60_000 },
  async (seed) => {
    const draw = seededRandom(`dry runs ${seed}`)
    const id = await makeWorld(draw, seed)
    const path = `/v2/campaigns/${id}`
    for (let edit = 0; edit < editsPerWorld; edit++) {
      await ask('POST', '/v2/sandbox/clock/advance', { by: `${1 + drawBelow(draw, 3)}d` })
      const { steps } = await ask<Campaign>('POST', `${path}/pause`, {})
      const drafts = drawEdit(
        draw,
        steps.map(({ id, key, type }: Step) => ({ id, key: key!, type })),
      )
      const body = { steps: drawSequence(draw, drafts) }
      const before = await nextStepIds(id)
      const dryRun = await ask<CampaignDryRun>('PUT', `${path}?dryRun=true`, body)
      expect(await nextStepIds(id)).toEqual(before)
      reopened += dryRun.effects.reopened
      const updated = await ask<Campaign>('PUT', path, body)
      expect(dryRun.campaign.steps).toEqual(updated.steps)
      const after = await nextStepIds(id)
      expect(dryRun.effects.sample.length).toBeLessThan(dryRunSampleMax)
      const sample = new Map(dryRun.effects.sample.map((one) => [one.leadId, one.after.nextStepId]))
      for (const [leadId, was] of before) {
        const next = sample.has(leadId) ? sample.get(leadId)! : was
        expect([seed, edit, leadId, next]).toEqual([seed, edit, leadId, after.get(leadId)])
      }
      expect([seed, edit, dryRun.forecastAfter]).toEqual([seed, edit, await ask('GET', `${path}/forecast`)])
      await ask('POST', `${path}/resume`, {})
    }
  },
)

test('some completed leads continue after an edit', () => {
  expect(reopened).toBeGreaterThan(0)
})
