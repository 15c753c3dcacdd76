import type { CampaignDryRun } from '@overture/contract/delivery/dry-run.ts'
import { tryCampaignChange, type CampaignChange } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { inTurn, type Database, type Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { loadCampaignAhead, planAhead, readCampaignAhead, runAhead } from './forecast.queries.ts'

/**
 * Reports the effects of a change of a campaign: makes the change with the usual code, reads the result, and rolls it back.
 * The change locks rows, so rendering and forecasts start only after the rollback.
 */
export async function dryRunUpdate(
  app: App,
  tenant: Tenant,
  change: Omit<CampaignChange, 'watch'> & ExplainTools,
): Promise<CampaignDryRun> {
  const input = { campaignId: change.id, ...change }
  const { state } = await loadCampaignAhead(app, tenant, input)
  // Not read from one snapshot: with a snapshot, every message sent in between would make the change of its lead start again.
  const { campaign, effects, read } = await takenBack(app.db, async (tx) => ({
    ...(await tryCampaignChange(tx, tenant, change)),
    read: (await readCampaignAhead({ secrets: app.secrets, db: inTurn(tx) }, tenant, input)).read,
  }))
  const after = await planAhead(change.renderer, tenant, read)
  const of = { campaignId: change.id }
  return {
    campaign,
    effects,
    forecastBefore: await runAhead(state, of),
    forecastAfter: await runAhead(after.state, of),
  }
}

/** Rolls back a transaction that succeeded. */
class TakenBack<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('It was only tried.')
    this.result = result
  }
}

async function takenBack<Result>(db: Database, run: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      throw new TakenBack(await run(tx))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.result as Result
    throw error
  }
}
