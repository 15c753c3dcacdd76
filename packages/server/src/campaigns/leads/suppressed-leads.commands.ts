import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockCampaignRow } from '../campaigns.sql.ts'
import { reopenCampaign } from './lead-moves.commands.ts'
import { clearSuppressedLeads, type SuppressedAddress } from './suppressed-leads.sql.ts'

/** Releases leads that may be written to again, and reopens campaigns that had nothing else left to do. */
export async function releaseSuppressedLeads(
  tx: Transaction,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<void> {
  for (const id of await clearSuppressedLeads(tx, tenant, address)) {
    const campaign = await lockCampaignRow(tx, tenant, id)
    if (campaign) await reopenCampaign(tx, tenant, campaign, address.now)
  }
}
