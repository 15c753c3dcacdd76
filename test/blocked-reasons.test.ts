import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockedReasons, type BlockedReason } from '@overture/contract/campaigns/leads.ts'
import { recoverExpired } from '../packages/server/src/delivery/index.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** A Monday. Every campaign's window is 09:00 to 17:00, so each case begins within it. */
const mondayAt = (time: string) => `2027-02-01T${time}:00.000Z`
const officeHours = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }]
const opensOn = (date: string) => `${date}T09:00:00.000Z`

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await server.app.db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [
    server.testTenant.accountId,
    new Date(mondayAt('10:00')),
  ])
})
afterAll(() => server.stop())

async function call(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.status < 300 ? null : answer.body]).toEqual([path, true, null])
  return answer.body
}

interface Launched {
  campaignId: string
  senderId: string
  /** Ids of leads by address. */
  leads: Map<string, string>
}

interface Case {
  reason: BlockedReason
  sender?: object
  settings?: object
  windows?: object[]
  steps?: object[]
  leads?: object[]
  /** Runs before the planner. */
  prepare?: (launched: Launched) => Promise<unknown>
  /** Runs after the planner. */
  after?: (launched: Launched) => Promise<unknown>
  /** The address of the lead to check. Default: the first lead. */
  asked?: string
  detail: RegExp
  /** When the gate opens without an action of a user, and when the campaign sends next. */
  until: string | null | RegExp
  nextSendAt: string | null | RegExp
}

const body = '<p>Hello</p>'
const one = { email: 'one@prospects.test', firstName: 'One' }
const two = { email: 'two@prospects.test', firstName: 'Two' }
const pair = { leads: [one, two], asked: two.email }
const later = /^2027-02-01T10:/

// The simulated mailboxes of the test environment always count as read. Gates of the contact policy are tested in contact-policy.test.ts.
const shownElsewhere: readonly BlockedReason[] = [
  'inbox_not_read',
  'in_conversation',
  'other_campaign',
  'person_limit',
  'company_limit',
]

const cases: Case[] = [
  {
    reason: 'suppressed',
    prepare: () => call('POST', '/v2/suppressions', { email: 'suppressed@blocked.test' }),
    leads: [{ email: 'suppressed@blocked.test' }],
    detail: /suppression list/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'delivery_uncertain',
    steps: [{ variants: [{ subject: 'Hi', body }] }, step(1)],
    // Simulates a crash after the end of the message and before it was recorded.
    after: async ({ leads }) => {
      const { db } = server.app
      const leadId = leads.get(one.email)
      await db.execute(
        `with head as (
           update message_heads set status = 'queued', sent_at = null where lead_id = $1
           returning account_id, environment, id, kind, campaign_id, lead_id, step_id, sending_account_id, queued_at)
         insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, claimed_at,
           lease_token, lease_until, gated_at)
         select *, gen_random_uuid(), now() - interval '1 minute', queued_at from head`,
        [leadId],
      )
      await db.execute(
        `update lead_progress set status = 'pending', current_step = 0, attempt_at = null where lead_id = $1`,
        [leadId],
      )
      await recoverExpired(server.app)
    },
    detail: /It is uncertain whether the last message was sent/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'returned',
    leads: [{ email: 'one+quota@prospects.test' }],
    steps: [{ variants: [{ subject: 'Hi', body }] }, step(1)],
    after: () => call('POST', '/v2/sandbox/clock/advance', { by: '10m' }),
    detail: /was returned because of its sender/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'missing_variable',
    steps: [{ variants: [{ subject: 'For {{ company }}', body }] }],
    detail: /The lead has no value for company/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'address_check',
    settings: { verification: { mode: 'require' } },
    detail: /was not verified in the last 90 days/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'awaiting_approval',
    settings: { aiApproval: 'all' },
    steps: [],
    detail: /waiting for approval/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'waiting_for_task',
    steps: [{ type: 'task', channel: 'call', title: 'Call' }, { variants: [{ subject: 'Hi', body }] }],
    detail: /Task \(call\): open since Mon 2027-02-01 10:\d\d, not assigned, due Tue 2027-02-02 10:\d\d in UTC/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'campaign_not_active',
    prepare: ({ campaignId }) => call('POST', `/v2/campaigns/${campaignId}/pause`),
    detail: /campaign is paused/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'sender_unavailable',
    prepare: ({ senderId }) => call('POST', `/v2/sending-accounts/${senderId}/pause`),
    detail: /snd_\w+ is paused/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'provider_mismatch',
    settings: { providerMatching: 'strict' },
    leads: [{ email: 'ada@google.prospects.test' }],
    detail: /No sending account at google can send today/,
    until: null,
    nextSendAt: null,
  },
  {
    reason: 'wait_not_over',
    steps: [{ variants: [{ subject: 'Hi', body }] }, step(2)],
    detail: /Step 2: a wait of 2 days, over at 2027-02-0\dT/,
    until: /^2027-02-0\dT/,
    nextSendAt: /^2027-02-0\dT/,
  },
  {
    reason: 'outside_window',
    windows: [{ days: ['wed'], from: '09:00', to: '17:00' }],
    detail: /Closed. It is Mon 2027-02-01 10:\d\d in UTC, and the window opens at Wed 2027-02-03 09:00/,
    until: opensOn('2027-02-03'),
    nextSendAt: opensOn('2027-02-03'),
  },
  {
    reason: 'daily_limit',
    settings: { dailyLimit: 1 },
    ...pair,
    detail: /1 of 1 messages of the campaign on 2027-02-01/,
    until: '2027-02-02T00:00:00.000Z',
    nextSendAt: opensOn('2027-02-02'),
  },
  {
    reason: 'new_lead_limit',
    settings: { dailyNewLeadLimit: 1 },
    ...pair,
    detail: /1 of 1 new leads on 2027-02-01/,
    until: '2027-02-02T00:00:00.000Z',
    nextSendAt: opensOn('2027-02-02'),
  },
  {
    reason: 'sender_daily_limit',
    sender: { dailyLimit: 1 },
    ...pair,
    detail: /1 of 1 messages of snd_\w+ on 2027-02-01/,
    until: '2027-02-02T00:00:00.000Z',
    nextSendAt: opensOn('2027-02-02'),
  },
  {
    reason: 'recipient_domain_limit',
    settings: { maxPerRecipientDomainPerDay: 1 },
    ...pair,
    detail: /1 of 1 messages to prospects.test on 2027-02-01/,
    until: '2027-02-02T00:00:00.000Z',
    nextSendAt: opensOn('2027-02-02'),
  },
  {
    reason: 'sender_gap',
    sender: { minGapSeconds: 900, maxGapSeconds: 900 },
    ...pair,
    detail: /snd_\w+ sends next at 2027-02-01T10:\d\d:.* \(gap of 900 to 900 s\)/,
    until: later,
    nextSendAt: later,
  },
]

