import type { Campaign } from '@overture/contract/campaigns/campaigns.ts'
import type { CampaignDryRun, ChangeEffects } from '@overture/contract/delivery/dry-run.ts'
import { tryCampaignChange, type CampaignChange } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { inTurn, type Database, type Transaction, type TransactionOptions } from '../../platform/db/database.ts'
import { isRetryable } from '../../platform/db/errors.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { ofOneMoment, planAhead, readCampaignAhead, type RowsAhead, runAhead } from './forecast.queries.ts'

/**
 * Reports the effects of a change of a campaign: makes the change with the usual code, reads the result, and rolls it back.
 * The change locks rows, so rendering and forecasts start only after the rollback.
 */
export async function dryRunUpdate(
  app: App,
  tenant: Tenant,
  change: Omit<CampaignChange, 'watch'> & ExplainTools,
): Promise<CampaignDryRun> {
  const { campaign, effects, before, after } = await readAround(app, tenant, change)
  const run = async (read: RowsAhead) =>
    runAhead((await planAhead(change.renderer, tenant, read)).state, { campaignId: change.id })
  return { campaign, effects, forecastBefore: await run(before), forecastAfter: await run(after) }
}

interface ReadAround {
  campaign: Campaign
  effects: ChangeEffects
  before: RowsAhead
  after: RowsAhead
}

/**
 * Reads the rows before and after a change from one snapshot, so that messages sent in between don't look like effects of the change.
 * The state before is read last. The snapshot is then young when the change locks rows, which makes conflicts rare.
 */
async function readAround(
  app: App,
  tenant: Tenant,
  change: Omit<CampaignChange, 'watch'> & ExplainTools,
): Promise<ReadAround> {
  const input = { campaignId: change.id, ...change }
  const readRows = async (tx: Transaction): Promise<RowsAhead> =>
    (await readCampaignAhead({ secrets: app.secrets, db: inTurn(tx) }, tenant, input)).read
  const tryChange = async (tx: Transaction) => ({
    ...(await tryCampaignChange(tx, tenant, change)),
    after: await readRows(tx),
  })
  const tryFromSnapshot = async (tx: Transaction): Promise<ReadAround> => {
    await tx.execute('savepoint unchanged')
    const changed = await tryChange(tx)
    await tx.execute('rollback to savepoint unchanged')
    return { ...changed, before: await readRows(tx) }
  }
  try {
    return await takenBack(app.db, tryFromSnapshot, { oneSnapshot: true, once: true })
  } catch (error) {
    if (!isRetryable(error)) throw error
    // A row that the change writes was changed meanwhile. In a busy campaign every attempt from a snapshot may fail.
    const { read: before } = await ofOneMoment(app, (tools) => readCampaignAhead(tools, tenant, input))
    return { before, ...(await takenBack(app.db, tryChange)) }
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

async function takenBack<Result>(
  db: Database,
  run: (tx: Transaction) => Promise<Result>,
  options?: TransactionOptions,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      throw new TakenBack(await run(tx))
    }, options)
  } catch (error) {
    if (error instanceof TakenBack) return error.result as Result
    throw error
  }
}
