import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/**
 * The reason why a lead is held is computed in four places: the lead's own view, followup-status and `notSent` of the statistics
 * (both in SQL), and the filter of the list. All of them must agree in every state of a lead and its campaign.
 */
const now = '2027-02-01T10:00:00.000Z'
const times = `(null::timestamptz), ('${now}'::timestamptz - interval '1 hour'), ('${now}'::timestamptz + interval '1 hour')`
const statuses = ['draft', 'active', 'paused', 'completed']
const holds: [string | null, string | null][] = [
  [null, null],
  ['daily_limit', null],
  ['sender_gap', '2027-02-01T09:00:00.000Z'],
  ['outside_window', '2027-02-01T11:00:00.000Z'],
]

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await server.app.db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [
    server.testTenant.accountId,
    new Date(now),
  ])
})
afterAll(() => server.stop())

async function call(method: string, path: string, body?: unknown) {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

/** Inserts one lead for each combination of the states that decide its reason. */
async function insertEveryLead(campaignId: string): Promise<void> {
  await server.app.db.execute(
    `with every as materialized (
       select row_number() over () + $4::int as n, * from
         (values (null), ('suppressed'), ('delivery_uncertain'), ('missing_variable'),
           ('address_check'), ('awaiting_approval'), ('outside_window'), ('provider_mismatch'),
           ('recipient_domain_limit'), ('sender_unavailable')) r (reason),
         (values ('pending', 0), ('active', 1), ('paused', 1), ('stopped', 0)) s (status, step),
         (values ${times}) d (due), (values ${times}) a (attempt)),
     profiles as (
       insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, created_at, updated_at)
       select $1, 'test', $2, 'led_' || n, n || '@x.test', n || '@x.test', 'x.test', $3, $3 from every)
     insert into lead_progress (account_id, environment, campaign_id, lead_id, status, blocked_reason, current_step, due_at, attempt_at,
       updated_at)
     select $1, 'test', $2, 'led_' || n, status, reason, step, due, attempt, $3 from every`,
    [server.testTenant.accountId, campaignId, new Date(now), leadCount],
  )
  leadCount += 10 * 4 * 9
}
let leadCount = 0

async function listLeads(campaignId: string) {
  const leads: { status: string; currentStep: number; blockedReason: string | null }[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await call('GET', `/v2/campaigns/${campaignId}/leads?limit=100${cursor && `&cursor=${cursor}`}`)
    leads.push(...page.results)
    cursor = page.nextCursor
  }
  return leads
}

function countBy(reasons: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

test.each(statuses)('in a %s campaign, lead view, filter, followup-status and notSent agree', async (status) => {
  for (const [holdReason, holdUntil] of holds) {
    const { id } = await call('POST', '/v2/campaigns', { name: `${status} ${holdReason}` })
    await server.app.db.execute(`update campaigns set status = $2, hold_reason = $3, hold_until = $4 where id = $1`, [
      id,
      status,
      holdReason,
      holdUntil,
    ])
    await insertEveryLead(id)
    const leads = await listLeads(id)
    expect(leads).toHaveLength(360)
    const open = leads.filter((lead) => lead.status === 'pending' || lead.status === 'active')
    const { blocked } = await call('GET', `/v2/campaigns/${id}/followup-status`)
    expect(
      Object.fromEntries(blocked.map((row: { reason: string; count: number }) => [row.reason, row.count])),
    ).toEqual(countBy(open.map((lead) => lead.blockedReason)))
    for (const [reason, count] of Object.entries(countBy(open.map((lead) => lead.blockedReason)))) {
      const page = await call('GET', `/v2/campaigns/${id}/leads?limit=1&blockedReason=${reason}`)
      expect([reason, page.pagination.totalCount]).toEqual([reason, count])
    }
    const unsent = leads.filter((lead) => lead.currentStep === 0)
    const { notSent } = await call('GET', `/v2/campaigns/${id}/stats`)
    expect(notSent).toEqual(
      countBy(unsent.map((lead) => (open.includes(lead) ? (lead.blockedReason ?? 'due') : lead.status))),
    )
  }
})