describe('every blocked reason can occur in the test environment and is explained with its numbers', () => {
  test('every reason has a case', () => {
    // The simulated mailboxes of the test environment always count as read, so `inbox_not_read` occurs only in live.
    expect(cases.map(({ reason }) => reason)).toEqual(
      blockedReasons.filter((reason) => !shownElsewhere.includes(reason)),
    )
  })

  test.each(cases)('$reason', async (given) => {
    const launched = await launch(given)
    await given.prepare?.(launched)
    await call('POST', '/v2/sandbox/clock/advance', { by: '1m' })
    await given.after?.(launched)
    const leadId = launched.leads.get(given.asked ?? firstEmail(given))
    const path = `/v2/campaigns/${launched.campaignId}`
    const explanation = await call('GET', `${path}/leads/${leadId}/explain`)
    expect(explanation.blockedReason).toBe(given.reason)
    const gate = explanation.gates.find((one: { gate: string }) => one.gate === given.reason)
    expect(gate).toMatchObject({ passed: false, detail: expect.stringMatching(given.detail) })
    expectTime(gate.until, given.until)
    expect(explanation.gates.map((one: { gate: string }) => one.gate)).toEqual([...blockedReasons])
    const closed = explanation.gates.find((one: { passed: boolean }) => !one.passed)
    expect(closed.gate).toBe(given.reason)
    const status = await call('GET', `${path}/followup-status`)
    expect(status.blocked).toContainEqual({ reason: given.reason, count: 1 })
    expectTime(status.nextSendAt, given.nextSendAt)
    const lead = await call('GET', `${path}/leads/${leadId}`)
    expect(lead.blockedReason).toBe(given.reason)
  })
})

function step(days: number) {
  return { waitBefore: { value: days, unit: 'days' }, variants: [{ subject: '', body }] }
}

function firstEmail(given: Case): string {
  return (given.leads?.[0] as { email: string } | undefined)?.email ?? one.email
}

function expectTime(at: string | null, expected: string | null | RegExp): void {
  if (expected instanceof RegExp) expect(at).toMatch(expected)
  else expect(at).toBe(expected)
}

async function launch(given: Case): Promise<Launched> {
  const fields = { email: `${given.reason}@sender.test`, fromName: 'Eve', provider: 'sandbox', timezone: 'UTC' }
  const noGap = { minGapSeconds: 0, maxGapSeconds: 0 }
  const sender = await call('POST', '/v2/sending-accounts', { ...fields, ...noGap, ...given.sender })
  const campaign = await call('POST', '/v2/campaigns/launch', {
    name: given.reason,
    sendingAccountIds: [sender.id],
    schedule: { timezone: 'UTC', windows: given.windows ?? officeHours },
    settings: given.settings ?? {},
    steps: given.steps?.length === 0 ? [await aiStep()] : (given.steps ?? [{ variants: [{ subject: 'Hi', body }] }]),
    leads: given.leads ?? [one],
  })
  const { results } = await call('GET', `/v2/campaigns/${campaign.id}/leads`)
  return {
    campaignId: campaign.id,
    senderId: sender.id,
    leads: new Map(results.map((lead: { email: string; id: string }) => [lead.email, lead.id])),
  }
}

async function aiStep() {
  const preset = await call('POST', '/v2/campaigns/ai-prompts', { name: 'P', prompt: 'Write to {{ firstName }}.' })
  return { variants: [{ ai: { presetId: preset.id, modelId: 'builtin/drafter' } }] }
}
