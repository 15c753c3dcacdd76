import { balanceOf } from '../credits/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { listExistingPresetIds } from './presets.sql.ts'
import { offeredModels } from './write.commands.ts'

/** What a campaign with AI steps lacks before it can start: presets that exist, and credits for its dearest model. */
export function createAiStartCheck(app: Pick<App, 'config'>) {
  return async (db: Executor, tenant: Tenant, uses: readonly { presetId: string; modelId: string }[]) => {
    if (uses.length === 0) return { missingPresetIds: [], creditsMissing: false }
    const presetIds = [...new Set(uses.map((use) => use.presetId))]
    const existing = await listExistingPresetIds(db, tenant, presetIds)
    const prices = new Map(offeredModels(app).map((model) => [model.id, model.creditsPerGeneration]))
    const dearest = Math.max(...uses.map((use) => prices.get(use.modelId) ?? 0))
    return {
      missingPresetIds: presetIds.filter((id) => !existing.has(id)),
      creditsMissing: dearest > 0 && (await balanceOf(db, tenant)) < dearest,
    }
  }
}
