import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@overture/server/platform/ids.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import { insertTestCampaign, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { explainedDatabase, type LookedAt } from '@overture/testing/explained.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Analyzed campaigns of another account. They have more leads than the test adds, so that the tables don't double in size. */
const knownCampaigns = 10
const knownLeads = 600
const leads = 2_000
const perCall = 500
/**
 * The number of rows that one statement may visit per lead of the account, over all nodes of its plan. Some statements read the
 * account's campaigns in several tables and sort and group them. Comparing leads with each other would visit two thousand rows per
 * lead.
 */
const perLeadMax = 40

const seen: LookedAt[] = []
let server: TestServer
let stop = async (): Promise<void> => undefined

beforeAll(async () => {
  const database = await createTestDatabase()
  const { db } = database
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  // Disables autovacuum, which would change the statistics at random times.
  for (const { name } of tables) await db.execute(`alter table ${name} set (autovacuum_enabled = false)`)
  server = await startWholeServer({ database: { ...database, db: { ...db, ...explainedDatabase(db, seen) } } })
  stop = async () => {
    await server.stop()
    await database.drop()
  }
})
afterAll(() => stop())

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.live, body })
  expect([method, path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([
    method,
    path,
    answer.status < 300 ? answer.status : 200,
    '',
  ])
  return answer.body
}

const emailOf = (lead: number) => `person.${lead}@acme${lead % 97}.test`

/** Inserts rows by SQL, so that nothing else analyzes the tables, and analyzes them once, as if that had happened some time ago. */
async function fillKnown(): Promise<void> {
  const { db } = server.database
  const { tenant } = server.other
  const senderId = await insertTestSender(db, tenant, { port: 1 })
  for (let campaign = 0; campaign < knownCampaigns; campaign++) {
    const { id } = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
    const values = [tenant.accountId, id, newId('led'), knownLeads]
    await db.execute(
      `with profiles as (
         insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, created_at, updated_at)
         select $1, 'live', $2, $3 || n, n || '@known.test', n || '@known.test', 'known.test', now(), now()
         from generate_series(1, $4::int) n)
       insert into lead_progress (account_id, environment, campaign_id, lead_id, status, due_at, attempt_at, updated_at)
       select $1, 'live', $2, $3 || n, 'pending', now(), now(), now() from generate_series(1, $4::int) n`,
      values,
    )
  }
  await db.execute('analyze')
}

async function addLeads(campaignId: string): Promise<void> {
  for (let from = 0; from < leads; from += perCall) {
    const added = Array.from({ length: perCall }, (_, at) => ({
      email: emailOf(from + at),
      firstName: 'Ada',
      company: 'Acme',
    }))
    const answer = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: added })
    expect(answer.added).toBe(perCall)
  }
}

/** The number of rows that PostgreSQL estimates for a campaign. */
async function expectedLeads(table: string, campaignId: string): Promise<number> {
  const [row] = await server.database.db.query<Record<string, [{ Plan: { 'Plan Rows': number } }]>>(
    `explain (format json) select from ${table} where account_id = $1 and environment = 'live' and campaign_id = $2`,
    [server.tenant.accountId, campaignId],
  )
  return Object.values(row!)[0]![0].Plan['Plan Rows']
}

function readsOf(campaignId: string, leadId: string, personId: string): string[] {
  const campaign = `/v2/campaigns/${campaignId}`
  const filters = ['status=pending', 'status=bounced', 'interest=interested', 'blockedReason=missing_variable']
  const queries = [...filters, 'blockedReason=outside_window', `email=${emailOf(77)}`, 'q=person.2', 'q=nobody']
  const views = [
    'activity',
    'analytics',
    'approvals',
    'diagnose',
    'followup-status',
    'forecast',
    'preflight',
    'stats',
    'test-messages',
  ]
  return [
    '/v2/campaigns',
    '/v2/campaigns/activity',
    '/v2/campaigns/summary',
    '/v2/forecast',
    '/v2/analytics?groupBy=campaign',
    '/v2/leads',
    '/v2/leads?q=person.77',
    `/v2/leads?campaignId=${campaignId}&status=pending`,
    `/v2/leads/${personId}`,
    `/v2/leads/${personId}/export`,
    '/v2/conversations',
    '/v2/conversations/counts',
    campaign,
    ...views.map((view) => `${campaign}/${view}`),
    ...['', 'limit=100&page=20', ...queries].map((query) => `${campaign}/leads?${query}`),
    ...['', '/explain', '/thread'].map((view) => `${campaign}/leads/${leadId}${view}`),
  ]
}

test('every read of a new campaign visits each lead only a few times, with any statistics', async () => {
  await fillKnown()
  const { db } = server.database
  const senderId = await insertTestSender(db, server.tenant, { port: 1 })
  const campaigns: string[] = []
  for (let campaign = 0; campaign < 2; campaign++) {
    const { id } = await insertTestCampaign(db, server.tenant, { senderIds: [senderId] })
    campaigns.push(id)
    expect(await expectedLeads('lead_profiles', id)).toBe(1)
    await addLeads(id)
    for (const table of ['lead_profiles', 'lead_progress'])
      await until(
        () => expectedLeads(table, id),
        (rows) => rows > 1,
      )
  }
  const [campaignId = ''] = campaigns
  const listed = await call('GET', `/v2/campaigns/${campaignId}/leads?limit=10`)
  const people = await call('GET', '/v2/leads?limit=10')
  const tooMany: string[] = []
  let asked = 0
  const held = async (what: string, run: () => Promise<unknown>) => {
    seen.length = 0
    await run()
    asked += seen.length
    for (const { text, visited } of seen)
      if (visited > perLeadMax * leads) tooMany.push(`${what}: ${visited} rows by ${text.slice(0, 200)}`)
  }
  for (const path of readsOf(campaignId, listed.results[0].id, people.results[0].id))
    await held(path, () => call('GET', path))
  const changes: [string, string, unknown][] = [
    [
      'POST',
      '/leads',
      {
        leads: Array.from({ length: 200 }, (_, at) => ({ email: emailOf(at * 3), city: 'Rome' })),
        onDuplicate: 'update',
      },
    ],
    [
      'POST',
      '/leads',
      { leads: Array.from({ length: 200 }, (_, at) => ({ email: `new${at}@acme.test` })), skipIfInOtherCampaign: true },
    ],
    ['POST', '/pause', {}],
  ]
  for (const [method, path, body] of changes)
    await held(path, () => call(method, `/v2/campaigns/${campaignId}${path}`, body))
  for (const added of [{ email: emailOf(88) }, { domain: 'acme13.test' }])
    await held('suppressions', () => call('POST', '/v2/suppressions', added))
  expect(asked).toBeGreaterThan(100)
  expect(tooMany).toEqual([])
})
