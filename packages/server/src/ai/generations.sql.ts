import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface NewGeneration {
  id: string
  modelId: string
  presetId: string | null
  presetVersion: number | null
  campaignId: string | null
  leadId: string | null
  kind: string
  subject: string
  body: string
  subjectOptions: string[]
  promptTokens: number
  completionTokens: number
  creditsCharged: number
  now: Date
}

export async function insertGeneration(db: Executor, tenant: Tenant, row: NewGeneration): Promise<void> {
  await db.execute(
    `insert into generations (account_id, environment, id, model_id, preset_id, preset_version, campaign_id, lead_id, kind,
       subject, body, subject_options, prompt_tokens, completion_tokens, credits_charged, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.modelId,
      row.presetId,
      row.presetVersion,
      row.campaignId,
      row.leadId,
      row.kind,
      row.subject,
      row.body,
      row.subjectOptions,
      row.promptTokens,
      row.completionTokens,
      row.creditsCharged,
      row.now,
    ],
  )
}
