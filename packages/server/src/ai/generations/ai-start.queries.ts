import { readBalance } from '../../credits/index.ts'
import type { App } from '../../platform/app.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listExistingPresetIds } from '../presets/presets.sql.ts'
import { offeredModels } from './write.shell.ts'

/** The checks of models and presets that campaigns need. */
export function createAiChecks(app: Pick<App, 'config'>) {
  return {
    /** Returns what a campaign with AI steps lacks to start: presets that exist, and credits for its most expensive model. */
    checkAi: (db: Executor, tenant: Tenant, uses: readonly AiUse[]) => checkStart(db, tenant, { app, uses }),
    isModel: (modelId: string) => offeredModels(app).some((model) => model.id === modelId),
  }
}

interface AiUse {
  presetId: string
  modelId: string
}

interface StartCheck {
  app: Pick<App, 'config'>
  uses: readonly AiUse[]
}

async function checkStart(db: Executor, tenant: Tenant, { app, uses }: StartCheck) {
  if (uses.length === 0) return { missingPresetIds: [], creditsMissing: false }
  const presetIds = [...new Set(uses.map((use) => use.presetId))]
  const existing = await listExistingPresetIds(db, tenant, presetIds)
  const prices = new Map(offeredModels(app).map((model) => [model.id, model.creditsPerGeneration]))
  const dearest = Math.max(...uses.map((use) => prices.get(use.modelId) ?? 0))
  return {
    missingPresetIds: presetIds.filter((id) => !existing.has(id)),
    creditsMissing: dearest > 0 && (await readBalance(db, tenant)) < dearest,
  }
}
