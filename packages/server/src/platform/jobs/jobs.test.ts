import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { systemClock } from '../clock.ts'
import { Heartbeats } from '../lifecycle/heartbeats.ts'
import { createLogger } from '../log.shell.ts'
import { createTenantClocks } from '../tenant-clocks.sql.ts'
import type { TestDatabase } from '@overture/testing/database.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import type { Tenant } from '../tenant.ts'
import { claimDueJobs } from './claim-jobs.shell.ts'
import { claimJobs, listDueJobsAcrossAccounts, listDueTestJobs } from './claims.sql.ts'
import { findNextJobTime, type ClaimedJob } from './jobs.sql.ts'
import type { JobHandler } from './job.ts'
import { enqueueJob, retryWaitMs } from './jobs.shell.ts'
import { runDueJobs } from './run-due-jobs.shell.ts'
import { createJobRunner } from './runner.worker.ts'

let database: TestDatabase
let app: App
const past = new Date('2026-01-01T00:00:00Z')
const live: Tenant = { accountId: 'acc_live', environment: 'live' }
const sandbox: Tenant = { accountId: 'acc_test', environment: 'test' }

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
  for (const { accountId } of [live, sandbox]) {
    await db.execute(`insert into accounts (account_id, name, plan, created_at) values ($1, 'A', 'trial', now())`, [
      accountId,
    ])
  }
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.execute('delete from jobs')
  await database.db.execute('delete from sandbox_clocks')
})

function handler(run: JobHandler['run'], maxAttempts = 3): JobHandler {
  return { kind: 'greet', maxAttempts, run }
}

function enqueue(
  tenant: Tenant,
  runAt: Date,
  more: { key?: string; clock?: 'real'; payload?: Record<string, unknown> } = {},
) {
  return database.db.transaction((tx) => enqueueJob(tx, { kind: 'greet', tenant, runAt, ...more }))
}

async function claim(now: Date, leaseMs = 60_000): Promise<ClaimedJob[]> {
  const lease = { now, leaseMs, leaseToken: randomUUID() }
  const places = { limit: 10, perAccountMax: 10, underWay: new Map() }
  const jobs: ClaimedJob[] = []
  for await (const job of claimDueJobs(database.db, { kinds: ['greet'], ...lease, ...places })) jobs.push(job)
  return jobs
}

async function enqueueMany(count: number): Promise<void> {
  await database.db.execute(
    `insert into jobs (account_id, environment, kind, run_at)
     select 'acc_live', 'live', 'greet', $1::timestamptz + n * interval '1 second' from generate_series(1, $2::int) n`,
    [past, count],
  )
}

test('a job enqueued while the runner waits runs at once and is deleted', async () => {
  const seen: unknown[] = []
  const runner = createJobRunner({
    app,
    pollMs: 60_000,
    handlers: [handler(async (_context, payload) => void seen.push(payload))],
  })
  await runner.start()
  await enqueue(live, past, { payload: { name: 'a' } })
  await expect.poll(() => seen, { timeout: 5_000 }).toEqual([{ name: 'a' }])
  await expect.poll(() => database.db.query('select 1 from jobs'), { timeout: 5_000 }).toEqual([])
  await runner.stop()
})

test('a job of a dead worker runs again after its lease ends, not before', async () => {
  await enqueue(live, past)
  expect(await claim(new Date(), 60_000)).toHaveLength(1)
  expect(await claim(new Date())).toEqual([])
  await database.db.execute(`update jobs set lease_until = now() - interval '1 ms'`)
  expect(await claim(new Date())).toMatchObject([{ attempts: 2 }])
})

