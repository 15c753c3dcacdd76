import { selectProfile } from '@overture/ground/lead-profile.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { LeadVariables } from './render.ts'

export interface TemplateRow {
  id: string
  name: string
  subject: string
  body: string
  tags: string[]
  createdAt: Date
  updatedAt: Date
}

interface TemplateFilter {
  q: string | null
  tag: string | null
}

const columns = 'id, name, subject, body, tags, created_at, updated_at'
const matching = `account_id = $1 and environment = $2 and ($3::text is null or name ilike $3 or subject ilike $3)
  and ($4::text is null or $4 = any(tags))`

/** Newest first. */
export async function listTemplates(
  db: Executor,
  tenant: Tenant,
  filter: TemplateFilter,
  range: RowRange<string>,
): Promise<TemplateRow[]> {
  return db.query<TemplateRow>(
    `select ${columns} from templates where ${matching} and ($5::text is null or id < $5) order by id desc limit $6 offset $7`,
    [tenant.accountId, tenant.environment, filter.q, filter.tag, range.after, range.limit, range.offset],
  )
}

export async function countTemplates(db: Executor, tenant: Tenant, filter: TemplateFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from templates where ${matching}`, [
    tenant.accountId,
    tenant.environment,
    filter.q,
    filter.tag,
  ])
  return rows[0]?.count ?? 0
}

export async function findTemplate(db: Executor, tenant: Tenant, id: string): Promise<TemplateRow | null> {
  const rows = await db.query<TemplateRow>(
    `select ${columns} from templates where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

/** The subjects and bodies of some templates by id. Unknown ids are left out. */
export async function listTemplateTexts(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, { subject: string; body: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: string; subject: string; body: string }>(
    `select id, subject, body from templates where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
  )
  return new Map(rows.map(({ id, subject, body }) => [id, { subject, body }]))
}

export async function upsertTemplate(tx: Executor, tenant: Tenant, row: TemplateRow): Promise<TemplateRow> {
  const rows = await tx.query<TemplateRow>(
    `insert into templates (account_id, environment, id, name, subject, body, tags, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (account_id, environment, id) do update set name = $4, subject = $5, body = $6, tags = $7, updated_at = $9
     returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.name,
      row.subject,
      row.body,
      row.tags,
      row.createdAt,
      row.updatedAt,
    ],
  )
  return rows[0]!
}

export async function deleteTemplate(tx: Executor, tenant: Tenant, id: string): Promise<number> {
  return tx.execute('delete from templates where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}

/** The variables of a campaign lead for templates. */
export async function findLeadVariables(db: Executor, tenant: Tenant, leadId: string): Promise<LeadVariables | null> {
  const rows = await db.query<LeadVariables>(
    `select l.email, ${selectProfile('l')}, l.custom_variables
     from leads l join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
     where l.account_id = $1 and l.environment = $2 and l.id = $3 and c.deleted_at is null`,
    [tenant.accountId, tenant.environment, leadId],
  )
  return rows[0] ?? null
}
