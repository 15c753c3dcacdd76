import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { findRun, moveClock } from './clock.sql.ts'
import { joinTransaction } from './joined-database.shell.ts'
import { sandboxJobs } from './sandbox.jobs.ts'
import { sandboxRoutes } from './sandbox.routes.ts'
import type { SandboxTools, World } from './virtual-world.ts'

const start = '2026-11-20T10:00:00.000Z'
let server: TestServer
let ran: { name: string; at: string }[] = []
let onJob: (name: string) => Promise<void> = () => Promise.resolve()

const noteJob: JobHandler = {
  kind: 'test.note',
  maxAttempts: 1,
  async run({ now }, { name }) {
    ran.push({ name: String(name), at: now.toISOString() })
    await onJob(String(name))
  },
}
const worldOf = (app: App): World => ({
  app,
  engine: {
    send: () => Promise.resolve(0),
    openPlanner: () => {
      throw new Error('Nothing is planned here.')
    },
    jobs: () => [noteJob],
  },
  pages: {
    visit: () => Promise.resolve([]),
    targetOf: () => null,
    unsubscribe: () => Promise.resolve(),
    book: () => Promise.resolve(),
  },
  receive: () => Promise.resolve(),
})
const depsOf = (app: App): SandboxTools => ({
  ...worldOf(app),
  plansFrom: 'database',
  inOneTransaction: (_time, run) =>
    app.db.transaction(async (tx) => {
      const joined = joinTransaction(tx)
      return run(worldOf({ ...app, db: joined.db }), joined.failed)
    }),
})

beforeAll(async () => {
  server = await startTestServer({ routes: ({ app }) => sandboxRoutes(depsOf(app)) })
})
afterAll(() => server.stop())

beforeEach(async () => {
  ran = []
  onJob = () => Promise.resolve()
  const { db } = server.app
  await db.execute('delete from jobs')
  await db.execute('delete from planning')
  await db.execute('delete from sandbox_runs')
  await db.execute('delete from sandbox_clocks')
  await db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [
    server.testTenant.accountId,
    new Date(start),
  ])
})

const clock = () => server.call('GET', '/v2/sandbox/clock', { key: server.keys.test })
const advance = (body: unknown) => server.call('POST', '/v2/sandbox/clock/advance', { key: server.keys.test, body })
const note = (name: string, at: string) =>
  enqueueJob(server.app.db, {
    kind: 'test.note',
    tenant: server.testTenant,
    payload: { name },
    runAt: new Date(at),
  })