test('two workers at once never claim the same job', async () => {
  await enqueueMany(40)
  const claims = await Promise.all(Array.from({ length: 6 }, () => claim(new Date())))
  const ids = claims.flat().map((job) => job.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a claim skips jobs locked by an uncommitted claim and takes the next ones', async () => {
  await enqueueMany(25)
  const { db } = database
  const ids = await db.query<{ id: number }>('select id from jobs order by run_at')
  const jobs = await db.transaction(async (tx) => {
    await tx.query('select from jobs where id = any($1) for update', [ids.slice(0, 12).map((row) => row.id)])
    return claim(new Date())
  })
  expect(jobs.map((job) => job.id).toSorted((a, b) => a - b)).toEqual(ids.slice(12, 20).map((row) => row.id))
})

describe('a listed job is not claimed if', () => {
  const query = { kinds: ['greet'], now: new Date(), limit: 10, full: [] }
  const lease = { now: query.now, leaseMs: 60_000, leaseToken: randomUUID() }
  const changes: [what: string, statement: string][] = [
    ['it was put off', `update jobs set run_at = now() + interval '1 hour'`],
    ['it was taken', `update jobs set lease_until = now() + interval '1 minute'`],
    ['it gave up', 'update jobs set dead_at = now()'],
    ['it ended', 'delete from jobs'],
  ]
  test.each(changes)('%s', async (_what, statement) => {
    await enqueue(live, past)
    const [listed] = await listDueJobsAcrossAccounts(database.db, query)
    expect(listed).toMatchObject({ accountId: 'acc_live', runAt: past })
    await database.db.execute(statement)
    expect(await claimJobs(database.db, 'acc_live', [listed!.id], lease)).toEqual([])
  })

  test('its clock was turned back', async () => {
    await enqueue(sandbox, past)
    const [listed] = await listDueTestJobs(database.db, 'acc_test', query)
    const frozenAt = new Date(past.getTime() - 1)
    await database.db.execute(`insert into sandbox_clocks (account_id, frozen_at) values ('acc_test', $1)`, [frozenAt])
    expect(await claimJobs(database.db, 'acc_test', [listed!.id], lease)).toEqual([])
    await database.db.execute('update sandbox_clocks set frozen_at = $1', [past])
    expect(await claimJobs(database.db, 'acc_test', [listed!.id], lease)).toHaveLength(1)
  })
})

test('a key keeps one waiting job, at the earlier time', async () => {
  const late = new Date('2026-05-02T00:00:00Z')
  await enqueue(sandbox, late, { key: 'k' })
  await enqueue(sandbox, past, { key: 'k' })
  await enqueue(sandbox, late, { key: 'k' })
  expect(await findNextJobTime(database.db, sandbox)).toEqual(past)
  expect(await database.db.query('select count(*) as n from jobs')).toEqual([{ n: 1 }])
})

test('a keyed job enqueued while it runs is run once more at the given time', async () => {
  const again = new Date('2026-02-01T00:00:00Z')
  let runs = 0
  const greet = handler(async () => {
    if (++runs === 1) await enqueue(sandbox, again, { key: 'k' })
  })
  await enqueue(sandbox, past, { key: 'k' })
  expect(await runDueJobs(app, sandbox, past, [greet])).toBe(1)
  expect(await findNextJobTime(database.db, sandbox)).toEqual(again)
  expect(await runDueJobs(app, sandbox, again, [greet])).toBe(1)
  expect(await findNextJobTime(database.db, sandbox)).toBeNull()
})

test('a test environment uses its own clock: ahead, frozen, and real time for real-time jobs', async () => {
  const inTenDays = new Date(Date.now() + 10 * 86_400_000)
  await enqueue(sandbox, inTenDays)
  await enqueue(live, inTenDays)
  expect(await claim(new Date())).toEqual([])
  await database.db.execute(`insert into sandbox_clocks (account_id, offset_ms) values ('acc_test', $1)`, [
    11 * 86_400_000,
  ])
  expect(await claim(new Date())).toMatchObject([{ accountId: 'acc_test' }])

  await database.db.execute('delete from jobs')
  await database.db.execute('update sandbox_clocks set offset_ms = 0, frozen_at = $1', [past])
  const afterFreeze = new Date(past.getTime() + 1)
  await enqueue(sandbox, afterFreeze)
  await enqueue(sandbox, afterFreeze, { clock: 'real', payload: { real: true } })
  expect(await claim(new Date())).toMatchObject([{ payload: { real: true } }])
})

test('a failing job waits longer each time, and is kept as dead after its last attempt', async () => {
  const greet = handler(async () => {
    throw new Error('no luck')
  }, 2)
  await enqueue(sandbox, past)
  await runDueJobs(app, sandbox, past, [greet])
  const second = new Date(past.getTime() + retryWaitMs(1))
  expect(await findNextJobTime(database.db, sandbox)).toEqual(second)
  await runDueJobs(app, sandbox, second, [greet])
  expect(await database.db.query('select attempts, last_error, dead_at is not null as dead from jobs')).toEqual([
    { attempts: 2, lastError: 'Error: no luck', dead: true },
  ])
})

describe('a job with work that waits for it', () => {
  const gaveUp: unknown[] = []
  const greet: JobHandler = {
    ...handler(async () => {
      throw new Error('no luck')
    }, 2),
    giveUp: async (_tx, tenant, { payload, now }) => void gaveUp.push([tenant, payload, now]),
  }
  const dead = () => database.db.query('select last_error from jobs where dead_at is not null')
  beforeEach(() => void gaveUp.splice(0))

  test('gives up with its last failed try, and not before', async () => {
    await enqueue(sandbox, past, { payload: { n: 1 } })
    await runDueJobs(app, sandbox, past, [greet])
    expect(gaveUp).toEqual([])
    const second = new Date(past.getTime() + retryWaitMs(1))
    await runDueJobs(app, sandbox, second, [greet])
    expect(gaveUp).toEqual([[sandbox, { n: 1 }, second]])
    expect(await dead()).toEqual([{ lastError: 'Error: no luck' }])
  })

  test('gives up after the workers of all tries were killed', async () => {
    await enqueue(sandbox, past)
    await database.db.execute('update jobs set attempts = 2')
    await runDueJobs(app, sandbox, past, [greet])
    expect(gaveUp).toEqual([[sandbox, {}, past]])
    expect(await dead()).toEqual([{ lastError: 'Error: Its worker ended before the job did, every time.' }])
  })

  test('stays claimed if giving up fails', async () => {
    await enqueue(sandbox, past)
    await database.db.execute('update jobs set attempts = 2')
    const failing = { ...greet, giveUp: () => Promise.reject(new Error('later')) }
    await expect(runDueJobs(app, sandbox, past, [failing])).rejects.toThrow('later')
    expect(await database.db.query('select lease_token is not null as claimed, dead_at from jobs')).toEqual([
      { claimed: true, deadAt: null },
    ])
  })

  test('gets new tries instead if it was enqueued again after its end was lost', async () => {
    const lease = { now: past, leaseMs: 60_000, leaseToken: randomUUID() }
    await enqueue(sandbox, past, { key: 'k' })
    const [job] = await database.db.query<{ id: number }>('update jobs set attempts = 1 returning id')
    await claimJobs(database.db, 'acc_test', [job!.id], lease)
    await enqueue(sandbox, past, { key: 'k' })
    await database.db.execute(`update jobs set lease_until = now() - interval '1 ms'`)
    expect(await runDueJobs(app, sandbox, past, [{ ...greet, run: async () => undefined }])).toBe(2)
    expect([gaveUp, await database.db.query('select from jobs')]).toEqual([[], []])
  })
})

test('runDueJobs also runs what its jobs enqueue, in order of time', async () => {
  const order: unknown[] = []
  const greet = handler(async ({ now }, payload) => {
    order.push(payload.n)
    if (payload.n === 1) await enqueue(sandbox, now, { payload: { n: 3 } })
  })
  await enqueue(sandbox, new Date(past.getTime() - 1), { payload: { n: 2 } })
  await enqueue(sandbox, new Date(past.getTime() - 2), { payload: { n: 1 } })
  expect(await runDueJobs(app, sandbox, past, [greet])).toBe(3)
  expect(order).toEqual([1, 2, 3])
})

test('runDueJobs waits for a job with an uncommitted claim', async () => {
  await enqueue(sandbox, past)
  const { db } = database
  let claims = 0
  let looksAgain = (): void => undefined
  const again = new Promise<void>((resolve) => (looksAgain = resolve))
  const counting: App['db'] = Object.create(db, {
    query: {
      value: (...asked: Parameters<typeof db.query>) => {
        if (asked[2] === 'claim_next_tenant_job' && ++claims === 2) looksAgain()
        return db.query(...asked)
      },
    },
  })
  let ended: Promise<number> = Promise.resolve(-1)
  await db.transaction(async (tx) => {
    await tx.query('select id from jobs for update')
    ended = runDueJobs({ ...app, db: counting }, sandbox, past, [handler(async () => undefined)])
    await Promise.race([ended, again])
  })
  expect(await ended).toBe(1)
})

test("a worker that lost its lease is aborted and can't finish the job", async () => {
  await enqueue(live, past)
  let aborted = false
  const started = new Promise<void>((resolve) => {
    const runner = createJobRunner({
      app,
      leaseMs: 150,
      handlers: [
        handler(async ({ signal }) => {
          resolve()
          await new Promise<void>((end) => signal.addEventListener('abort', () => end()))
          aborted = true
        }),
      ],
    })
    void runner.start().then(async () => {
      await expect.poll(() => aborted, { timeout: 10_000 }).toBe(true)
      await runner.stop()
    })
  })
  await started
  await database.db.execute(`update jobs set lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour'`)
  await expect.poll(() => aborted, { timeout: 10_000 }).toBe(true)
  expect(await database.db.query('select count(*) as n from jobs')).toEqual([{ n: 1 }])
})
