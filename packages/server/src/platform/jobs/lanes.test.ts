import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { explainedDatabase, type LookedAt } from '@overture/testing/explained.ts'
import type { App } from '../app.ts'
import { systemClock } from '../clock.ts'
import type { Executor } from '../db/database.ts'
import { Heartbeats } from '../lifecycle/heartbeats.ts'
import { createLogger } from '../log.shell.ts'
import { createTenantClocks } from '../tenant-clocks.sql.ts'
import { claimDueJobs } from './claim-jobs.shell.ts'
import { jobLanes, type JobHandler, type JobLane } from './job.ts'
import type { JobPlaces } from './job-places.ts'
import type { ClaimedJob } from './jobs.sql.ts'
import { createJobRunner } from './runner.worker.ts'

let database: TestDatabase
let app: App
const now = new Date()
const accounts = ['acc_a', 'acc_b', 'acc_c']

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  app = {
    db,
    clock: systemClock,
    clocks: createTenantClocks(systemClock),
    heartbeats: new Heartbeats(),
    log: createLogger('silent'),
  } as unknown as App
  for (const accountId of accounts)
    await db.execute(`insert into accounts (account_id, name, plan, created_at) values ($1, 'A', 'trial', now())`, [
      accountId,
    ])
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.execute('delete from jobs')
  await database.db.execute('delete from sandbox_clocks')
})

/** Inserts jobs. Older jobs run first. */
async function fill(accountId: string, kind: string, jobs: { count: number; ageMs: number; environment?: string }) {
  await database.db.execute(
    `insert into jobs (account_id, environment, kind, run_at) select $1, $2, $3, $4 from generate_series(1, $5::int)`,
    [accountId, jobs.environment ?? 'live', kind, new Date(now.getTime() - jobs.ageMs), jobs.count],
  )
}

/** Moves all clocks a second ahead. */
async function moveClocks(): Promise<void> {
  for (const accountId of accounts)
    await database.db.execute('insert into sandbox_clocks (account_id, offset_ms) values ($1, 1000)', [accountId])
}

async function claim(asked: JobPlaces & { kinds: string[] }, db: Executor = database.db): Promise<ClaimedJob[]> {
  const jobs: ClaimedJob[] = []
  const lease = { now, leaseMs: 60_000, leaseToken: randomUUID() }
  for await (const job of claimDueJobs(db, { ...asked, ...lease })) jobs.push(job)
  return jobs
}

/** Handlers with kinds in each lane. Jobs of the flood run until `until` resolves. */
function handlersOf(flooded: JobLane, ran: string[], until: Promise<unknown>): JobHandler[] {
  return jobLanes.flatMap((lane): JobHandler[] => [
    {
      kind: `${lane}.brief`,
      maxAttempts: 1,
      lane,
      run: async ({ tenant }) => void ran.push(`${tenant.accountId} ${lane}`),
    },
    ...(lane === flooded
      ? [{ kind: `${lane}.endless`, maxAttempts: 1, lane, run: () => until.then(() => undefined) }]
      : []),
  ])
}

describe('endless jobs', () => {
  test.each(jobLanes)("of one account, thousands of them, don't stop other accounts' %s jobs", async (lane) => {
    let letGo = (): void => undefined
    const until = new Promise<void>((resolve) => (letGo = resolve))
    const ran: string[] = []
    await fill('acc_a', `${lane}.endless`, { count: 3_000, ageMs: 86_400_000 })
    const runner = createJobRunner({ app, handlers: handlersOf(lane, ran, until), pollMs: 20 })
    await runner.start()
    const underWay = () => database.db.query('select id from jobs where lease_until is not null')
    await expect.poll(underWay, { timeout: 30_000 }).not.toHaveLength(0)
    for (const accountId of accounts)
      for (const other of jobLanes)
        if (accountId !== 'acc_a' || other !== lane) await fill(accountId, `${other}.brief`, { count: 1, ageMs: 0 })
    await expect.poll(() => ran.length, { timeout: 30_000 }).toBe(accounts.length * jobLanes.length - 1)
    expect(new Set(ran).size).toBe(ran.length)
    letGo()
    await database.db.execute(`delete from jobs`)
    await runner.stop()
  })
})

