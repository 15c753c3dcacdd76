import type { Step, Variant, Wait } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { noTask, type TaskFields } from './task-step.ts'

interface StepRow {
  id: string
  position: number
  waitValue: number
  waitUnit: Wait['unit']
  sameThread: boolean
  variantSelection: Step['variantSelection']
  type: Step['type']
  key: string | null
  then: string | null
  branches: Step['branches'] | null
  variants: (Omit<Variant, 'ai'> & { ai: Variant['ai'] })[]
  task: TaskFields | null
  byHand: boolean
}

/**
 * The sequence of the campaign `c` as JSON for `toSequence`, as a column. One statement is then enough to read a campaign. The
 * first parameters of the statement must be the tenant.
 */
export const sequenceOfCampaign = `(select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'position', s.position,
    'waitValue', s.wait_value, 'waitUnit', s.wait_unit, 'sameThread', s.same_thread, 'variantSelection', s.variant_selection,
    'type', s.type, 'key', s.key, 'then', s.leads_to, 'branches', s.branches,
    'task', s.task, 'byHand', s.by_hand,
    'variants', (select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'label', v.label, 'subject', v.subject, 'body', v.body,
        'weight', v.weight, 'enabled', v.enabled, 'ai', v.ai) order by v.position), '[]'::jsonb)
      from variants v
      where v.account_id = $1 and v.environment = $2 and v.campaign_id = s.campaign_id
        and v.step_id = s.id)) order by s.position), '[]'::jsonb)
  from steps s where s.account_id = $1 and s.environment = $2 and s.campaign_id = c.id)`

export type SequenceRow = StepRow[]

export function toSequence(rows: SequenceRow): Step[] {
  return rows.map(toStep)
}

/** The sequences of the given campaigns, by campaign id, each in order. */
export async function listSteps(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<Map<string, Step[]>> {
  const rows = await db.query<{ id: string; sequence: SequenceRow }>(
    `select c.id, ${sequenceOfCampaign} as sequence from campaigns c
     where c.account_id = $1 and c.environment = $2 and c.id = any($3)`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_steps',
  )
  const found = new Map(rows.map((row) => [row.id, toSequence(row.sequence)]))
  return new Map(campaignIds.map((id) => [id, found.get(id) ?? []]))
}

function toStep(row: StepRow): Step {
  return {
    id: row.id,
    position: row.position,
    type: row.type,
    key: row.key,
    waitBefore: { value: row.waitValue, unit: row.waitUnit },
    then: row.then,
    sameThread: row.sameThread,
    variantSelection: row.variantSelection,
    variants: row.variants,
    branches: row.branches ?? [],
    ...(row.task ?? noTask),
    byHand: row.byHand,
  }
}

/** Replaces the whole sequence. Steps that keep their ids keep their history. */
export async function replaceSteps(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  steps: readonly Step[],
): Promise<void> {
  await db.execute(`delete from steps where account_id = $1 and environment = $2 and campaign_id = $3`, [
    tenant.accountId,
    tenant.environment,
    campaignId,
  ])
  if (steps.length === 0) return
  await db.execute(
    `insert into steps (account_id, environment, campaign_id, id, position, wait_value, wait_unit, same_thread,
       variant_selection, type, key, leads_to, branches, task, by_hand)
     select a.account_id, $2, $3, s->>'id', (s->>'position')::int, (s->'waitBefore'->>'value')::int, s->'waitBefore'->>'unit',
       (s->>'sameThread')::boolean, s->>'variantSelection', s->>'type', s->>'key', s->>'then',
       case when s->>'type' = 'branch' then s->'branches' end,
       case when s->>'type' = 'task' then jsonb_build_object('channel', s->'channel', 'title', s->'title',
         'instructions', s->'instructions', 'assigneeId', s->'assigneeId', 'dueIn', s->'dueIn', 'blocks', s->'blocks',
         'expiresIn', s->'expiresIn') end,
       (s->>'byHand')::boolean
     from accounts a, jsonb_array_elements($4::jsonb) s where a.account_id = $1 returning 1`,
    [tenant.accountId, tenant.environment, campaignId, JSON.stringify(steps)],
    'insert_steps',
  )
  await db.execute(
    `insert into variants (account_id, environment, campaign_id, step_id, id, position, label, subject, body, weight,
       enabled, ai)
     select a.account_id, $2, $3, s->>'id', v.value->>'id', v.ordinality, v.value->>'label', v.value->>'subject', v.value->>'body',
       (v.value->>'weight')::int, (v.value->>'enabled')::boolean, nullif(v.value->'ai', 'null'::jsonb)
     from accounts a, jsonb_array_elements($4::jsonb) s, jsonb_array_elements(s->'variants') with ordinality v
     where a.account_id = $1 returning 1`,
    [tenant.accountId, tenant.environment, campaignId, JSON.stringify(steps)],
    'insert_variants',
  )
}

/** Whether a model writes any text that the campaign may send. */
export async function hasAiVariants(db: Executor, tenant: Tenant, campaignId: string): Promise<boolean> {
  const rows = await db.query(
    `select from variants where account_id = $1 and environment = $2 and campaign_id = $3 and enabled and ai is not null
     limit 1`,
    [tenant.accountId, tenant.environment, campaignId],
    'has_ai_variants',
  )
  return rows.length > 0
}
