import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { jumpTo } from '@overture/ground/paths/path.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface LeadKey {
  campaignId: string
  leadId: string
}

/** The decision of a branch for a lead: where the lead continues, and why. */
export interface LeadDecision extends LeadKey {
  stepId: string
  /** The position of the branch step. */
  position: number
  branchId: string | null
  label: string | null
  /** A step, a campaign or `end`. Null if no step follows. */
  goesTo: string | null
  evidence: string
  immediate: boolean
  /** Whether the decision was made before and only the lead's place changes. */
  again: boolean
  next: { position: number; deciding: boolean } | null
  dueAt: Date | null
}

interface DecidedLead {
  campaignId: string
  leadId: string
  email: string
  before: LeadStatus
  after: LeadStatus
}

const columns: readonly ListColumn<LeadDecision>[] = [
  ['campaign_id', 'text', (decision) => decision.campaignId],
  ['lead_id', 'text', (decision) => decision.leadId],
  ['step_id', 'text', (decision) => decision.stepId],
  ['position', 'int', (decision) => decision.position],
  ['branch_id', 'text', (decision) => decision.branchId],
  ['goes_to', 'text', (decision) => decision.goesTo],
  ['evidence', 'text', (decision) => decision.evidence],
  ['again', 'boolean', (decision) => decision.again],
  ['next_step', 'int', (decision) => jumpTo(decision.next, decision)],
  ['deciding', 'boolean', ({ next }) => next?.deciding ?? false],
  ['due_at', 'timestamptz', (decision) => decision.dueAt],
]

/** Stores decisions and moves their leads, once per lead and branch. Returns the leads that moved. */
export async function insertDecisions(
  db: Executor,
  tenant: Tenant,
  decisions: readonly LeadDecision[],
  now: Date,
): Promise<DecidedLead[]> {
  return db.query<DecidedLead>(
    `with t as (select * from ${listedRows(columns, 5)}),
     taken as (
       select t.* from t
       cross join lateral (
         select 1 from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
           and p.status = any($4) and p.attempt_at is not null and coalesce(p.next_step, p.current_step + 1) = t.position
         limit 1 for no key update) p
       where exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
         and c.status = 'active' and c.deleted_at is null)),
     kept as (
       insert into decisions (account_id, environment, campaign_id, lead_id, step_id, branch_id, goes_to, evidence, decided_at)
       select $1, $2, t.campaign_id, t.lead_id, t.step_id, t.branch_id, t.goes_to, t.evidence, $3 from taken t where not t.again
       on conflict do nothing returning lead_id),
     moved as (
       update lead_progress p set status_before = p.status, current_step = t.position, current_step_id = t.step_id,
         next_step = t.next_step, deciding = t.deciding, blocked_reason = null, updated_at = $3,
         status = case when t.due_at is null then 'completed' else p.status end,
         due_at = case when t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
         attempt_at = case when t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
         next_send_at = case when t.due_at is not null and not t.deciding then greatest(t.due_at, p.ooo_until) end
       from taken t
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
         and (t.again or t.lead_id in (select k.lead_id from kept k))
       returning p.campaign_id, p.lead_id, p.status_before as before, p.status as after)
     select m.*, l.email from moved m
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id`,
    [tenant.accountId, tenant.environment, now, waitingStatuses, ...rowLists(columns, decisions)],
    'insert_decisions',
  )
}

export interface DecisionRow {
  leadId: string
  stepId: string
  branchId: string | null
  goesTo: string | null
  at: Date
}

/** The decisions made for the given leads. */
export async function listDecisions(db: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<DecisionRow[]> {
  return db.query<DecisionRow>(
    `select d.lead_id, d.step_id, d.branch_id, d.goes_to, d.decided_at as at
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join decisions d on d.account_id = $1 and d.environment = $2 and d.campaign_id = t.campaign_id and d.lead_id = t.lead_id
     order by d.lead_id, d.decided_at`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId)],
    'list_decisions',
  )
}

interface SentStepRow {
  leadId: string
  stepId: string
  status: string
  at: Date
}

/** The steps that were sent to the given leads, including steps that may not have been sent (`uncertain`). */
export async function listSentSteps(db: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<SentStepRow[]> {
  return db.query<SentStepRow>(
    `select m.lead_id, m.step_id, m.status, coalesce(m.sent_at, m.gated_at, m.queued_at) as at
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.campaign_id = t.campaign_id and m.lead_id = t.lead_id
       and m.step_id is not null and m.direction = 'outbound' and m.status in ('sent', 'bounced', 'returned', 'uncertain')
     order by m.lead_id, 4`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId)],
    'list_sent_steps',
  )
}

/** Changes decisions whose target step was deleted as if no branch had been true. */
export async function updateDecisionsVoided(
  db: Executor,
  tenant: Tenant,
  voided: { campaignId: string; decisions: readonly { leadId: string; stepId: string; goesTo: string | null }[] },
): Promise<void> {
  await db.execute(
    `update decisions d set branch_id = null, goes_to = t.goes_to
     from unnest($4::text[], $5::text[], $6::text[]) t (lead_id, step_id, goes_to)
     where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.lead_id = t.lead_id and d.step_id = t.step_id`,
    [
      tenant.accountId,
      tenant.environment,
      voided.campaignId,
      voided.decisions.map((one) => one.leadId),
      voided.decisions.map((one) => one.stepId),
      voided.decisions.map((one) => one.goesTo),
    ],
    'update_decisions_voided',
  )
}

/** Sets whether leads that got no message yet wait before a branch, which is the case if the sequence begins with one. */
export async function updateLeadsBeforeFirst(
  db: Executor,
  tenant: Tenant,
  change: { campaignId: string; deciding: boolean },
): Promise<void> {
  await db.execute(
    `update lead_progress set deciding = $4, next_step = null
     where account_id = $1 and environment = $2 and campaign_id = $3 and current_step = 0 and deciding <> $4`,
    [tenant.accountId, tenant.environment, change.campaignId, change.deciding],
    'update_leads_before_first',
  )
}

/**
 * Makes the planner check the given leads that wait before a branch which may decide immediately. Returns how many, and whether
 * any campaign takes leads over.
 */
export async function updateLeadsToDecideNow(
  db: Executor,
  tenant: Tenant,
  { leads, now }: { leads: readonly LeadKey[]; now: Date },
): Promise<{ woken: number; takesOver: boolean }> {
  const [row] = await db.query<{ woken: number; takesOver: boolean }>(
    `with woken as (
     update lead_progress p set attempt_at = $5
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.deciding and p.status = any($6) and p.attempt_at > $5
       and exists (select 1 from steps s where s.account_id = $1 and s.environment = $2 and s.campaign_id = t.campaign_id
         and s.position = coalesce(p.next_step, p.current_step + 1) and s.branches @> '[{"immediately": true}]')
     returning p.lead_id)
     select (select count(*)::int from woken) as woken, exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2
       and c.entry is not null and c.deleted_at is null and c.status <> 'draft') as takes_over`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      now,
      waitingStatuses,
    ],
    'update_leads_to_decide_now',
  )
  return row ?? { woken: 0, takesOver: false }
}
