import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chooseByWeight } from '@overture/ground/chance/seeded.ts'
import { type AiServer, modelId, startAiServer } from '@overture/testing/server/ai-server.ts'
import { until } from '@overture/testing/server/until.ts'

// The tests simulate weeks with hundreds of leads, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

let ai: AiServer
let { model, server, db, advance, toSaturday, textsOf }: AiServer = {} as AiServer

beforeAll(async () => {
  ai = await startAiServer(() => ({ text: JSON.stringify({ body: 'Should we talk?', subjects: ['An idea'] }) }))
  ;({ model, server, db, advance, toSaturday, textsOf } = ai)
  await db.execute('create table unsent_seen (campaign_id text, unsent integer)')
  await db.execute(`create function see_unsent() returns trigger language plpgsql as $$ begin
    insert into unsent_seen select new.campaign_id, count(*) from step_drafts d
      join leads l on l.campaign_id = d.campaign_id and l.id = d.lead_id
      where d.campaign_id = new.campaign_id and d.status <> 'rejected' and l.current_step = 0;
    return null; end $$`)
  await db.execute('create trigger see_unsent after insert on step_drafts for each row execute function see_unsent()')
})
afterAll(() => ai.stop())

interface LaunchOptions {
  leads: number
  written: 'all' | 'some' | 'none'
  aiApproval?: string
  zoneOf?: (index: number) => string
}

interface Weighed {
  weight: number
  ai: object | null
}

let number = 0

async function launch({ leads, written, aiApproval = 'none', zoneOf }: LaunchOptions): Promise<string> {
  number += 1
  const sendingAccountId = await ai.newSender()
  const byModel = { ai: { presetId: await ai.newPreset(), modelId } }
  const plain = { subject: 'Hello', body: 'Hi {{ firstName }}' }
  const variants = {
    all: [byModel],
    some: [
      { ...byModel, weight: 90 },
      { ...plain, weight: 10 },
    ],
    none: [plain],
  }[written]
  const launched = await server.test('POST', '/v2/campaigns/launch', {
    name: `c${number}`,
    sendingAccountIds: [sendingAccountId],
    settings: { aiApproval, dailyNewLeadLimit: 10 },
    ...(zoneOf && { schedule: { useLeadTimezone: true } }),
    steps: [{ variants }],
    leads: Array.from({ length: leads }, (_, index) => ({
      email: `p${number}x${index}@d${index}.test`,
      firstName: `N${index}`,
      ...(zoneOf && { timezone: zoneOf(index) }),
    })),
  })
  expect(launched.status).toBe(201)
  return launched.body.id as string
}

const campaign = async (id: string) => (await server.test('GET', `/v2/campaigns/${id}`)).body

async function sentByDay(id: string): Promise<Record<string, number>> {
  const rows = await db.query<{ day: string; count: number }>(
    `select to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from messages
     where campaign_id = $1 and status = 'sent' group by 1 order by 1`,
    [id],
  )
  return Object.fromEntries(rows.map((row) => [row.day, row.count]))
}

/** The highest number of requested and unsent texts, which a trigger recorded at each request. */
async function mostUnsent(id: string): Promise<number> {
  const [row] = await db.query<{ most: number }>('select max(unsent) as most from unsent_seen where campaign_id = $1', [
    id,
  ])
  return row?.most ?? 0
}

test('unsent texts cover two days at most, and leads are sent to on the same days', async () => {
  await toSaturday()
  const written = await launch({ leads: 65, written: 'all' })
  const plain = await launch({ leads: 65, written: 'none' })
  const forecast = async (id: string) =>
    (await server.test('GET', `/v2/campaigns/${id}/forecast`)).body.days.map(
      ({ date, first }: { date: string; first: number }) => ({ date, first }),
    )
  const foreseen = await forecast(plain)
  expect(foreseen).toHaveLength(7)
  expect(await forecast(written)).toEqual(foreseen)
  await until(
    () => textsOf(written, 'approved'),
    (texts) => texts.length === 20,
  )
  await advance('4d')
  expect(await forecast(written)).toEqual(await forecast(plain))
  await advance('8d')
  expect(Object.values(await sentByDay(plain))).toEqual([10, 10, 10, 10, 10, 10, 5])
  expect(await sentByDay(written)).toEqual(await sentByDay(plain))
  expect(await mostUnsent(written)).toBe(20)
  expect(model.calls).toHaveLength(65)
  expect((await campaign(written)).status).toBe('completed')
})

