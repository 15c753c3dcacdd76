import type { Schedule, Settings, Step, Wait } from '@overture/contract/campaigns/campaigns.ts'
import { campaignIdPrefix } from '@overture/contract/vocabularies.ts'
import { earliest } from '@overture/ground/time/earliest.ts'
import { resolveLocalDays, nextOpening, type SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { settingsColumn } from '../../campaigns/index.ts'
import { withHolidays } from '../../holidays/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { openCampaign } from '@overture/planner/plan-state.ts'
import type { GateName, PlanCampaign } from '@overture/planner/plan.types.ts'
import { listCampaignDays, listDomainDays } from './campaign-days.sql.ts'

export interface RunningCampaignRow {
  id: string
  status: 'active' | 'scheduled'
  schedule: SendingSchedule
  settings: Settings
  sendingAccountIds: string[]
  holdReason: GateName | null
  holdUntil: Date | null
}

export async function listRunningCampaigns(db: Executor, tenant: Tenant): Promise<RunningCampaignRow[]> {
  const rows = await db.query<Omit<RunningCampaignRow, 'schedule'> & { schedule: Schedule }>(
    `select id, status, schedule, ${settingsColumn}, sending_account_ids, hold_reason, hold_until from campaigns
     where account_id = $1 and environment = $2 and status in ('active', 'scheduled') and deleted_at is null`,
    [tenant.accountId, tenant.environment],
    'list_running_campaigns',
  )
  return Promise.all(rows.map(async (row) => ({ ...row, schedule: await withHolidays(row.schedule) })))
}

/** Whether a running campaign has a branch or a task, or any campaign takes leads over. */
export async function hasRunningBranches(db: Executor, tenant: Tenant): Promise<boolean> {
  const rows = await db.query(
    `select from steps s join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = s.campaign_id
     where s.account_id = $1 and s.environment = $2 and (s.type <> 'email' or s.by_hand) and c.status in ('active', 'scheduled')
       and c.deleted_at is null
     union all
     select from campaigns c where c.account_id = $1 and c.environment = $2 and c.entry is not null and c.deleted_at is null limit 1`,
    [tenant.accountId, tenant.environment],
    'has_running_branches',
  )
  return rows.length > 0
}

export interface PlanStepRow {
  campaignId: string
  id: string
  position: number
  sameThread: boolean
  waitValue: number
  waitUnit: Wait['unit']
  type: Step['type']
  then: string | null
  branches: Step['branches']
  /** Null unless the step is a task. */
  task: PlanTaskRow | null
  byHand: boolean
}

/** The task of a person, with its templates. */
interface PlanTaskRow {
  channel: NonNullable<Step['channel']>
  title: string
  instructions: string
  dueIn: Wait
  blocks: boolean
  expiresIn: Wait | null
}

// Skips branches whose target campaign was deleted or is still a draft.
const standingBranches = `coalesce((select jsonb_agg(b.branch order by b.place)
  from jsonb_array_elements(branches) with ordinality b (branch, place)
  where coalesce(b.branch->>'goTo', '') not like '${campaignIdPrefix}%' or exists (select 1 from campaigns c where c.account_id = $1
    and c.environment = $2 and c.id = b.branch->>'goTo' and c.deleted_at is null and c.status <> 'draft')), '[]'::jsonb)`

export async function listPlanSteps(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<PlanStepRow[]> {
  return db.query<PlanStepRow>(
    `select campaign_id, id, position, same_thread, wait_value, wait_unit, type, leads_to as "then",
       case when branches is null then '[]'::jsonb else ${standingBranches} end as branches,
       task, by_hand from steps
     where account_id = $1 and environment = $2 and campaign_id = any($3) order by campaign_id, position`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_plan_steps',
  )
}

/** Splits off the active campaigns, and returns when a scheduled one can begin. A job makes it active and logs that. */
export function splitRunning(running: readonly RunningCampaignRow[], now: Date) {
  const active = running.filter((row) => row.status === 'active')
  const ahead = running.filter((row) => row.status !== 'active')
  return {
    active,
    nextStartAt: earliest(ahead.map((row) => nextOpening(row.schedule, resolveLocalDays(row.schedule, null), now))),
  }
}

/** The planner's form of a campaign whose schedule is as it is stored. */
export async function readPlanCampaign(
  row: Omit<RunningCampaignRow, 'status' | 'schedule'> & { status: PlanCampaign['status']; schedule: Schedule },
  steps: readonly PlanStepRow[],
): Promise<PlanCampaign> {
  return toPlanCampaign({ ...row, schedule: await withHolidays(row.schedule) }, steps)
}

function toPlanCampaign(
  row: Omit<RunningCampaignRow, 'status'> & { status: PlanCampaign['status'] },
  steps: readonly PlanStepRow[],
): PlanCampaign {
  const { dailyLimit, dailyNewLeadLimit, maxPerRecipientDomainPerDay } = row.settings
  return {
    id: row.id,
    status: row.status,
    schedule: row.schedule,
    caps: { dailyLimit, dailyNewLeadLimit, maxPerRecipientDomainPerDay },
    steps: planSteps(row.id, steps),
    usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    sendingAccountIds: row.sendingAccountIds,
    providerMatching: row.settings.providerMatching,
  }
}

function planSteps(campaignId: string, steps: readonly PlanStepRow[]): PlanCampaign['steps'] {
  return steps
    .filter((step) => step.campaignId === campaignId)
    .map((step) => ({
      id: step.id,
      position: step.position,
      waitBefore: { value: step.waitValue, unit: step.waitUnit },
      type: step.type,
      then: step.then,
      branches: step.branches,
      task: step.task ?? undefined,
    }))
}

/** The sequences and today's claims of active campaigns, in the planner's form. */
export async function loadCampaigns(
  db: Executor,
  tenant: Tenant,
  { active, now }: { active: readonly RunningCampaignRow[]; now: Date },
): Promise<{ campaigns: PlanCampaign[]; steps: PlanStepRow[] }> {
  const withoutSteps = active.map((row) => toPlanCampaign(row, []))
  const [steps, used] = await Promise.all([
    listPlanSteps(
      db,
      tenant,
      active.map(({ id }) => id),
    ),
    withUsage(db, tenant, withoutSteps, now),
  ])
  return { steps, campaigns: used.map((campaign) => ({ ...campaign, steps: planSteps(campaign.id, steps) })) }
}

/** Adds today's claims of each campaign, by the day of the campaign's zone. */
export async function withUsage(
  db: Executor,
  tenant: Tenant,
  campaigns: readonly PlanCampaign[],
  now: Date,
): Promise<PlanCampaign[]> {
  const ids = campaigns.map((campaign) => campaign.id)
  const days = campaigns.map((campaign) => openCampaign(campaign, now.getTime()).day)
  const capped = campaigns.filter((campaign) => campaign.caps.maxPerRecipientDomainPerDay !== null)
  const [used, domains] = await Promise.all([
    ids.length === 0 ? [] : listCampaignDays(db, tenant, { ids, days }),
    capped.length === 0
      ? []
      : listDomainDays(db, tenant, {
          ids: capped.map((campaign) => campaign.id),
          days: capped.map((campaign) => openCampaign(campaign, now.getTime()).day),
        }),
  ])
  return campaigns.map((campaign) => {
    const own = used.find((row) => row.id === campaign.id)
    const byDomain = Object.fromEntries(
      domains.filter((row) => row.id === campaign.id).map((row) => [row.domain, row.claimed]),
    )
    return { ...campaign, usage: { claimed: own?.claimed ?? 0, claimedFirst: own?.claimedFirst ?? 0, byDomain } }
  })
}