describe('a claim', () => {
  test("takes at most the free places per account, and later the others' jobs: property", async () => {
    const counts = fc.record({ acc_a: fc.nat(6), acc_b: fc.nat(6), acc_c: fc.nat(6) })
    await fc.assert(
      fc.asyncProperty(
        counts,
        counts,
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (due, held, limit, max) => {
          await database.db.execute('delete from jobs')
          let age = 1_000
          for (const [accountId, count] of Object.entries(due))
            for (let n = 0; n < count; n++)
              await fill(accountId, 'a', {
                count: 1,
                ageMs: (age += 1_000),
                environment: n % 2 === 0 ? 'live' : 'test',
              })
          const underWay = new Map(Object.entries(held))
          let free = limit
          for (let last = -1; last !== free && free > 0;) {
            last = free
            const options = { kinds: ['a', 'none'], limit: free, perAccountMax: max, underWay: new Map(underWay) }
            for (const { accountId } of await claim(options)) {
              free -= 1
              underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1)
            }
          }
          for (const [accountId, count] of Object.entries(held))
            expect(underWay.get(accountId)).toBeLessThanOrEqual(Math.max(max, count))
          const room = accounts.map((accountId) => {
            const key = accountId as keyof typeof due
            return Math.min(due[key], Math.max(0, max - held[key]))
          })
          expect(limit - free).toBe(
            Math.min(
              limit,
              room.reduce((sum, one) => sum + one, 0),
            ),
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  const clocks: [whose: string, environment: string, moved: boolean, index: string][] = [
    ['live', 'live', false, 'jobs_due'],
    ["a test environment's, which was never moved", 'test', false, 'jobs_due_test'],
    ["a test environment's, which was moved", 'test', true, 'jobs_due_clock'],
  ]
  test.each(clocks)(
    'reads only as many rows per kind as it may take, by the clock: %s',
    async (_whose, environment, moved, index) => {
      await fill('acc_a', 'many', { count: 20_000, ageMs: 86_400_000, environment })
      await fill('acc_b', 'many', { count: 5_000, ageMs: 86_400_000, environment })
      await fill('acc_b', 'few', { count: 1, ageMs: 0, environment })
      if (moved) await moveClocks()
      await database.db.execute('analyze jobs')
      const seen: LookedAt[] = []
      const places = { limit: 8, perAccountMax: 4, underWay: new Map([['acc_a', 4]]) }
      const jobs = await claim({ kinds: ['few', 'none'], ...places }, explainedDatabase(database.db, seen))
      expect(jobs.map((job) => job.kind)).toEqual(['few'])
      const reading = seen.filter(({ text }) => !text.startsWith('update'))
      expect(reading.flatMap(({ indexes }) => indexes)).toContain(index)
      expect(seen.reduce((sum, { visited }) => sum + visited, 0)).toBeLessThan(100)
    },
  )
})

test("claimed jobs start even if another account's claim fails", async () => {
  await fill('acc_a', 'quick.brief', { count: 2, ageMs: 2_000 })
  await fill('acc_b', 'quick.brief', { count: 1, ageMs: 1_000 })
  let failed = 0
  const { db } = database
  const failing: App['db'] = Object.create(db, {
    query: {
      value: (...asked: Parameters<typeof db.query>) => {
        if (asked[2] !== 'claim_jobs' || asked[1]?.[0] !== 'acc_b') return db.query(...asked)
        failed++
        return Promise.reject(new Error('That server is away.'))
      },
    },
  })
  const ran: string[] = []
  const handlers = handlersOf('mail', ran, Promise.resolve())
  const runner = createJobRunner({ app: { ...app, db: failing }, handlers, pollMs: 20 })
  await runner.start()
  await expect.poll(() => ran).toEqual(['acc_a quick', 'acc_a quick'])
  expect(failed).toBeGreaterThan(0)
  await runner.stop()
})
