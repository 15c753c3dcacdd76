import type { DraftStatus } from '@overture/contract/ai/approvals.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface DraftRow {
  id: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  /** Null for a text of a step by hand, which no model writes. */
  presetId: string | null
  modelId: string | null
  status: DraftStatus
  subject: string | null
  body: string | null
  error: string | null
  edited: boolean
  /** The version of the preset that the text was made from; null before the text was written. */
  presetVersion: number | null
  factsDigest: string | null
  /** How often the text was written again. */
  revision: number
  createdAt: Date
  updatedAt: Date
}

const columns = `id, campaign_id, lead_id, step_id, variant_id, preset_id, model_id, status, subject, body, error, edited,
  preset_version, facts_digest, revision, created_at, updated_at`

/** A text with the current version of its preset; null if the preset was deleted. */
export type DraftNow = DraftRow & { presetVersionNow: number | null }

/** The texts of some leads, in every status. */
export async function listDraftsOfLeads(db: Executor, tenant: Tenant, leadIds: readonly string[]): Promise<DraftNow[]> {
  return db.query<DraftNow>(
    `select ${columns}, (select p.version from prompt_presets p
       where p.account_id = $1 and p.environment = $2 and p.id = d.preset_id) as preset_version_now
     from step_drafts d where account_id = $1 and environment = $2 and lead_id = any($3)`,
    [tenant.accountId, tenant.environment, leadIds],
    'list_drafts_of_leads',
  )
}

/** A request for a text. */
export interface DraftRequest {
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  presetId: string
  modelId: string
  /** The revision of the outdated text that this request replaces; null if there was none. */
  replaces: number | null
}
interface NewDraftRequest extends DraftRequest {
  id: string
  createdAt: Date
}

/**
 * Requests a text, or a replacement of the revision that the caller saw, including a person's edit of it. Returns the id, or null
 * if another process requested it first.
 */
export async function insertDraftRequest(db: Executor, tenant: Tenant, row: NewDraftRequest): Promise<string | null> {
  const [added] = await db.query<{ id: string }>(
    `insert into step_drafts as d (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, preset_id,
       model_id, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'requested', $10, $10)
     on conflict (account_id, environment, campaign_id, lead_id, step_id, variant_id)
       do update set status = 'requested', error = null, edited = false, spent = false, preset_id = excluded.preset_id,
         model_id = excluded.model_id, revision = d.revision + 1, updated_at = excluded.updated_at
       where d.revision = $11 and d.status <> 'rejected'
     returning id`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.campaignId,
      row.leadId,
      row.stepId,
      row.variantId,
      row.presetId,
      row.modelId,
      row.createdAt,
      row.replaces,
    ],
    'insert_draft_request',
  )
  return added?.id ?? null
}

/** A text of a step by hand, rendered for its lead. */
export interface HandText {
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  subject: string
  body: string
}

const handColumns: readonly ListColumn<HandText & { id: string }>[] = [
  ['id', 'text', (text) => text.id],
  ['campaign_id', 'text', (text) => text.campaignId],
  ['lead_id', 'text', (text) => text.leadId],
  ['step_id', 'text', (text) => text.stepId],
  ['variant_id', 'text', (text) => text.variantId],
  ['subject', 'text', (text) => text.subject],
  ['body', 'text', (text) => text.body],
]

/** Stores texts of steps by hand, which wait for a person. Returns those that did not exist yet. */
export async function insertHandTexts(
  db: Executor,
  tenant: Tenant,
  texts: readonly (HandText & { id: string })[],
  now: Date,
): Promise<{ id: string; campaignId: string; leadId: string; stepId: string }[]> {
  return db.query(
    `insert into step_drafts (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, status, subject, body,
       created_at, updated_at)
     select a.account_id, $2, t.id, t.campaign_id, t.lead_id, t.step_id, t.variant_id, 'waiting', t.subject, t.body, $3, $3
     from accounts a, ${listedRows(handColumns, 4)} where a.account_id = $1
     on conflict (account_id, environment, campaign_id, lead_id, step_id, variant_id) do nothing
     returning id, campaign_id, lead_id, step_id`,
    [tenant.accountId, tenant.environment, now, ...rowLists(handColumns, texts)],
    'insert_hand_texts',
  )
}

export async function findDraft(db: Executor, tenant: Tenant, id: string): Promise<DraftRow | undefined> {
  const [row] = await db.query<DraftRow>(
    `select ${columns} from step_drafts where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return row
}

export async function lockDraft(db: Executor, tenant: Tenant, id: string): Promise<DraftRow | undefined> {
  const [row] = await db.query<DraftRow>(
    `select ${columns} from step_drafts where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
  )
  return row
}

type ChangedFields = 'id' | 'status' | 'subject' | 'body' | 'error' | 'edited' | 'presetVersion' | 'factsDigest'

interface DraftChange extends Pick<DraftRow, ChangedFields> {
  generationId?: string | null
  now: Date
}

export async function updateDraft(db: Executor, tenant: Tenant, change: DraftChange): Promise<void> {
  await db.execute(
    `update step_drafts set status = $4, subject = $5, body = $6, error = $7, edited = $8, updated_at = $9,
       preset_version = $10, facts_digest = $11, generation_id = coalesce($12, generation_id)
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      change.id,
      change.status,
      change.subject,
      change.body,
      change.error,
      change.edited,
      change.now,
      change.presetVersion,
      change.factsDigest,
      change.generationId ?? null,
    ],
  )
}

/** Texts of a campaign that a person has reviewed or still has to review. */
export async function countDraftsShown(db: Executor, tenant: Tenant, campaignId: string): Promise<number> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('texts ' || $1, 9)) as locked`, [campaignId])
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from step_drafts
       where account_id = $1 and environment = $2 and campaign_id = $3 and status in ('waiting', 'approved', 'rejected')
       limit 1000) shown`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return row?.count ?? 0
}

export async function listDraftRows(
  db: Executor,
  tenant: Tenant,
  filter: { campaignId: string; status: DraftStatus },
  range: RowRange<string>,
): Promise<DraftRow[]> {
  return db.query<DraftRow>(
    `select ${columns} from step_drafts
     where account_id = $1 and environment = $2 and campaign_id = $3 and status = $4 and ($5::text is null or id > $5)
     order by id limit $6 offset $7`,
    [tenant.accountId, tenant.environment, filter.campaignId, filter.status, range.after, range.limit, range.offset],
  )
}

export async function countDrafts(
  db: Executor,
  tenant: Tenant,
  filter: { campaignId: string; status: DraftStatus },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from step_drafts where account_id = $1 and environment = $2 and campaign_id = $3 and status = $4`,
    [tenant.accountId, tenant.environment, filter.campaignId, filter.status],
  )
  return row?.count ?? 0
}

/** Excludes the sent texts of a first step from the result of `listUnsentTexts`. */
export async function markTextsSpent(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; stepId: string },
): Promise<void> {
  await db.execute(
    `update step_drafts d set spent = true from lead_progress p
     where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.step_id = $4 and not d.spent
       and p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = d.lead_id and p.current_step > 0`,
    [tenant.accountId, tenant.environment, of.campaignId, of.stepId],
    'mark_texts_spent',
  )
}
