import { defaultSchedule } from '@overture/contract/campaigns/campaigns.ts'
import { addLeads } from '../packages/server/src/campaigns/index.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { Tenant } from '../packages/server/src/platform/tenant.ts'
import { beginAdvance, finishAdvance, runOrLeave } from '../packages/server/src/sandbox/advance.commands.ts'
import { readClock } from '../packages/server/src/sandbox/clock.commands.ts'
import { findClock } from '../packages/server/src/sandbox/clock.sql.ts'
import { createServices, type Services } from '@overture/server/composition/services.ts'
import { line, measure, type Stage } from './stage.ts'

const days = 21
const manyLeads = Number(process.env.OVERTURE_BENCH_VIRTUAL_LEADS ?? 10_000)
const startsAt = new Date('2027-02-01T07:00:00.000Z')
const acts = ['+open', '+reply', '+interested', '+bounce', '+click', '+unsubscribe', '+ooo', '+book', '', '', '', '']
const words =
  '<p>Hello {{ firstName }}, {{ "one|two|three" | spin }} words for you. <a href="https://example.com/page">Look</a></p>'

/** Three weeks of a test environment's clock: their speed, and what ten times the leads cost in memory. */
export async function benchVirtualDays(stage: Stage): Promise<void> {
  const { app, engine, url: databaseUrl } = stage
  const services = await createServices({ app, engine, databaseUrl })
  try {
    await benchSpeed(stage, services)
    await benchMemory(stage, services)
  } finally {
    await services.stop()
  }
}

/** 200 leads × 4 steps from three senders with gaps, two thirds of the leads act. */
async function benchSpeed(stage: Stage, services: Services): Promise<void> {
  const tenant = await makeWorld(stage, { leads: 200, steps: 4, gapSeconds: [60, 240], acts })
  const told = { sent: 0 }
  const measured = await measure(async () => {
    told.sent = await advance(services, tenant)
  })
  const bare = await bareCommits(stage, told.sent)
  const rate = told.sent / measured.seconds
  line(
    '(v) 200 leads × 4 steps over 21 days: goal 20 s',
    measured.seconds / 20,
    `${(days / measured.seconds).toFixed(1)} virtual days per second, ${told.sent} messages in ${measured.seconds.toFixed(1)} s`,
  )
  line(
    '(v) messages of the run / bare commits',
    rate / bare,
    `${Math.round(rate)}/s against ${Math.round(bare)}/s; ` +
      `${((measured.cpuSeconds * 1000) / told.sent).toFixed(1)} ms of this process's CPU a message`,
  )
}

/** Ten times the leads in one run: the process's peak memory, which a list of all leads would show. */
async function benchMemory(stage: Stage, services: Services): Promise<void> {
  const few = await peakOf(stage, services, Math.round(manyLeads / 10))
  const many = await peakOf(stage, services, manyLeads)
  line(
    `(v) peak memory: ${manyLeads} leads / ${Math.round(manyLeads / 10)}`,
    many.peakMb / few.peakMb,
    `${Math.round(many.peakMb)} MB against ${Math.round(few.peakMb)} MB; ${many.sent} messages in ` +
      `${many.seconds.toFixed(0)} s, progress read ${many.looks} times`,
  )
  line('(v) time per message, the same two runs', many.seconds / many.sent / (few.seconds / few.sent), '')
}

async function peakOf(stage: Stage, services: Services, leads: number) {
  const tenant = await makeWorld(stage, { leads, steps: 1, gapSeconds: [0, 0], acts: [''] })
  let looks = 0
  let lastSeen = ''
  // Somebody watches the clock meanwhile: each different time that it shows is progress.
  const watching = setInterval(() => {
    void findClock(stage.app.db, tenant)
      .then((clock) => readClock(stage.app, stage.app.db, tenant, clock))
      .then(({ now }) => {
        if (now !== lastSeen) looks++
        lastSeen = now
      })
  }, 250)
  const told = { sent: 0 }
  const measured = await measure(async () => {
    told.sent = await advance(services, tenant)
  })
  clearInterval(watching)
  return { ...measured, sent: told.sent, looks, peakMb: process.resourceUsage().maxRSS / 1024 }
}

async function advance({ sandbox }: Services, tenant: Tenant): Promise<number> {
  const run = await beginAdvance(sandbox.app, tenant, { by: `${days}d` })
  await runOrLeave(sandbox, { tenant, run })
  const happened = await sandbox.app.db.transaction((tx) => finishAdvance(sandbox.app, tx, { tenant, run }))
  return happened.sent
}

interface World {
  leads: number
  steps: number
  gapSeconds: readonly [number, number]
  acts: readonly string[]
}

async function makeWorld({ app }: Stage, world: World): Promise<Tenant> {
  const { db, secrets } = app
  const tenant = await insertTestAccount(db, 'test')
  await db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [tenant.accountId, startsAt])
  const dailyLimit = Math.max(200, Math.ceil(world.leads / 10))
  const senderIds: string[] = []
  for (let index = 0; index < 3; index++)
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

/** What one message costs at the least: a row of its size, committed. Rows a second. */
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
