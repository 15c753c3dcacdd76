import type { Executor } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface PresetRow {
  id: string
  name: string
  description: string | null
  category: string | null
  prompt: string
  modelId: string | null
  variables: string[]
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = `id, name, description, category, prompt, model_id, variables, version, created_at, updated_at`

export async function findPreset(db: Executor, tenant: Tenant, id: string): Promise<PresetRow | undefined> {
  const [row] = await db.query<PresetRow>(
    `select ${columns} from prompt_presets where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return row
}

export async function lockPreset(db: Executor, tenant: Tenant, id: string): Promise<PresetRow | undefined> {
  const [row] = await db.query<PresetRow>(
    `select ${columns} from prompt_presets where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
  )
  return row
}

export async function listExistingPresetIds(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `select id from prompt_presets where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
  )
  return new Set(rows.map((row) => row.id))
}

export interface PresetFilter {
  category?: string | undefined
  q?: string | undefined
}

const filterText = `account_id = $1 and environment = $2 and ($3::text is null or category = $3)
  and ($4::text is null or strpos(lower(name), lower($4)) > 0)`

export async function listPresetRows(
  db: Executor,
  tenant: Tenant,
  filter: PresetFilter,
  range: RowRange<string>,
): Promise<PresetRow[]> {
  return db.query<PresetRow>(
    `select ${columns} from prompt_presets where ${filterText} and ($5::text is null or id < $5)
     order by id desc limit $6 offset $7`,
    [
      tenant.accountId,
      tenant.environment,
      filter.category ?? null,
      filter.q ?? null,
      range.after,
      range.limit,
      range.offset,
    ],
  )
}

export async function countPresets(db: Executor, tenant: Tenant, filter: PresetFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from prompt_presets where ${filterText}`, [
    tenant.accountId,
    tenant.environment,
    filter.category ?? null,
    filter.q ?? null,
  ])
  return row?.count ?? 0
}

export async function insertPreset(db: Executor, tenant: Tenant, row: Omit<PresetRow, 'updatedAt'>): Promise<void> {
  await db.execute(
    `insert into prompt_presets (account_id, environment, id, name, description, category, prompt, model_id, variables, version,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.name,
      row.description,
      row.category,
      row.prompt,
      row.modelId,
      row.variables,
      row.version,
      row.createdAt,
    ],
  )
}

export async function updatePresetRow(db: Executor, tenant: Tenant, row: PresetRow): Promise<void> {
  await db.execute(
    `update prompt_presets set name = $4, description = $5, category = $6, prompt = $7, model_id = $8, variables = $9,
       version = $10, updated_at = $11
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.name,
      row.description,
      row.category,
      row.prompt,
      row.modelId,
      row.variables,
      row.version,
      row.updatedAt,
    ],
  )
}

export async function deletePresetRow(db: Executor, tenant: Tenant, id: string): Promise<number> {
  return db.execute(`delete from prompt_presets where account_id = $1 and environment = $2 and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}
