import { balanceOf } from '../credits/index.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { drafterId } from './models.ts'
import { listExistingPresetIds } from './presets.sql.ts'

/** What a campaign with AI steps lacks before it can start: presets that exist, and credits for a priced model. */
export async function checkAiStart(
  db: Executor,
  tenant: Tenant,
  uses: readonly { presetId: string; modelId: string }[],
) {
  if (uses.length === 0) return { missingPresetIds: [], creditsMissing: false }
  const presetIds = [...new Set(uses.map((use) => use.presetId))]
  const existing = await listExistingPresetIds(db, tenant, presetIds)
  const priced = uses.some((use) => use.modelId !== drafterId)
  return {
    missingPresetIds: presetIds.filter((id) => !existing.has(id)),
    creditsMissing: priced && (await balanceOf(db, tenant)) < 1,
  }
}