describe('the clock of the test environment', () => {
  test('all endpoints are 404 for live keys', async () => {
    const calls = [
      ['GET', '/v2/sandbox/clock', undefined],
      ['POST', '/v2/sandbox/clock', { frozen: true }],
      ['POST', '/v2/sandbox/clock/advance', { by: '1d' }],
      ['POST', '/v2/sandbox/inbound', { leadId: 'led_x', kind: 'reply' }],
      ['GET', '/v2/sandbox/messages', undefined],
      ['GET', '/v2/sandbox/messages/msg_x', undefined],
    ] as const
    for (const [method, path, body] of calls) {
      const answer = await server.call(method, path, { key: server.keys.live, body })
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  test('its holder may wake the planner while the next move waits', async () => {
    const { app, testTenant } = server
    const ids = [testTenant.accountId, testTenant.environment]
    const leaseToken = '00000000-0000-4000-8000-000000000001'
    await app.db.execute(
      `insert into sandbox_runs (account_id, from_at, target_at, was_frozen, events_after, lease_token, lease_until)
       values ($1, $3, $3, true, 0, $2, $3)`,
      [testTenant.accountId, leaseToken, new Date(start)],
    )
    await app.db.execute(
      'insert into planning (account_id, environment, lease_token, lease_until) values ($1, $2, $3, $4)',
      [...ids, leaseToken, new Date(start)],
    )
    const { moving } = await app.db.transaction(async (tx) => {
      await app.clocks.hold(tx, testTenant)
      const move = app.db.transaction((other) => moveClock(other, testTenant, { leaseToken, at: new Date(start) }))
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(() => app.db.execute(waiting)).toBe(1)
      await tx.execute('update planning set next_plan_at = now() where account_id = $1 and environment = $2', ids)
      return { moving: move }
    })
    expect(await moving).toEqual({ held: true, planning: true })
  })

  test('a frozen clock stays, and an unfrozen one continues from there', async () => {
    expect((await clock()).body).toEqual({ now: start, frozen: true })
    const thawed = await server.call('POST', '/v2/sandbox/clock', { key: server.keys.test, body: { frozen: false } })
    expect(thawed.body).toEqual({ now: start, frozen: false })
    const later = Date.parse((await clock()).body.now)
    expect(later).toBeGreaterThanOrEqual(Date.parse(start))
    expect(later).toBeLessThan(Date.parse(start) + 60_000)
    const frozen = await server.call('POST', '/v2/sandbox/clock', { key: server.keys.test, body: { frozen: true } })
    expect((await clock()).body).toEqual(frozen.body)
  })

  test.each([
    [{}, 'by'],
    [{ by: '3 days' }, 'by'],
    [{ by: '1.5d' }, 'by'],
    [{ by: '0d' }, 'by'],
    [{ by: '-1d' }, 'by'],
    [{ by: '367d' }, 'by'],
    [{ by: '1d', to: '2026-12-01T00:00:00Z' }, 'by'],
    [{ to: '2026-11-20T09:59:59Z' }, 'to'],
    [{ to: '2027-11-22T10:00:01Z' }, 'to'],
    [{ to: 'tomorrow' }, 'to'],
  ])("%j is refused by name and doesn't move the clock", async (body, path) => {
    const answer = await advance(body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, path])
    expect((await clock()).body).toEqual({ now: start, frozen: true })
  })

  test('runs due work in order, each at its own time, and nothing later', async () => {
    await note('third', '2026-11-22T09:00:00.000Z')
    await note('first', '2026-11-20T12:00:00.000Z')
    await note('second', '2026-11-20T12:00:01.000Z')
    await note('later', '2026-11-23T10:00:00.001Z')
    const answer = await advance({ by: '3d' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      from: start,
      to: '2026-11-23T10:00:00.000Z',
      now: '2026-11-23T10:00:00.000Z',
      frozen: true,
    })
    expect(ran).toEqual([
      { name: 'first', at: '2026-11-20T12:00:00.000Z' },
      { name: 'second', at: '2026-11-20T12:00:01.000Z' },
      { name: 'third', at: '2026-11-22T09:00:00.000Z' },
    ])
    expect((await clock()).body).toEqual({ now: '2026-11-23T10:00:00.000Z', frozen: true })
  })

  test('runs work that jobs create meanwhile', async () => {
    await note('cause', '2026-11-20T12:00:00.000Z')
    onJob = async (name) => {
      if (name === 'cause') await note('effect', '2026-11-21T12:00:00.000Z')
    }
    await advance({ by: '2d' })
    expect(ran.map(({ name }) => name)).toEqual(['cause', 'effect'])
  })

  test('refuses a second move, and shows the progress', async () => {
    await note('slow', '2026-11-20T12:00:00.000Z')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const seen = new Promise<void>((resolve) => {
      onJob = async () => {
        resolve()
        await held
      }
    })
    const first = advance({ by: '3d' })
    await seen
    expect((await clock()).body).toEqual({ now: '2026-11-20T12:00:00.000Z', frozen: true })
    for (const answer of [
      await advance({ by: '1d' }),
      await server.call('POST', '/v2/sandbox/clock', { key: server.keys.test, body: { frozen: false } }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    }
    release()
    expect((await first).status).toBe(200)
  })

  test('a move whose process died is continued to its target', async () => {
    const { db } = server.app
    await note('due', '2026-11-21T12:00:00.000Z')
    await db.execute(
      `insert into sandbox_runs (account_id, from_at, target_at, was_frozen, events_after, lease_token, lease_until)
       values ($1, $2, $3, false, 0, gen_random_uuid(), now() - interval '1 second')`,
      [server.testTenant.accountId, new Date(start), new Date('2026-11-22T10:00:00.000Z')],
    )
    const resume = sandboxJobs(depsOf(server.app)).find(({ kind }) => kind === 'sandbox.resume')
    const context = { app: server.app, tenant: server.testTenant, now: server.app.clock.now(), attempt: 1 }
    await resume?.run({ ...context, signal: new AbortController().signal }, {})
    expect(ran).toEqual([{ name: 'due', at: '2026-11-21T12:00:00.000Z' }])
    const shown = (await clock()).body
    expect(shown.frozen).toBe(false)
    expect(shown.now >= '2026-11-22T10:00:00.000Z').toBe(true)
    expect(await findRun(db, server.testTenant)).toBeNull()
  })

  test('an inbound message for an unknown lead is 404', async () => {
    const answer = await server.call('POST', '/v2/sandbox/inbound', {
      key: server.keys.test,
      body: { leadId: 'led_unknown', kind: 'reply' },
    })
    expect(answer.status).toBe(404)
  })

  test('simulated mailboxes are empty at first, and an unknown message is 404', async () => {
    const list = await server.call('GET', '/v2/sandbox/messages', { key: server.keys.test })
    expect(list.body).toEqual({
      results: [],
      pagination: { currentPage: 1, totalPages: 0, totalCount: 0 },
      nextCursor: null,
    })
    expect((await server.call('GET', '/v2/sandbox/messages/x', { key: server.keys.test })).status).toBe(404)
  })
})
