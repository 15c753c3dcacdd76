import { defaultSchedule, defaultSettings, type Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'
import { newId } from '@overture/server/platform/ids.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { anyTime } from '../schedules.ts'

/** Inserts rows for tests, fault runs and the benchmark without the API. */
export async function insertTestAccount(db: Executor, environment: Tenant['environment'] = 'live'): Promise<Tenant> {
  const accountId = newId('acc')
  await db.execute(
    `insert into accounts (account_id, name, plan, postal_address, created_at)
       values ($1, 'Test', 'self_hosted', '1 Main St, Town', now())`,
    [accountId],
  )
  return { accountId, environment }
}

export interface TestLogin {
  username: string
  /** The encrypted secrets for a row of this name. */
  seal(context: string): Buffer
}

export async function insertTestPolicy(db: Executor, tenant: Tenant, policy: object): Promise<void> {
  await db.execute(
    `insert into contact_policies (account_id, environment, policy, updated_at) values ($1, $2, $3, now())`,
    [tenant.accountId, tenant.environment, JSON.stringify(policy)],
  )
}

export async function insertTestSender(
  db: Executor,
  tenant: Tenant,
  sender: { email?: string; port: number; dailyLimit?: number; provider?: 'smtp' | 'sandbox'; login?: TestLogin },
): Promise<string> {
  const id = newId('snd')
  await db.execute(
    `insert into sending_accounts (account_id, environment, id, email, from_name, provider, smtp, status, daily_limit, min_gap_seconds,
       max_gap_seconds, timezone, secrets, created_at, updated_at)
     values ($1, $2, $3, $4, 'Eve Sender', $5, $6, 'active', $7, 0, 0, 'UTC', $8, now(), now())`,
    [
      tenant.accountId,
      tenant.environment,
      id,
      sender.email ?? `${id}@sender.test`,
      sender.provider ?? 'smtp',
      JSON.stringify({
        host: '127.0.0.1',
        port: sender.port,
        security: 'none',
        username: sender.login?.username ?? null,
      }),
      sender.dailyLimit ?? 1_000_000,
      sender.login?.seal(`sending_accounts/${tenant.accountId}/${tenant.environment}/${id}`) ?? null,
    ],
  )
  return id
}

export interface TestCampaign {
  senderIds: readonly string[]
  settings?: Partial<Settings>
  steps?: readonly { subject: string; body: string; waitDays: number }[]
}

export const testSteps = [
  {
    subject: 'Hello {{ firstName }}',
    body: 'Hi {{ firstName }}, {{ "one|two|three" | spin }} words from {{ sender.fromName }}.',
    waitDays: 0,
  },
  { subject: '', body: 'Did you see my last message, {{ firstName }}?', waitDays: 3 },
]

/** An active campaign that may send at any hour. */
export async function insertTestCampaign(
  db: Executor,
  tenant: Tenant,
  campaign: TestCampaign,
): Promise<{ id: string; stepIds: string[] }> {
  const id = newId('cmp')
  await db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids,
       created_at, updated_at, launched_at)
     values ($1, $2, $3, 'Test', 'active', $4, $5, $6, now(), now(), now())`,
    [
      tenant.accountId,
      tenant.environment,
      id,
      JSON.stringify({ ...defaultSchedule('UTC'), ...anyTime }),
      JSON.stringify({ ...defaultSettings, ...campaign.settings }),
      campaign.senderIds,
    ],
  )
  const stepIds: string[] = []
  for (const [index, step] of (campaign.steps ?? testSteps).entries()) {
    const stepId = newId('stp')
    stepIds.push(stepId)
    await db.execute(
      `insert into steps (account_id, environment, campaign_id, id, position, wait_value, wait_unit, same_thread)
       values ($1, $2, $3, $4, $5, $6, 'days', $7)`,
      [tenant.accountId, tenant.environment, id, stepId, index + 1, step.waitDays, index > 0],
    )
    await db.execute(
      `insert into variants (account_id, environment, campaign_id, step_id, id, position, label, subject, body, weight, enabled)
       values ($1, $2, $3, $4, $5, 1, 'A', $6, $7, 1, true)`,
      [tenant.accountId, tenant.environment, id, stepId, newId('var'), step.subject, step.body],
    )
  }
  return { id, stepIds }
}

/**
 * Inserts leads `p1@acme.test` and so on, which wait until `dueAt` if it is given. Returns nothing, since callers insert up to a
 * million.
 */
export async function insertTestLeads(
  db: Executor,
  tenant: Tenant,
  leads: { campaignId: string; count: number; dueAt: Date; prefix?: string; domain?: string },
): Promise<void> {
  await db.execute(
    `with profiles as (
       insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, first_name, company,
         created_at, updated_at)
       select $1, $2, $3, 'led_' || $5 || lpad(n::text, 8, '0'), $5 || n || '@' || $6, $5 || n || '@' || $6, $6, 'Person' || n, 'Acme',
         $7, $7 from generate_series(1, $4::int) n)
     insert into lead_progress (account_id, environment, campaign_id, lead_id, status, due_at, attempt_at, updated_at)
     select $1, $2, $3, 'led_' || $5 || lpad(n::text, 8, '0'), 'pending', $7, $7, $7 from generate_series(1, $4::int) n`,
    [
      tenant.accountId,
      tenant.environment,
      leads.campaignId,
      leads.count,
      leads.prefix ?? 'p',
      leads.domain ?? 'acme.test',
      leads.dueAt,
    ],
  )
  await db.execute(
    `update campaigns set lead_count = lead_count + $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, leads.campaignId, leads.count],
  )
  await db.execute(
    `insert into planning as p (account_id, environment, next_plan_at) values ($1, $2, $3)
     on conflict (account_id, environment) do update set next_plan_at = least(p.next_plan_at, excluded.next_plan_at)`,
    [tenant.accountId, tenant.environment, leads.dueAt],
  )
}

export interface TestMessageRow {
  id: string
  leadId: string
  status: string
  rfcMessageId: string | null
  stepId: string
  attempts: number
  inReplyTo: string | null
  subject: string
  failure: { type: string } | null
}

export async function listTestMessages(db: Executor, tenant: Tenant): Promise<TestMessageRow[]> {
  return db.query<TestMessageRow>(
    `select id, lead_id, status, rfc_message_id, step_id, attempts, in_reply_to, subject, failure from messages
     where account_id = $1 and environment = $2 order by queued_at, id`,
    [tenant.accountId, tenant.environment],
  )
}

export async function listTestLeads(db: Executor, tenant: Tenant) {
  return db.query<{
    id: string
    status: string
    currentStep: number
    blockedReason: string | null
    attemptAt: Date | null
    sendingAccountId: string | null
  }>(
    `select id, status, current_step, blocked_reason, attempt_at, sending_account_id from leads
     where account_id = $1 and environment = $2 order by id`,
    [tenant.accountId, tenant.environment],
  )
}
