import { defaultSchedule } from '@overture/contract/campaigns/campaigns.ts'
import { addLeads } from '../packages/server/src/campaigns/index.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { Tenant } from '../packages/server/src/platform/tenant.ts'
import { beginAdvance, finishAdvance, runOrLeave } from '../packages/server/src/sandbox/advance.shell.ts'
import { readClock } from '../packages/server/src/sandbox/clock.commands.ts'
import { findClock } from '../packages/server/src/sandbox/clock.sql.ts'
import { createServices, type Services } from '@overture/server/composition/services.ts'
import { line, measure, type Measured, type Stage } from './stage.ts'
import { countStatements } from './statements.ts'

const days = 21
const fewLeads = 200
const manyLeads = Number(process.env.OVERTURE_BENCH_VIRTUAL_LEADS ?? 10_000)
const startsAt = new Date('2027-02-01T07:00:00.000Z')
const acts = ['+open', '+reply', '+interested', '+bounce', '+click', '+unsubscribe', '+ooo', '+book', '', '', '', '']
const words =
  '<p>Hello {{ firstName }}, {{ "one|two|three" | spin }} words for you. <a href="https://example.com/page">Look</a></p>'

type PlansFrom = Services['sandbox']['plansFrom']

/**
 * Moves a test environment's clock by three weeks: the speed from memory and from the database, and the memory for ten times the
 * leads.
 */
export async function benchVirtualDays(stage: Stage): Promise<void> {
  const { app, engine, url: databaseUrl } = stage
  const services = await createServices({ app, engine, databaseUrl })
  try {
    await benchSpeed(stage, services)
    await benchMemory(stage, services)
    await benchMany(stage, services)
  } finally {
    await services.stop()
  }
}

interface Advance extends Measured {
  sent: number
  statements: number
}

/** 200 leads with 4 steps from three senders with gaps; two thirds of the leads act. Runs from memory and from the database in turns. */
async function benchSpeed(stage: Stage, services: Services): Promise<void> {
  const world = { leads: fewLeads, steps: 4, senders: 3, gapSeconds: [60, 240], acts } as const
  const runs: Record<PlansFrom, Advance[]> = { memory: [], database: [] }
  for (const plansFrom of ['memory', 'database', 'memory', 'database'] as const)
    runs[plansFrom].push(await advance(services, await makeWorld(stage, world), plansFrom))
  const [memory, database] = [quickest(runs.memory), quickest(runs.database)]
  const perMessage = (run: Advance) =>
    `${(run.statements / run.sent).toFixed(1)} statements and ` +
    `${((run.cpuSeconds * 1000) / run.sent).toFixed(1)} ms of CPU per message`
  line(
    '(v) 200 leads × 4 steps over 21 days: goal 3 s',
    memory.seconds / 3,
    `${(days / memory.seconds).toFixed(1)} virtual days per second, ${memory.sent} messages in ` +
      `${memory.seconds.toFixed(1)} s; ${perMessage(memory)}`,
  )
  line(
    '(v) plans from the database / from memory',
    database.seconds / memory.seconds,
    `${database.sent} messages in ${database.seconds.toFixed(1)} s; ${perMessage(database)}`,
  )
  const bare = await bareCommits(stage, memory.sent)
  const rate = memory.sent / memory.seconds
  line('(v) messages of the run / bare commits', rate / bare, `${Math.round(rate)}/s against ${Math.round(bare)}/s`)
}

function quickest(runs: readonly Advance[]): Advance {
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best))
}

