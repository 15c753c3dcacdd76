import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { lockCampaignRow, updateCampaignStatus } from './campaigns.sql.ts'

interface PauseCampaign {
  campaignId: string
  reason: 'bounce_protection' | 'sending_accounts_unavailable' | 'credits_exhausted' | 'restored'
  now: Date
}

/**
 * Pauses an active campaign automatically. Returns false if the campaign is not active. After a restore it also pauses
 * scheduled campaigns, which would start automatically.
 */
export async function pauseCampaign(tx: Transaction, tenant: Tenant, pause: PauseCampaign): Promise<boolean> {
  const row = await lockCampaignRow(tx, tenant, pause.campaignId)
  const runs = row?.status === 'active' || (row?.status === 'scheduled' && pause.reason === 'restored')
  if (row === undefined || !runs) return false
  await updateCampaignStatus(tx, tenant, { id: row.id, status: 'paused', reason: pause.reason, now: pause.now })
  await appendPaused(tx, tenant, { campaignId: row.id, reason: pause.reason, now: pause.now })
  await recordSystem(tx, { ...tenant, action: 'system.campaigns.pause', targetId: row.id })
  return true
}

export async function appendPaused(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, reason, now }: { campaignId: string; reason: string; now: Date },
): Promise<void> {
  await appendEvents(tx, tenant, [{ type: 'campaign.paused', occurredAt: now, campaignId, data: { reason } }])
}
