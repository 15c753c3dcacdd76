import type { GenerationRecord } from '@overture/contract/ai/ai.ts'
import type { AiCost } from '@overture/contract/analytics/analytics.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface NewGeneration {
  id: string
  modelId: string
  presetId?: string | null
  presetVersion?: number | null
  campaignId: string | null
  leadId: string | null
  kind: GenerationRecord['kind']
  stepId?: string | null
  messageId?: string | null
  subject?: string
  body?: string
  subjectOptions?: string[]
  promptTokens: number
  completionTokens: number
  creditsCharged: number
  now: Date
}

export async function insertGeneration(db: Executor, tenant: Tenant, row: NewGeneration): Promise<void> {
  await db.execute(
    `insert into generations (account_id, environment, id, model_id, preset_id, preset_version, campaign_id, lead_id, kind,
       subject, body, subject_options, prompt_tokens, completion_tokens, credits_charged, created_at, step_id, message_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.modelId,
      row.presetId ?? null,
      row.presetVersion ?? null,
      row.campaignId,
      row.leadId,
      row.kind,
      row.subject ?? '',
      row.body ?? '',
      row.subjectOptions ?? [],
      row.promptTokens,
      row.completionTokens,
      row.creditsCharged,
      row.now,
      row.stepId ?? null,
      row.messageId ?? null,
    ],
  )
}

type GenerationRow = Omit<GenerationRecord, 'createdAt'> & { createdAt: Date }

export interface GenerationFilter {
  campaignId?: string | undefined
  leadId?: string | undefined
  kind?: GenerationRecord['kind'] | undefined
}

const filtered = `account_id = $1 and environment = $2 and ($3::text is null or campaign_id = $3)
  and ($4::text is null or lead_id = $4) and ($5::text is null or kind = $5)`

/** Newest first. */
export async function listGenerationRows(
  db: Executor,
  tenant: Tenant,
  filter: GenerationFilter,
  range: RowRange<string>,
): Promise<GenerationRow[]> {
  return db.query<GenerationRow>(
    `select id, kind, model_id, preset_id, preset_version, campaign_id, lead_id, step_id, message_id, prompt_tokens,
       completion_tokens, credits_charged, created_at
     from generations where ${filtered} and ($6::text is null or id < $6) order by id desc limit $7 offset $8`,
    [...filterValues(tenant, filter), range.after, range.limit, range.offset],
  )
}

/** The count and the total cost of the generations that match a filter. */
export async function sumGenerations(db: Executor, tenant: Tenant, filter: GenerationFilter): Promise<AiCost> {
  const [row] = await db.query<AiCost>(
    `select count(*) as generations, coalesce(sum(credits_charged), 0) as credits,
       coalesce(sum(prompt_tokens), 0) as prompt_tokens, coalesce(sum(completion_tokens), 0) as completion_tokens
     from generations where ${filtered}`,
    filterValues(tenant, filter),
  )
  return row ?? { generations: 0, credits: 0, promptTokens: 0, completionTokens: 0 }
}

function filterValues(tenant: Tenant, { campaignId, leadId, kind }: GenerationFilter) {
  return [tenant.accountId, tenant.environment, campaignId ?? null, leadId ?? null, kind ?? null]
}
