import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { assertAllowed } from './campaign.ts'
import { lockCampaignRow, markCampaignDeleted } from './campaigns.sql.ts'
import { cancelCampaignTasks } from './paths/cancel-tasks.commands.ts'

/**
 * Marks a campaign as deleted, so that every reader ignores it at once. A job deletes its rows in batches. Suppressions and the
 * ledger stay.
 */
export async function deleteCampaign(tx: Transaction, tenant: Tenant, action: { id: string; now: Date }) {
  const row = await lockCampaignRow(tx, tenant, action.id)
  if (!row) throw notFound()
  assertAllowed(row.status, 'delete')
  await markCampaignDeleted(tx, tenant, row.id, action.now)
  await cancelCampaignTasks(tx, tenant, { campaignId: row.id, reason: 'campaign_deleted', now: action.now })
  await appendEvents(tx, tenant, [
    { type: 'campaign.deleted', occurredAt: action.now, campaignId: row.id, data: { name: row.name } },
  ])
  await enqueueJob(tx, {
    kind: 'campaigns.purge',
    tenant,
    payload: { campaignId: row.id },
    runAt: action.now,
    key: row.id,
  })
  return { id: row.id, deleted: true as const }
}

/** Deletes each campaign that can be deleted and returns the outcome of every id. Source: docs/contract.md, "Campaigns". */
export async function bulkDeleteCampaigns(
  tx: Transaction,
  tenant: Tenant,
  action: { ids: readonly string[]; now: Date },
) {
  const results: { id: string; outcome: 'deleted' | 'not_found' | 'conflict'; message: string | null }[] = []
  for (const id of action.ids) {
    try {
      if (!isStorable(id)) throw notFound()
      await deleteCampaign(tx, tenant, { id, now: action.now })
      results.push({ id, outcome: 'deleted', message: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'NOT_FOUND') results.push({ id, outcome: 'not_found', message: error.message })
      else if (error.code === 'CONFLICT') results.push({ id, outcome: 'conflict', message: error.message })
      else throw error
    }
  }
  return { results }
}
