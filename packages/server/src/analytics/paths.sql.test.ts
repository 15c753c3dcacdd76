import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { explained } from '@overture/testing/explained.ts'
import type { Database, Executor } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listBreakdown } from './analytics.sql.ts'
import { countReached, countReachedInOrder, countWaiting, listPaths } from './paths.sql.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
const day = { from: new Date('2026-03-02T00:00:00.000Z'), to: new Date('2026-03-03T00:00:00.000Z') }
const knownCampaigns = 6
const knownLeads = 1_500
const leads = 1_000
/** The number of rows that one statement may visit per lead, summed over all nodes of the plan. A join by lead visits 48,000. */
const rowsPerLeadMax = 200

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  // Autovacuum would change the table statistics.
  for (const { name } of tables) await db.execute(`alter table ${name} set (autovacuum_enabled = false)`)
})
afterAll(() => database.drop())

interface Branching extends Tenant {
  campaignId: string
  stepIds: string[]
}

async function startCampaign(): Promise<Branching> {
  const tenant = await insertTestAccount(db)
  const { id: campaignId, stepIds } = await insertTestCampaign(db, tenant, { senderIds: [] })
  return { ...tenant, campaignId, stepIds }
}

/** Each lead opened a message, took a branch at both steps, got one more message, and opened it. */
async function decide({ campaignId, stepIds, ...tenant }: Branching, count: number): Promise<void> {
  await insertTestLeads(db, tenant, { campaignId, count, dueAt: now, prefix: newId('led').slice(4) })
  const values = [tenant.accountId, tenant.environment, campaignId, now]
  const ofLeads = 'from lead_progress where account_id = $1 and environment = $2 and campaign_id = $3'
  const log = (type: string, stepId: string) =>
    db.execute(
      `insert into events (account_id, environment, id, type, occurred_at, campaign_id, lead_id, step_id)
       select $1, $2, 'evt_' || lead_id, $5, $4, $3, lead_id, $6 ${ofLeads}`,
      [...values, type, stepId],
    )
  const [first = '', second = ''] = stepIds
  for (const [stepId, branch] of [
    [first, "'brn_first'"],
    [second, "case when hashtext(lead_id) % 2 = 0 then 'brn_even' end"],
  ]) {
    await log('message.opened', first)
    await db.execute(
      `insert into decisions (account_id, environment, campaign_id, lead_id, step_id, branch_id, goes_to, evidence, decided_at)
       select $1, $2, $3, lead_id, $5, ${branch}, 'end', '', $4 ${ofLeads}`,
      [...values, stepId],
    )
    await log('branch.decided', stepId!)
  }
  await log('message.sent', second)
  await log('message.opened', second)
}

/** The number of rows that a statement visits, summed over all nodes of its plan. */
async function visitedBy(tenant: Tenant, read: (db: Executor) => Promise<unknown>): Promise<number> {
  const { explaining, visited } = explained(db.within(tenant.accountId))
  // The caller may fail on an empty result, but the plan is already recorded.
  await read(explaining).catch(() => undefined)
  return visited.reduce((sum, rows) => sum + rows, 0)
}

test('path statistics read decisions and events a few times, even without table statistics', async () => {
  for (let at = 0; at < knownCampaigns; at++) await decide(await startCampaign(), knownLeads)
  await db.execute('analyze')
  const campaign = await startCampaign()
  await decide(campaign, leads)
  const { campaignId } = campaign
  const [expected] = await db.query<Record<string, [{ Plan: { 'Plan Rows': number } }]>>(
    'explain (format json) select from decisions where account_id = $1 and campaign_id = $2',
    [campaign.accountId, campaignId],
  )
  expect(Object.values(expected!)[0]![0].Plan['Plan Rows']).toBeLessThan(leads / 2)
  const starts = [day.from]
  const reads: Record<string, (db: Executor) => Promise<unknown>> = {
    paths: (db) => listPaths(db, campaign, { campaignId, ...day }),
    reached: (db) => countReached(db, campaign, campaignId),
    reachedInOrder: (db) => countReachedInOrder(db, campaign, campaignId),
    waiting: (db) => countWaiting(db, campaign, campaignId),
    breakdown: (db) => listBreakdown(db, campaign, { campaignId, ...day, starts }),
  }
  for (const [name, read] of Object.entries(reads)) {
    const visited = await visitedBy(campaign, read)
    expect(visited, name).toBeGreaterThan(0)
    expect(visited, name).toBeLessThan(rowsPerLeadMax * leads)
  }
})

test('a path counts events after its decision, for both decisions of a lead', async () => {
  const campaign = await startCampaign()
  const [first = '', second = ''] = campaign.stepIds
  await decide(campaign, 100)
  const lines = await listPaths(db, campaign, { campaignId: campaign.campaignId, ...day })
  expect(lines.map(({ stepId, branchId }) => [stepId, branchId])).toEqual(
    [
      [first, 'brn_first'],
      [second, 'brn_even'],
      [second, null],
    ].toSorted(([a = ''], [b = '']) => (a! < b! ? -1 : 1)),
  )
  for (const { stepId, branchId, leads, sent, opened } of lines) {
    if (branchId === 'brn_first') expect(leads).toBe(100)
    // The second opening comes before the second decision. The last opening comes after both decisions.
    expect([sent, opened]).toEqual([leads, stepId === first ? 2 * leads : leads])
  }
  expect(lines.reduce((sum, { leads }) => sum + leads, 0)).toBe(200)
  expect(await listPaths(db, campaign, { campaignId: campaign.campaignId, from: day.to, to: day.to })).toEqual([])
  expect(await countReached(db, campaign, campaign.campaignId)).toEqual(
    new Map([
      [first, 100],
      [second, 100],
    ]),
  )
})

test('a decision without a log entry counts events from its time on', async () => {
  const campaign = await startCampaign()
  await decide(campaign, 10)
  await db.execute(`delete from events where account_id = $1 and type = 'branch.decided'`, [campaign.accountId])
  const lines = await listPaths(db, campaign, { campaignId: campaign.campaignId, ...day })
  const first = lines.find(({ branchId }) => branchId === 'brn_first')
  expect([first?.leads, first?.sent, first?.opened]).toEqual([10, 10, 30])
})
