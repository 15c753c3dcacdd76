import { readFileSync } from 'node:fs'
import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counterNames, type GroupedAnalytics, type Stats } from '@overture/contract/analytics/analytics.ts'
import type { GroupDimension } from '@overture/contract/analytics/grouped-query.ts'
import type { Event } from '@overture/contract/events/events-endpoints.ts'
import { metricDefinitions } from '@overture/contract/analytics/metric-definitions.ts'
import { metricsPage } from '@overture/contract/document/metrics-page.ts'
import { eventSamples } from '@overture/contract/events/event-samples.ts'
import { appendEvents, type NewEvent } from '../platform/events/events.sql.ts'
import { createMonthsAcrossAccounts, dropOldEventMonthsAcrossAccounts } from '../platform/events/months.sql.ts'
import { findPlace } from '../platform/events/places.sql.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import type { Executor } from '../platform/db/database.ts'
import { findTotals, listBreakdown, rollUpEvents } from './analytics.sql.ts'
import { listVariantEvidence } from './evidence.sql.ts'
import { analyticsRoutes, createStatisticsWorker, rollUpAll } from './index.ts'

const noAiCost = { generations: 0, credits: 0, promptTokens: 0, completionTokens: 0 }
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      analyticsRoutes({ readBalance: () => Promise.resolve(42), sumAiCost: () => Promise.resolve(noAiCost) }),
  })
})
afterAll(() => server.stop())

async function makeCampaign(id: string): Promise<void> {
  const { accountId, environment } = server.tenant
  await server.app.db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids, created_at, updated_at)
     values ($1, $2, $3, 'Spring', 'active', '{"timezone": "Europe/Berlin"}', '{}', '{}', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')`,
    [accountId, environment, id],
  )
}

