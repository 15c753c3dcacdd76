import type { CreatePresetInput, Preset, UpdatePresetInput } from '@overture/contract/ai/ai.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly, sameValue } from '@overture/contract/read-only.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import { answerList, byId, type PageQuery } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { starterPresets, variableIssues, variablesIn } from './preset.ts'
import { listPresetUsers } from './preset-users.sql.ts'
import {
  countPresets,
  deletePresetRow,
  findPreset,
  insertPreset,
  listPresetRows,
  lockPreset,
  type PresetFilter,
  type PresetRow,
  updatePresetRow,
} from './presets.sql.ts'

/** The largest number of campaigns that a refused deletion names. */
const usersShown = 20

export function presentPreset(row: PresetRow): Preset {
  const { createdAt, updatedAt, ...fields } = row
  return { ...fields, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

export async function getPreset(db: Executor, tenant: Tenant, id: string): Promise<PresetRow> {
  const row = await findPreset(db, tenant, id)
  if (!row) throw notFound()
  return row
}

export async function listPresets(db: Executor, tenant: Tenant, query: PresetFilter & PageQuery) {
  return answerList(query, {
    key: byId,
    list: (range) => listPresetRows(db, tenant, query, range),
    count: () => countPresets(db, tenant, query),
    present: (rows) => rows.map(presentPreset),
  })
}

export async function createPreset(
  tx: Transaction,
  tenant: Tenant,
  create: { input: CreatePresetInput; now: Date },
): Promise<Preset> {
  const { input, now } = create
  refuseUndeclared(input.prompt, input.variables)
  const row = {
    id: newId('prs'),
    name: input.name,
    description: input.description ?? null,
    category: input.category ?? null,
    prompt: input.prompt,
    modelId: input.modelId ?? null,
    variables: input.variables ?? variablesIn(input.prompt),
    version: 1,
    createdAt: now,
  }
  await insertPreset(tx, tenant, row)
  return presentPreset({ ...row, updatedAt: now })
}

/** Changes the given fields. The version increases if the text that a model gets changes. */
export async function updatePreset(
  tx: Transaction,
  tenant: Tenant,
  change: { id: string; input: UpdatePresetInput; now: Date },
): Promise<Preset> {
  const before = await lockPreset(tx, tenant, change.id)
  if (!before) throw notFound()
  const { input } = change
  const issues = changedReadOnly(presentPreset(before), input, ['id', 'version', 'createdAt', 'updatedAt'])
  if (issues.length > 0) throw invalid(...issues)
  const prompt = input.prompt ?? before.prompt
  // A client may send a GET response back with a new prompt and the old list. The list counts as a declaration only if it was
  // changed.
  const declared =
    input.variables === undefined || sameValue(input.variables, before.variables) ? undefined : input.variables
  refuseUndeclared(prompt, declared)
  const after: PresetRow = {
    ...before,
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : input.description,
    category: input.category === undefined ? before.category : input.category,
    prompt,
    modelId: input.modelId === undefined ? before.modelId : input.modelId,
    variables: declared ?? (prompt === before.prompt ? before.variables : variablesIn(prompt)),
    updatedAt: change.now,
  }
  const presetFields = (row: PresetRow) => [row.prompt, row.modelId, row.variables]
  const version = sameValue(presetFields(before), presetFields(after)) ? before.version : before.version + 1
  await updatePresetRow(tx, tenant, { ...after, version })
  return presentPreset({ ...after, version })
}

/** Throws a conflict that names the campaigns, as long as a started campaign uses the preset. */
export async function deletePreset(tx: Transaction, tenant: Tenant, id: string) {
  if (!(await lockPreset(tx, tenant, id))) throw notFound()
  const users = await listPresetUsers(tx, tenant, id, usersShown)
  if (users.length > 0) {
    throw new AppError('CONFLICT', 'This preset is in use.', {
      currentStatus: 'in_use',
      allowedActions: [],
      blockers: users.map((user) => ({
        code: 'used_by_campaign',
        message: `The campaign "${user.name}" uses this preset.`,
        ref: user.id,
      })),
    })
  }
  await deletePresetRow(tx, tenant, id)
  return { id, deleted: true as const }
}

export async function bulkDeletePresets(tx: Transaction, tenant: Tenant, ids: readonly string[]) {
  const results: { id: string; outcome: 'deleted' | 'not_found' | 'conflict'; message: string | null }[] = []
  for (const id of ids) {
    try {
      if (!isStorable(id)) throw notFound()
      await deletePreset(tx, tenant, id)
      results.push({ id, outcome: 'deleted', message: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ id, outcome: error.code === 'NOT_FOUND' ? 'not_found' : 'conflict', message: error.message })
    }
  }
  return { results }
}

/** Inserts the presets that ship with the product into a new environment. */
export async function insertStarterPresets(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  for (const starter of starterPresets) await createPreset(tx, tenant, { input: starter, now })
}

function refuseUndeclared(prompt: string, declared: readonly string[] | undefined): void {
  const issues = variableIssues(prompt, declared)
  if (issues.length > 0) throw invalid(...issues)
}