test('unapproved texts hold back new ones, and a refused text makes room at once', async () => {
  await toSaturday()
  model.reset()
  const id = await launch({ leads: 45, written: 'all', aiApproval: 'all' })
  await advance('5d')
  const first = await textsOf(id, 'waiting')
  expect(first).toHaveLength(20)
  expect(model.calls).toHaveLength(20)
  expect((await campaign(id)).status).toBe('active')
  const shown = new Set(first.map((text: { leadId: string }) => text.leadId))
  const leads = (await server.test('GET', `/v2/campaigns/${id}/leads?limit=100`)).body.results
  const later = leads.find((lead: { id: string }) => !shown.has(lead.id))
  expect(later).toMatchObject({ status: 'pending', blockedReason: 'awaiting_approval' })
  const explanation = (await server.test('GET', `/v2/campaigns/${id}/leads/${later.id}/explain`)).body
  expect(explanation.blockedReason).toBe('awaiting_approval')
  expect(explanation.gates.find((gate: { gate: string }) => gate.gate === 'awaiting_approval').detail).toContain(
    'shortly before it is due',
  )

  const decide = (text: { id: string }, how: string) =>
    server.test('POST', `/v2/campaigns/${id}/approvals/${text.id}/${how}`)
  for (const text of first.slice(0, 15)) await decide(text, 'reject')
  // New texts are requested when a quarter of the places is free.
  const look = async () => ({ requested: await textsOf(id, 'requested'), waiting: await textsOf(id, 'waiting') })
  const { waiting: next } = await until(look, (seen) => seen.requested.length === 0 && seen.waiting.length > 15)
  for (const text of next) await decide(text, 'approve')
  await advance('4d')
  expect(Object.values(await sentByDay(id)).reduce((sum, count) => sum + count, 0)).toBe(next.length)
  const last = await textsOf(id, 'waiting')
  expect(last).toHaveLength(30 - next.length)
  for (const text of last) await decide(text, 'approve')
  await advance('4d')
  expect((await campaign(id)).status).toBe('completed')
  expect(await mostUnsent(id)).toBeLessThanOrEqual(20)
})

test("leads without a text don't delay leads that need none", async () => {
  await toSaturday()
  const id = await launch({ leads: 400, written: 'some', aiApproval: 'all' })
  await advance('14d')
  const [step] = (await server.test('GET', `/v2/campaigns/${id}`)).body.steps
  const leads = await db.query<{ id: string; sent: boolean }>(
    'select id, current_step > 0 as sent from leads where campaign_id = $1 order by id',
    [id],
  )
  const isPlain = (lead: { id: string }) =>
    chooseByWeight(step.variants as Weighed[], `${lead.id} ${step.id}`)?.ai === null
  const plain = leads.filter(isPlain)
  expect(plain.length).toBeGreaterThan(15)
  expect(leads.filter((lead) => lead.sent)).toEqual(plain)
  expect(await textsOf(id, 'waiting')).toHaveLength(20)
  expect((await campaign(id)).status).toBe('active')
})

test('or leads that have theirs and waited for their time zone', async () => {
  await toSaturday()
  const zoneOf = (index: number) => (index < 20 ? 'America/Los_Angeles' : 'UTC')
  const id = await launch({ leads: 240, written: 'all', zoneOf })
  await advance('6d')
  expect(Object.values(await sentByDay(id))).toEqual([10, 10, 10, 10, 10])
  expect(await mostUnsent(id)).toBeLessThanOrEqual(20)
})