const append = (events: NewEvent[]) => server.app.db.transaction((tx) => appendEvents(tx, server.tenant, events))
/** Rolls up one batch, which may end at any event. */
const rollUpSome = async (limit: number) => {
  const place = await findPlace(server.app.db, server.tenant, 'statistics')
  await rollUpEvents(server.app.db, server.tenant, { place, limit })
}
const get = async (path: string) => {
  const answer = await server.call('GET', path, { key: server.keys.live })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

async function walk(path: string): Promise<Event[]> {
  const found: Event[] = []
  let cursor: string | null = null
  do {
    const page: { results: Event[]; nextCursor: string | null } = await get(
      `${path}${cursor ? `&cursor=${cursor}` : ''}`,
    )
    found.push(...page.results)
    cursor = page.nextCursor
  } while (cursor)
  return found
}

describe('the event log', () => {
  test('has no gap behind a cursor when transactions overlap', async () => {
    const type = 'campaign.created'
    const event = (name: string): NewEvent => ({ type, occurredAt: new Date('2026-03-01'), data: { name } })
    let first: Promise<string[]> | undefined
    let finish = (): void => undefined
    const held = new Promise<void>((resolve) => (finish = resolve))
    await append([event('before')])
    const before = await walk(`/v2/events?type=${type}&limit=1`)
    await new Promise<void>((begun) => {
      first = server.app.db.transaction(async (tx) => {
        const ids = await appendEvents(tx, server.tenant, [event('slow')])
        begun()
        await held
        return ids
      })
    })
    await append([event('fast')])
    expect((await walk(`/v2/events?type=${type}&limit=1`)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    finish()
    await first
    const after = await walk(`/v2/events?type=${type}&limit=1&after=${before.at(-1)!.id}`)
    expect(after.map(({ data }) => 'name' in data && data.name)).toEqual(['slow', 'fast'])
  })

  test('gives a reader every event of forty concurrent writers once', async () => {
    const written: string[] = []
    const write = async (writer: number) => {
      for (let round = 0; round < 5; round++) {
        const ids = await server.app.db.transaction(async (tx) => {
          const low = { type: 'credits.low', occurredAt: new Date(writer), data: eventSamples['credits.low'] } as const
          const one = await appendEvents(tx, server.tenant, [low])
          await tx.query('select pg_sleep($1)', [((writer * 7 + round * 3) % 10) / 500])
          return [...one, ...(await appendEvents(tx, server.tenant, [low]))]
        })
        written.push(...ids)
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, (_, index) => write(index)))
    const read: string[] = []
    const readOn = async () => {
      const last = read.at(-1)
      read.push(
        ...(await walk(`/v2/events?type=credits.low&limit=7${last ? `&after=${last}` : ''}`)).map(({ id }) => id),
      )
    }
    while (read.length < 30) await readOn()
    await writers
    await readOn()
    expect(read.toSorted()).toEqual(written.toSorted())
  })

  test('can be reversed, and is separate per account and environment', async () => {
    const oldest = await walk('/v2/events?limit=100')
    const newest = await walk('/v2/events?limit=100&order=desc')
    expect(newest.toReversed()).toEqual(oldest)
    for (const key of [server.keys.test, server.other.keys.live]) {
      expect((await server.call('GET', '/v2/events', { key })).body.results).toEqual([])
    }
    const unknown = await server.call('GET', '/v2/events?after=evt_nothing', { key: server.keys.live })
    expect(unknown.status).toBe(404)
  })
})

/** A log with every counted type, spread over two days around the clock change in Berlin. */
function randomLog(campaignId: string, count: number): NewEvent[] {
  let state = 7
  const pick = <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return items[(state >>> 8) % items.length]!
  }
  const datas = {
    'lead.added': [{}],
    'message.sent': [{ kind: 'campaign', first: true }, { kind: 'campaign', first: false }, { kind: 'manual' }],
    'message.opened': [
      { machine: false, unique: true },
      { machine: false, unique: false },
      { machine: true, unique: false },
    ],
    'message.clicked': [
      { machine: false, unique: true },
      { machine: true, unique: false },
    ],
    'reply.received': [{ unique: true }, { unique: false }],
    'reply.auto_received': [{}],
    'message.bounced': [{ type: 'hard' }, { type: 'hard', verified: true }, { type: 'soft', verified: true }],
    'message.returned': [{ kind: 'campaign' }, { kind: 'manual' }],
    'lead.unsubscribed': [{}],
    'lead.interest_changed': [
      { from: null, to: 'interested' },
      { from: 'interested', to: 'not_interested' },
      { from: 'interested', to: 'won' },
    ],
    'meeting.booked': [{}],
    'message.failed': [{}],
    'lead.status_changed': [{ from: 'active', to: 'completed' }],
  } as const
  return Array.from({ length: count }, () => {
    const type = pick(Object.keys(datas) as (keyof typeof datas)[])
    const stepId = pick(['stp_1', 'stp_2', null])
    return {
      type,
      occurredAt: new Date(
        Date.UTC(2026, 2, 28, 12) + pick(Array.from({ length: 2880 }, (_, minute) => minute)) * 60_000,
      ),
      campaignId,
      leadId: 'led_1',
      stepId,
      variantId: stepId && pick([`${stepId}a`, `${stepId}b`]),
      sendingAccountId: pick(['snd_1', 'snd_2']),
      data: { ...eventSamples[type], ...pick<Record<string, unknown>>(datas[type]) },
    } as NewEvent
  })
}

/** Counts the log independently of the code, only from the definitions. */
function recount(events: readonly Event[]): Omit<Stats, 'notSent' | 'rates'> {
  const count = (type: string, test: (data: Record<string, unknown>) => boolean = () => true): number =>
    events.filter((event) => event.type === type && test(event.data)).length
  const sent = count('message.sent', (data) => data.kind === 'campaign')
  const ofStep = (data: Record<string, unknown>) => data.stepId !== null
  const bounced = count('message.bounced', ofStep)
  const returned = count('message.returned', (data) => data.kind === 'campaign')
  return {
    leads: count('lead.added'),
    contacted: count('message.sent', (data) => data.kind === 'campaign' && data.first === true),
    sent,
    delivered: Math.max(0, sent - bounced - returned),
    opened: count('message.opened', (data) => data.machine === false),
    uniqueOpened: count('message.opened', (data) => data.machine === false && data.unique === true),
    machineOpened: count('message.opened', (data) => data.machine === true),
    clicked: count('message.clicked', (data) => data.machine === false),
    uniqueClicked: count('message.clicked', (data) => data.machine === false && data.unique === true),
    machineClicked: count('message.clicked', (data) => data.machine === true),
    replied: count('reply.received'),
    uniqueReplied: count('reply.received', (data) => data.unique === true),
    autoReplied: count('reply.auto_received'),
    bounced,
    verifiedBounced: count('message.bounced', (data) => ofStep(data) && data.type === 'hard' && data.verified === true),
    returned,
    unsubscribed: count('lead.unsubscribed'),
    interested:
      count('lead.interest_changed', (data) => data.to === 'interested') -
      count('lead.interest_changed', (data) => data.from === 'interested' && data.to === 'not_interested'),
    meetingsBooked: count('meeting.booked'),
    handedOver: count('lead.handed_over'),
    failed: count('message.failed', ofStep),
    uncertain: count('message.uncertain', ofStep),
  }
}

const countsOf = (stats: Stats) => Object.fromEntries(counterNames.map((name) => [name, stats[name]]))

describe('monthly tables of the log', () => {
  test('are created ahead, and dropped when they are old and read', async () => {
    const { db } = server.app
    const months = async () =>
      (
        await db.query<{ name: string }>(
          `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'events'::regclass order by 1`,
        )
      ).map(({ name }) => name)
    expect(await months()).toHaveLength(5)
    await createMonthsAcrossAccounts(db, 'events', new Date('2020-01-15T00:00:00Z'))
    expect(await months()).toEqual(expect.arrayContaining(['events_2020_01', 'events_2020_04']))
    await append([
      {
        type: 'credits.exhausted',
        occurredAt: new Date('2020-02-03'),
        data: eventSamples['credits.exhausted'],
      },
    ])
    await db.execute(`update events set recorded_at = '2020-02-03' where type = 'credits.exhausted'`)
    expect(await dropOldEventMonthsAcrossAccounts(db, new Date('2020-03-01T00:00:00Z'))).toEqual(['events_2020_01'])
    await rollUpAll(server.app)
    await db.execute(
      `update event_looks set (tx_id, position) = (select tx_id, position from event_looks where reader = 'statistics')`,
    )
    expect(await dropOldEventMonthsAcrossAccounts(db, new Date('2020-04-01T00:00:00Z'))).toEqual([
      'events_2020_02',
      'events_2020_03',
    ])
    expect((await walk('/v2/events?type=credits.exhausted')).length).toBe(0)
    expect((await months()).filter((name) => name.startsWith('events_2020'))).toEqual(['events_2020_04'])
  })
})

describe('retention', () => {
  test('lasts as configured, and without a setting nothing is deleted', async () => {
    const { db } = server.app
    const old = async () =>
      (
        await db.query<{ name: string }>(
          `select relname as name from pg_class where relname ~ '^events_2019_[0-9]{2}$'`,
        )
      ).length
    const work = async (days: string) => {
      const { config } = createTestApp(server.database, { environment: { OVERTURE_EVENT_RETENTION_DAYS: days } })
      const worker = createStatisticsWorker({ ...server.app, config })
      await worker.start()
      return worker
    }
    await createMonthsAcrossAccounts(db, 'events', new Date('2019-01-15T00:00:00Z'))
    expect(await old()).toBe(4)
    // A missing future month is created in the same run, so when it exists, the worker has run.
    const newest = async () =>
      (
        await db.query<{ name: string }>(
          `select max(relname) as name from pg_class where relname ~ '^events_20[0-9_]{5}$'`,
        )
      )[0]!.name
    const last = await newest()
    await db.execute(`drop table ${last}`)
    const forEver = await work('0')
    await expect.poll(newest, { timeout: 20_000, interval: 20 }).toBe(last)
    await forEver.stop()
    expect(await old()).toBe(4)
    await db.execute(
      `update event_looks set (tx_id, position) = (select tx_id, position from event_looks where reader = 'statistics')`,
    )
    const year = await work('365')
    await expect.poll(old, { timeout: 20_000, interval: 20 }).toBe(0)
    await year.stop()
    expect((await walk('/v2/events?limit=100')).length).toBeGreaterThan(0)
  })
})

describe('statistics', () => {
  test('equal a recount of the log at any progress of the rollup', async () => {
    await makeCampaign('cmp_equal')
    const check = async () => {
      const log = await walk('/v2/events?limit=100')
      const ours = log.filter((event) => event.data.campaignId === 'cmp_equal')
      const stats = await get('/v2/campaigns/cmp_equal/stats')
      expect(countsOf(stats)).toEqual({ ...recount(ours), leads: 0 })
      const range = 'from=2026-03-28T12:07:00Z&to=2026-03-30T11:23:00Z'
      const analytics = await get(`/v2/campaigns/cmp_equal/analytics?${range}&timezone=Asia/Kathmandu`)
      for (const timezone of ['Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns']) {
        for (const interval of ['day', 'week', 'month']) {
          const query = `${range}&timezone=${timezone}&interval=${interval}`
          const { series } = await get(`/v2/campaigns/cmp_equal/analytics?${query}`)
          for (const period of series) {
            expect(countsOf(period)).toEqual(
              recount(ours.filter(({ occurredAt }) => occurredAt >= period.startAt && occurredAt < period.endAt)),
            )
          }
        }
      }
      const inRange = ours.filter(({ occurredAt }) => occurredAt >= analytics.from && occurredAt < analytics.to)
      for (const step of analytics.steps) {
        const { leads, ...counts } = recount(inRange.filter(({ data }) => data.stepId === step.stepId))
        expect(countsOf(step)).toEqual({ ...counts, leads: counts.contacted })
        expect(leads).toBeGreaterThan(0)
      }
      for (const variant of analytics.variants) {
        const counts = recount(inRange.filter(({ data }) => data.variantId === variant.variantId))
        expect(countsOf(variant)).toEqual({ ...counts, leads: counts.contacted })
      }
      for (const sender of analytics.senders) {
        const counts = recount(inRange.filter(({ data }) => data.sendingAccountId === sender.sendingAccountId))
        expect(countsOf(sender)).toEqual({ ...counts, leads: counts.contacted })
      }
      expect([analytics.steps.length, analytics.variants.length, analytics.senders.length]).toEqual([2, 4, 2])
      return ours.length
    }
    const log = randomLog('cmp_equal', 800)
    await append(log.slice(0, 500))
    expect(await check()).toBe(500)
    await rollUpSome(300)
    await check()
    await rollUpAll(server.app)
    await check()
    await append(log.slice(500))
    expect(await check()).toBe(800)
    await Promise.all([rollUpAll(server.app), rollUpAll(server.app), rollUpAll(server.app)])
    await rollUpAll(server.app)
    await check()
    const totals = (await get('/v2/campaigns/summary')).totals
    expect(countsOf(totals)).toEqual({ ...recount(await walk('/v2/events?limit=100')), leads: 0 })
  })

  test('by group equal a recount of the log, add up, and match stats', async () => {
    await makeCampaign('cmp_groups')
    const zones = ['Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns']
    const range = 'from=2026-03-28T12:15:00Z&to=2026-03-30T11:30:00Z'
    const keyIn = (timezone: string, { occurredAt, data }: Event) => {
      const at = Temporal.Instant.from(occurredAt).toZonedDateTimeISO(timezone)
      const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
      const monday = at.toPlainDate().subtract({ days: at.dayOfWeek - 1 })
      return {
        day: at.toPlainDate().toString(),
        week: monday.toString(),
        month: at.toPlainDate().with({ day: 1 }).toString(),
        weekday: names[at.dayOfWeek - 1]!,
        hour: String(at.hour).padStart(2, '0'),
        campaign: 'campaignId' in data ? data.campaignId : null,
        sender: 'sendingAccountId' in data ? data.sendingAccountId : null,
        step: 'stepId' in data ? data.stepId : null,
        variant: 'variantId' in data ? (data.variantId as string | null) : null,
      }
    }
    const check = async () => {
      const log = await walk('/v2/events?limit=100')
      const ours = log.filter((event) => event.data.campaignId === 'cmp_groups')
      const stats = await get('/v2/campaigns/cmp_groups/stats')
      const groupings = [
        ['weekday', 'hour'],
        ['day'],
        ['week'],
        ['month', 'sender'],
        ['hour'],
        ['sender'],
        ['step', 'day'],
      ]
      for (const [index, groupBy] of (
        [...groupings, ['campaign'], ['variant', 'step']] as GroupDimension[][]
      ).entries()) {
        const timezone = zones[index % zones.length]!
        const path = `/v2/analytics?groupBy=${groupBy.join()}&timezone=${timezone}&campaignId=cmp_groups`
        const all = await get(path)
        expect({ ...countsOf(all.totals), leads: 0 }).toEqual(countsOf(stats))
        const cut = await get(`${path}&${range}`)
        const inRange = ours.filter(({ occurredAt }) => occurredAt >= cut.from && occurredAt < cut.to)
        for (const [answer, events] of [
          [all, ours],
          [cut, inRange],
        ] as [GroupedAnalytics, Event[]][]) {
          expect(countsOf(answer.totals)).toEqual(recount(events))
          const byKey = new Map<string, Event[]>()
          for (const event of events) {
            const key = groupBy.map((name) => keyIn(timezone, event)[name]).join()
            byKey.set(key, [...(byKey.get(key) ?? []), event])
          }
          const counted = answer.groups.filter(({ key }) => byKey.has(key.join()))
          for (const group of counted) expect(countsOf(group)).toEqual(recount(byKey.get(group.key.join())!))
          const empty = answer.groups.filter((group) => !counted.includes(group))
          for (const group of empty) expect(countsOf(group)).toEqual(recount([]))
        }
      }
      const bySender = await get('/v2/analytics?groupBy=day&campaignId=cmp_groups&timezone=UTC')
      expect(bySender.groups.map(({ key }: { key: string[] }) => key[0])).toEqual([
        '2026-03-28',
        '2026-03-29',
        '2026-03-30',
      ])
    }
    const log = randomLog('cmp_groups', 600)
    await append(log.slice(0, 400))
    await check()
    await rollUpSome(200)
    await check()
    await rollUpAll(server.app)
    await append(log.slice(400))
    await check()
    const whole = await get('/v2/analytics?groupBy=campaign')
    expect(countsOf(whole.totals)).toEqual(recount(await walk('/v2/events?limit=100')))
  })

  test('by group have the largest thousand and the sum of the others', async () => {
    await makeCampaign('cmp_many')
    const senders = Array.from({ length: 1_005 }, (_none, index) => `snd_many_${index}`)
    const sent = (sendingAccountId: string): NewEvent =>
      ({
        ...randomLog('cmp_many', 1)[0]!,
        type: 'message.sent',
        stepId: 'stp_1',
        sendingAccountId,
        data: { ...eventSamples['message.sent'], kind: 'campaign', first: true },
      }) as NewEvent
    await append(senders.flatMap((id, index) => (index < 1_000 ? [sent(id), sent(id)] : [sent(id)])))
    const { groups, other, totals } = await get('/v2/analytics?groupBy=sender&campaignId=cmp_many')
    expect([groups.length, other.sent, totals.sent]).toEqual([1_000, 5, 2_005])
    expect(new Set(groups.map(({ key }: { key: string[] }) => key[0]))).toEqual(new Set(senders.slice(0, 1_000)))
  })

  test("by group refuse invalid queries, and return 404 for others' resources", async () => {
    const asking = (query: string, key = server.keys.live) => server.call('GET', `/v2/analytics?${query}`, { key })
    for (const groupBy of ['', 'day,day', 'lead', 'day,hour,weekday', 'day,', 'constructor'])
      expect([groupBy, (await asking(`groupBy=${groupBy}`)).status]).toEqual([groupBy, 400])
    const cut = await asking('groupBy=day&from=2026-03-28T12:07:00Z')
    expect(cut.body.error.details.issues).toMatchObject([{ path: 'from', rule: 'quarter' }])
    expect((await asking('groupBy=day&from=2026-03-29&to=2026-03-28')).status).toBe(400)
    expect((await asking('groupBy=day&campaignId=cmp_none')).status).toBe(404)
    expect((await asking('groupBy=day&campaignId=cmp_groups', server.other.keys.live)).status).toBe(404)
    expect((await asking('groupBy=day&sendingAccountId=snd_none')).status).toBe(404)
    const foreign = await asking('groupBy=weekday,hour', server.other.keys.live)
    expect([foreign.body.groups.length, foreign.body.totals.sent]).toEqual([168, 0])
  })

  test('rebuilt from the log are the same, row by row', async () => {
    await rollUpAll(server.app)
    const tables = ['stat_quarter_hours', 'stat_totals', 'stat_variants']
    const contents = () =>
      Promise.all(tables.map((table) => server.app.db.query(`select * from ${table} t order by t::text collate "C"`)))
    const before = await contents()
    expect(before.map((rows) => rows.length > 0)).toEqual([true, true, true])
    for (const table of tables) await server.app.db.execute(`delete from ${table}`)
    await server.app.db.execute(`update event_looks set tx_id = '0', position = 0 where reader = 'statistics'`)
    await server.app.db.execute(`delete from event_places where reader = 'statistics'`)
    // The batches have another size than before, which must not affect the result.
    await rollUpAll(server.app, 37)
    expect(await contents()).toEqual(before)
  })

  test('read no more pages for a log ten times as long', async () => {
    await makeCampaign('cmp_flat')
    const { db } = server.app
    const pages: number[] = []
    // The statements of stats and analytics themselves. Their page reads are counted, not their duration.
    const counting: Executor = {
      ...db,
      async query<Row>(text: string, values?: unknown[], name?: string): Promise<Row[]> {
        // The other statements depend on the result of this one.
        if (name === 'find_log_place') return db.query<Row>(text, values)
        const plan = JSON.stringify(await db.query(`explain (analyze, buffers, format json) ${text}`, values))
        const [hit, read] = ['Hit', 'Read'].map(
          (kind) => new RegExp(`"Shared ${kind} Blocks": ?(\\d+)`).exec(plan)?.[1],
        )
        pages.push(Number(hit) + Number(read))
        return []
      },
    }
    const [from, to] = [new Date('2026-03-28T12:00:00Z'), new Date('2026-03-28T14:00:00Z')]
    const pagesRead = async (): Promise<number[]> => {
      pages.length = 0
      await findTotals(counting, server.tenant, 'cmp_flat')
      await listBreakdown(counting, server.tenant, { campaignId: 'cmp_flat', from, to, starts: [from] })
      await listVariantEvidence(counting, server.tenant, { campaignIds: ['cmp_flat'], stepIds: ['stp_1', 'stp_2'] })
      return [...pages]
    }
    const fill = async (times: number) => {
      const withinTwoHours = (event: NewEvent) => ({
        ...event,
        occurredAt: new Date(from.getTime() + (event.occurredAt.getTime() % 7_200_000)),
      })
      for (let batch = 0; batch < times; batch++) await append(randomLog('cmp_flat', 1000).map(withinTwoHours))
      await rollUpAll(server.app)
      await db.execute('vacuum full stat_totals, stat_variants, event_places')
      // Updated rows are scattered among those of other campaigns, possibly more in the longer log.
      await db.execute('cluster stat_quarter_hours using stat_quarter_hours_pkey')
      await db.execute('vacuum analyze stat_quarter_hours, stat_totals, stat_variants, events, event_places')
    }
    await fill(1)
    const few = await pagesRead()
    await fill(9)
    expect((await get('/v2/campaigns/cmp_flat/activity?limit=1')).pagination.totalCount).toBe(10_000)
    const many = await pagesRead()
    expect(few.every((count) => count > 0)).toBe(true)
    // Ten thousand events fill some three hundred pages.
    for (const [index, count] of many.entries()) expect(count).toBeLessThanOrEqual(few[index]! + 15)
  })

  test('have the right days around a clock change', async () => {
    await makeCampaign('cmp_dst')
    const sent = (at: string): NewEvent => ({
      type: 'message.sent',
      occurredAt: new Date(at),
      campaignId: 'cmp_dst',
      data: { kind: 'campaign', first: true },
    })
    await append([
      sent('2026-03-28T22:59:59Z'),
      sent('2026-03-28T23:00:00Z'),
      sent('2026-03-29T21:59:59Z'),
      sent('2026-03-29T22:00:00Z'),
    ])
    for (const roll of [false, true]) {
      if (roll) await rollUpAll(server.app)
      const { series, timezone } = await get('/v2/campaigns/cmp_dst/analytics?from=2026-03-28&to=2026-03-30')
      expect(timezone).toBe('Europe/Berlin')
      expect(series.map((day: { date: string; sent: number }) => [day.date, day.sent])).toEqual([
        ['2026-03-28', 1],
        ['2026-03-29', 2],
        ['2026-03-30', 1],
      ])
      const inKolkata = await get('/v2/campaigns/cmp_dst/analytics?from=2026-03-28&to=2026-03-30&timezone=Asia/Kolkata')
      expect(inKolkata.series.map((day: { sent: number }) => day.sent)).toEqual([0, 2, 2])
    }
  })

  test('have the right weeks and months around a clock change', async () => {
    await makeCampaign('cmp_weeks')
    const sent = (at: string): NewEvent => ({
      type: 'message.sent',
      occurredAt: new Date(at),
      campaignId: 'cmp_weeks',
      data: { kind: 'campaign', first: true },
    })
    // In Berlin, the week ends on 29 March at 22:00 UTC and the month on the 31st. On Lord Howe, 5 April has 24 and a half hours.
    const times = ['2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z', '2026-03-31T21:59:59Z', '2026-03-31T22:00:00Z']
    await append(
      [...times, '2026-04-04T12:59:59Z', '2026-04-04T13:00:00Z', '2026-04-05T13:29:59Z', '2026-04-05T13:30:00Z'].map(
        sent,
      ),
    )
    const series = async (query: string) =>
      (await get(`/v2/campaigns/cmp_weeks/analytics?${query}`)).series.map((one: { date: string; sent: number }) => [
        one.date,
        one.sent,
      ])
    for (const roll of [false, true]) {
      if (roll) await rollUpAll(server.app)
      expect(await series('from=2026-03-23&to=2026-03-31&interval=week')).toEqual([
        ['2026-03-23', 1],
        ['2026-03-30', 2],
      ])
      expect(await series('from=2026-03-01&to=2026-04-30&interval=month')).toEqual([
        ['2026-03-01', 3],
        ['2026-04-01', 5],
      ])
      expect(await series('from=2026-04-04&to=2026-04-06&timezone=Australia/Lord_Howe')).toEqual([
        ['2026-04-04', 1],
        ['2026-04-05', 2],
        ['2026-04-06', 1],
      ])
    }
  })

  test("return 404 for another account's campaign, and refuse an unknown time zone", async () => {
    for (const path of ['stats', 'analytics', 'activity']) {
      const answer = await server.call('GET', `/v2/campaigns/cmp_dst/${path}`, { key: server.other.keys.live })
      expect(answer.status).toBe(404)
    }
    const answer = await server.call('GET', '/v2/campaigns/cmp_dst/analytics?timezone=Mars/Phobos', {
      key: server.keys.live,
    })
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: 'timezone' }] } })
  })

  test('all have a definition in API and docs, with the same text (npm run openapi writes them)', async () => {
    const { results } = await get('/v2/analytics/definitions')
    expect(results).toEqual(metricDefinitions)
    const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
    expect(page).toBe(metricsPage(metricDefinitions))
    for (const { name, numerator } of metricDefinitions) {
      expect(page).toContain(`| \`${name}\` |`)
      expect(page).toContain(numerator)
    }
    const names = results.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining([...counterNames, 'notSent', 'rates.open', 'rates.positiveReply']))
  })
})