/** Twenty senders with realistic gaps send four messages to each of many leads. */
async function benchMany(stage: Stage, services: Services): Promise<void> {
  const world = { leads: manyLeads, steps: 4, senders: 20, gapSeconds: [120, 480], acts: [''] } as const
  const tenant = await makeWorld(stage, world)
  const run = await advance(services, tenant, 'memory')
  line(
    `(v) ${manyLeads} leads × 4 steps, 20 senders, gaps: goal 120 s`,
    run.seconds / 120,
    `${run.sent} messages in ${run.seconds.toFixed(0)} s; ${(run.statements / run.sent).toFixed(1)} statements and ` +
      `${((run.cpuSeconds * 1000) / run.sent).toFixed(1)} ms of CPU per message; peak ` +
      `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  )
}

/** Runs with ten times the leads and compares peak memory, which a list of all leads would increase. */
async function benchMemory(stage: Stage, services: Services): Promise<void> {
  const few = await measurePeak(stage, services, Math.round(manyLeads / 10))
  const many = await measurePeak(stage, services, manyLeads)
  line(
    `(v) peak memory: ${manyLeads} leads / ${Math.round(manyLeads / 10)}`,
    many.peakMb / few.peakMb,
    `${Math.round(many.peakMb)} MB against ${Math.round(few.peakMb)} MB; ${many.sent} messages in ` +
      `${many.seconds.toFixed(0)} s, progress read ${many.looks} times`,
  )
  line('(v) time per message, the same two runs', many.seconds / many.sent / (few.seconds / few.sent), '')
}

async function measurePeak(stage: Stage, services: Services, leads: number) {
  const tenant = await makeWorld(stage, { leads, steps: 1, senders: 3, gapSeconds: [0, 0], acts: [''] })
  let samples = 0
  let lastSeen = ''
  // Polls the clock during the run: each different time that it shows is progress.
  const watching = setInterval(() => {
    void findClock(stage.app.db, tenant)
      .then((clock) => readClock(stage.app, stage.app.db, tenant, clock))
      .then(({ now }) => {
        if (now !== lastSeen) samples++
        lastSeen = now
      })
  }, 250)
  const run = await advance(services, tenant, 'memory')
  clearInterval(watching)
  return { ...run, looks: samples, peakMb: process.resourceUsage().maxRSS / 1024 }
}

async function advance({ sandbox }: Services, tenant: Tenant, plansFrom: PlansFrom): Promise<Advance> {
  let sent = 0
  const counted = countStatements()
  const measured = await measure(async () => {
    const run = await beginAdvance(sandbox.app, tenant, { by: `${days}d` })
    await runOrLeave({ ...sandbox, plansFrom }, { tenant, run })
    sent = (await sandbox.app.db.transaction((tx) => finishAdvance(sandbox.app, tx, { tenant, run }))).sent
  })
  return { ...measured, sent, statements: counted.stop() }
}

interface World {
  leads: number
  steps: number
  senders: number
  gapSeconds: readonly [number, number]
  acts: readonly string[]
}

async function makeWorld({ app }: Stage, world: World): Promise<Tenant> {
  const { db, secrets } = app
  const tenant = await insertTestAccount(db, 'test')
  await db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [tenant.accountId, startsAt])
  const dailyLimit = Math.max(200, Math.ceil(world.leads / 10))
  const senderIds: string[] = []
  for (let index = 0; index < world.senders; index++)
    senderIds.push(await insertTestSender(db, tenant, { port: 1, provider: 'sandbox', dailyLimit }))
  await db.execute('update sending_accounts set min_gap_seconds = $2, max_gap_seconds = $3 where account_id = $1', [
    tenant.accountId,
    ...world.gapSeconds,
  ])
  const steps = Array.from({ length: world.steps }, (_, index) => ({
    subject: index === 0 ? 'Hello {{ firstName }}' : '',
    body: words,
    waitDays: index === 0 ? 0 : 3,
  }))
  const settings = {
    openTracking: true,
    linkTracking: true,
    bounceProtection: { enabled: false, maxBounceRate: 0.1, minSent: 20 },
  }
  const campaign = await insertTestCampaign(db, tenant, { senderIds, steps, settings })
  await db.execute('update campaigns set schedule = $2 where account_id = $1', [
    tenant.accountId,
    JSON.stringify(defaultSchedule('UTC')),
  ])
  for (let from = 0; from < world.leads; from += 1000) {
    const count = Math.min(1000, world.leads - from)
    const leads = Array.from({ length: count }, (_, index) => ({
      email: `person.${from + index}${world.acts[(from + index) % world.acts.length]}@prospects.test`,
      firstName: 'Ada',
    }))
    const input = { leads, onDuplicate: 'skip' as const, skipIfInOtherCampaign: false }
    await db.transaction((tx) => addLeads(tx, tenant, { campaignId: campaign.id, input, secrets, now: startsAt }))
  }
  return tenant
}

/** The minimum cost of a message: a committed row of its size. Returns rows per second. */
async function bareCommits({ app }: Stage, count: number): Promise<number> {
  await app.db.execute('create table bare_mail (id serial primary key, raw bytea)')
  const raw = Buffer.alloc(3000, 'a')
  const { seconds } = await measure(async () => {
    for (let index = 0; index < count; index++) {
      await app.db.transaction(async (tx) => {
        await tx.execute("select set_config('synchronous_commit', 'off', true)", [], 'bare_setting')
        await tx.execute('insert into bare_mail (raw) values ($1)', [raw], 'bare_insert')
      })
    }
  })
  return count / seconds
}