describe('activity', () => {
  test("shows a campaign's events newest first, filtered by type, lead and time", async () => {
    await makeCampaign('cmp_feed')
    const at = (minute: number) => new Date(Date.UTC(2026, 3, 1, 10, minute))
    await append([
      { type: 'lead.added', occurredAt: at(0), campaignId: 'cmp_feed', leadId: 'led_a', leadEmail: 'a@example.com' },
      {
        type: 'message.sent',
        occurredAt: at(1),
        campaignId: 'cmp_feed',
        leadId: 'led_a',
        stepId: 'stp_1',
        data: { kind: 'campaign', first: true },
      },
      {
        type: 'message.sent',
        occurredAt: at(2),
        campaignId: 'cmp_feed',
        leadId: 'led_b',
        stepId: 'stp_1',
        data: { kind: 'campaign', first: true },
      },
    ])
    const path = '/v2/campaigns/cmp_feed/activity'
    const all = await get(path)
    expect(all.pagination).toEqual({ currentPage: 1, totalPages: 1, totalCount: 3 })
    expect(all.results.map(({ occurredAt }: Event) => occurredAt)).toEqual(
      [2, 1, 0].map((minute) => at(minute).toISOString()),
    )
    expect(all.results[2]).toMatchObject({
      type: 'lead.added',
      leadEmail: 'a@example.com',
      messageId: null,
      stepId: null,
    })
    const count = async (query: string) => (await get(`${path}?${query}`)).results.length
    expect(await count('type=message.sent')).toBe(2)
    expect(await count('leadId=led_a')).toBe(2)
    expect(await count(`from=${at(1).toISOString()}&to=${at(2).toISOString()}`)).toBe(1)
    expect(await count('from=2026-04-01&to=2026-04-01')).toBe(3)
    expect((await get('/v2/campaigns/activity?campaignId=cmp_feed&limit=2')).nextCursor).toEqual(expect.any(String))
  })
})
